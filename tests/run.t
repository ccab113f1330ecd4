# Whole runs on a small file: the result, the progress, the warnings, what is left.
. tests/lib.sh
mkdir "$T/d"

# bonnie ARG...: runs on $T/d with a file of 1 MiB and 200 seeks.
bonnie() {
	"$BONNIE" -d "$T/d" -s 1::200 "$@" >"$T/out" 2>"$T/err"
}

# Figures become N, runs of blanks and dashes shrink to one.
mask() {
	sed -e 's/[0-9][0-9]*\.*[0-9][0-9]*/N/g; s/[0-9]/N/g' -e 's/  */ /g' -e 's/--*/-/g' "$@"
}

bonnie -m host1 -z 7
is "a run: status 0" "$?" 0
is "a run: the classic table" "$(mask "$T/out")" " -Sequential Output- -Sequential Input- -Random-
 -Per Char- -Block- -Rewrite- -Per Char- -Block- -Seeks-
Machine MB K/sec %CPU K/sec %CPU K/sec %CPU K/sec %CPU K/sec %CPU /sec %CPU
hostN N N N N N N N N N N N N N"
is "a run: label, size and 12 cells" "$(tail -n 1 "$T/out" | awk '{ print $1, $2, NF }')" "host1 1 14"
is "a run: all lines are equally wide" "$(awk '{ print length }' "$T/out" | sort -u | wc -l | tr -d ' ')" 1
is "a run: progress on stderr" "$(grep -v '^bonnie: warning: ' "$T/err" | mask | sed "s|'.*/Bonnie|'Bonnie|")" \
	"File 'Bonnie.N', size: N
Seed: N
Writing with putc()...done: N K/sec N %CPU
Writing intelligently...done: N K/sec N %CPU
Rewriting...done: N K/sec N %CPU
Reading with getc()...done: N K/sec N %CPU
Reading intelligently...done: N K/sec N %CPU
Seeker N...Seeker N...Seeker N...start 'em...done...done...done: N /sec N %CPU"
is "a run: the seed is told" "$(grep '^Seed' "$T/err")" "Seed: 7"
ok "a run: nothing is left" empty "$T/d"
is "a run: no carriage return in a log" "$(tr -dc '\r' <"$T/err" | wc -c | tr -d ' ')" 0
ok "a run: under 4 KiB of progress" test "$(wc -c <"$T/err")" -lt 4096
like "a run: a file below twice the RAM is warned of" "$(cat "$T/err")" \
	"*bonnie: warning: the file (1 MiB) is smaller than twice the RAM (*"

bonnie
is "no label: the row begins with the size" "$(tail -n 1 "$T/out" | awk '{ print $1, NF }')" "1 13"

bonnie -f -m host1
is "-f: the two columns are +++++ and +++" \
	"$(tail -n 1 "$T/out" | awk '{ print $3, $4, $9, $10, NF }')" "+++++ +++ +++++ +++ 14"
is "-f: their phases did not run" "$(grep -c 'putc\|getc' "$T/err")" 0

bonnie -html -m 'a<b'
is "-html: one line" "$(wc -l <"$T/out" | tr -d ' ')" 1
is "-html: 14 cells" "$(grep -o '<TD>[^<]*</TD>' "$T/out" | wc -l | tr -d ' ')" 14
like "-html: the label is escaped" "$(cat "$T/out")" '<TR><TD>a&lt;b</TD><TD>1</TD><TD>*</TD></TR>'
bonnie -o html
like "-o html: the node name stands for a label" "$(cat "$T/out")" "<TR><TD>$(uname -n | cut -c1-24)</TD>*"

bonnie -x 3 -m host1 -f
is "-x 3: three rows" "$(grep -c '^host1 ' "$T/out")" 3
ok "-x 3: a header" grep -q '^Machine ' "$T/out"
bonnie -r 0
is "-r 0: no word about RAM" "$(grep -c RAM "$T/err")" 0
bonnie -r 1
like "-r 1: RAM as given" "$(cat "$T/err")" "*smaller than twice the RAM (1 MiB, as -r says)*"

