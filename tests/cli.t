# The command line: what is taken, what is refused with one line and status 2, before any file is made.
. tests/lib.sh
mkdir "$T/d"

# refuse WANT ARG...: status 2, one line on stderr that matches WANT, nothing on stdout, no file.
refuse() {
	want=$1
	shift
	"$BONNIE" "$@" >"$T/out" 2>"$T/err"
	status=$?
	is "bonnie $*: status 2" "$status" 2
	like "bonnie $*: says why" "$(cat "$T/err")" "bonnie: $want"
	is "bonnie $*: one line, no result" "$(wc -l <"$T/err" | tr -d ' ') $(wc -c <"$T/out" | tr -d ' ')" "1 0"
}

for size in '' 10Q 1.5 -1 +1 ' 1' '1 ' 0x10 nan 1kk 1bb 1ib 1g1 k 1:2:3:4:5; do
	refuse "-s*'$size'*" -s "$size"
done
for size in 8796093022208 9007199254740992g 18446744073709551615 99999999999999999999999; do
	refuse "-s: '$size' *" -s "$size"
done
refuse "-s: with size 0 there is nothing to do without -n" -s 0
for chunk in 0 1 511 513 3000 17m 32m 1t 16kx; do
	refuse "-s chunk: '$chunk' *" -s "16:$chunk"
done
refuse "-s: the size (1024 KiB) is not a whole number of chunks (16384 KiB)" -d "$T/d" -s 1:16m
refuse "-s seeks: '0' is not a whole number from 1 to *" -s 1::0
refuse "-s seeks: '1k' is not*" -s 1::1k
refuse "-s seekers: '257' is not a whole number from 1 to 256" -s 1:::257
refuse "-s seekers: '0' is not*" -s 1:::0
for n in '' 0 -1 1.0 1e3 18446744073709551616; do
	refuse "-x: '$n' is not a whole number from 1 to 1000000" -x "$n"
done
refuse "-z: '18446744073709551616' is not a whole number from 0 to 18446744073709551615" -z 18446744073709551616
refuse "-r: 'x' is not a size*" -r x
refuse "-o: 'xml' is not a format*" -o xml
refuse "-d: the name of the directory is empty" -d ''
for letter in d g m n o r s u x z; do
	refuse "-$letter: its argument is missing*" "-$letter"
done
for files in '' x -1 1:2:3:4:5 1000000001; do
	refuse "-n*'*$files*" -n "$files"
done
refuse "-n max: '-3' is not a size*" -n 1:-3
refuse "-n: min 2k is more than max 1k" -n 1:1k:2k
refuse "-n: min 5 is more than max 4" -n 1:4:5
refuse "-u: there is no user 'no such user'" -u 'no such user'
refuse "-u: there is no group 'no such group'" -u "$(id -un):no such group"
refuse "-g: there is no group 'no such group'" -g 'no such group'
# Options of relatives: the line says which of ours does the job.
refuse "-p: no such option: * -w" -p 3
refuse "-y: no such option: * -w*" -y
refuse "-S: no such option: * -s size::seeks" -S 100
refuse "-Z: no such option: * -z*" -Z file
refuse "-o_direct: no such option: direct I/O is -D" -o_direct
refuse "-c 4: -c takes no number; seeking processes are -s :::4" -c 4
refuse "-Q: no such option*" -Q
refuse "-Q: no such option*" -fQ
refuse "--frobnicate: no such option*" --frobnicate
refuse "'operand': bonnie takes options only*" -f operand
refuse "'operand': bonnie takes options only*" operand -html
refuse "'-': bonnie takes options only*" -
refuse "'--': bonnie takes options only*" -- -h
ok "no refusal has made a file" empty "$T/d"

for help in -h --help -fh; do
	"$BONNIE" $help >"$T/out" 2>"$T/err"
	is "bonnie $help: status 0" "$?" 0
	is "bonnie $help: nothing on stderr" "$(cat "$T/err")" ""
	like "bonnie $help: usage" "$(cat "$T/out")" "usage: bonnie *"
done
sed -n '/^} options\[\] = {/,/^};/s/^	{ "\([a-zA-Z]*\)", .*/\1/p' bonnie.c >"$T/letters"
ok "options[] is found in bonnie.c" test "$(wc -l <"$T/letters")" -ge 11
while read -r letter; do
	like "the help knows -$letter" "$(cat "$T/out")" "*
  -$letter *"
	ok "bonnie.1 knows -$letter" grep -q "^\\.It Fl $letter" bonnie.1
	ok "README knows -$letter" grep -q -- "-$letter" README
done <"$T/letters"
is "the help is at most 80 columns wide" "$(awk 'length > 80' "$T/out")" ""
for version in -V --version; do
	is "bonnie $version" "$("$BONNIE" $version 2>&1)" \
		"bonnie $(sed -n 's/^#define VERSION.*"\(.*\)".*/\1/p' bonnie.c)"
done

# Directories that cannot be used: status 1, the reason, no result.
fails() {
	want=$1
	shift
	"$BONNIE" "$@" >"$T/out" 2>"$T/err"
	is "bonnie $*: status 1" "$?" 1
	like "bonnie $*: says why" "$(cat "$T/err")" "bonnie: $want"
	is "bonnie $*: no result" "$(cat "$T/out")" ""
}
: >"$T/file"
fails "$T/none: No such file or directory" -d "$T/none" -s 1
fails "$T/file: Not a directory" -d "$T/file" -s 1
fails "$T/d has * MiB free and the file needs * MiB: the largest that fits is -s *" -d "$T/d" -s 8388607t
if [ "$(id -u)" != 0 ]; then
	mkdir -m 500 "$T/locked"
	fails "create $T/locked/Bonnie.*: Permission denied" -d "$T/locked" -s 1
else
	skip "a directory one may not write" "root may"
fi
(ulimit -f 100 && "$BONNIE" -d "$T/d" -s 1) >"$T/out" 2>"$T/err"
is "ulimit -f below the size: status 1" "$?" 1
like "ulimit -f below the size: said before the run" "$(cat "$T/err")" \
	"bonnie: files may have * bytes at most here and 1048576 are needed (see ulimit -f)"
"$BONNIE" -d "$T/d" -s 1 >&- 2>"$T/err"
is "stdout closed: status 1" "$?" 1
like "stdout closed: said before the run" "$(cat "$T/err")" "bonnie: standard output is closed*"
ok "nothing is left" empty "$T/d"
finish