bonnie -f -l -m host1
is "-l: four lines under the row" "$(mask "$T/out" | tail -n 5)" \
	"hostN N +++++ +++ N N N N +++++ +++ N N N N
Latency block output pN N us pN N us max N us
Latency rewrite pN N us pN N us max N us
Latency block input pN N us pN N us max N us
Latency seeks pN N us pN N us max N us"
is "-l: p50 <= p99 <= max" "$(awk '/^Latency/ && !($(NF-7) <= $(NF-4) && $(NF-4) <= $(NF-1))' "$T/out")" ""
bonnie -c
is "-c: status 0" "$?" 0
bonnie -f -D
is "-D: status 0" "$?" 0
if grep -q 'direct I/O is refused' "$T/err"; then
	is "-D refused: the result says so" "$(tail -n 1 "$T/out")" "Buffered: direct I/O was refused"
else
	is "-D: the result is the plain table" "$(tail -n 1 "$T/out" | awk '{ print NF }')" 13
fi

# Options glued or apart, in any order, the last one counts.
"$BONNIE" -fd"$T/d" -s1::50 -mfirst -m last -z1 >"$T/out" 2>"$T/err"
is "glued options" "$(tail -n 1 "$T/out" | awk '{ print $1, $2, $3 }')" "last 1 +++++"
"$BONNIE" -s 1:1m:50:1 -f -d "$T/d/" >"$T/out" 2>"$T/err"
is "one chunk, one seeker: status 0" "$?" 0
ok "one chunk, one seeker: one slash in the path" grep -q "$T/d/Bonnie" "$T/err"
"$BONNIE" -s 64k:512:300:256 -f -d "$T/d" >"$T/out" 2>"$T/err"
is "256 seekers, 128 places, chunks of 512 bytes: status 0" "$?" 0
is "a size below 1 MiB is shown in KiB" "$(tail -n 1 "$T/out" | awk '{ print $1 }')" 64k
ok "256 seekers: under 4 KiB of progress" test "$(wc -c <"$T/err")" -lt 4096

# What exists is somebody else's.  The PID is known beforehand through exec.
(
	cd "$T/d" || exit 1
	sh -c 'for f in "Bonnie.$$" "Bonnie.$$.1"; do echo mine >"$f"; done
		ln -s nowhere "Bonnie.$$.2"; mkfifo "Bonnie.$$.3"; mkdir "Bonnie.$$.4"
		exec "$BONNIE" -f -s 1::10' >"$T/out" 2>"$T/err"
)
is "five names taken: status 0" "$?" 0
like "five names taken: the next suffix" "$(cat "$T/err")" "*File './Bonnie.*.5', size: 1048576*"
is "five names taken: all are as they were" "$(cd "$T/d" && find . -type f -exec cat {} + | sort | uniq -c |
	awk '{ print $1, $2 }'; find . -type l -o -type p -o -type d | wc -l | tr -d ' ')" "2 mine
4"
rm -rf "$T/d" && mkdir "$T/d"

# stdout that cannot be written.
if [ -c /dev/full ]; then
	"$BONNIE" -d "$T/d" -f -s 1::10 >/dev/full 2>"$T/err"
	is "/dev/full: status 1" "$?" 1
	like "/dev/full: said, and the row is on stderr" "$(cat "$T/err")" \
		"*bonnie: cannot write the result to standard output, so here it is: *
*Machine *"
	"$BONNIE" -h >/dev/full 2>&1
	is "-h into /dev/full: status 1" "$?" 1
else
	skip "/dev/full" "there is none"
fi
"$BONNIE" -d "$T/d" -f -s 1::10 >"$T/out" 2>&-
is "stderr closed: status 0" "$?" 0
is "stderr closed: the result is whole" "$(tail -n 1 "$T/out" | awk '{ print NF }')" 13
(umask 0777 && "$BONNIE" -d "$T/d" -f -s 1::10 >"$T/out" 2>"$T/err")
is "umask 0777: status 0" "$?" 0
ok "nothing is left" empty "$T/d"
finish
