# -n: the tree of small files, its phases and its table, and that it is gone in the end, whatever ends
# the run.
. tests/lib.sh
. tests/step.sh
mkdir "$T/d"
phases='seq_create seq_read seq_delete ran_create ran_read ran_delete'

# create ARG...: a run of the create phases alone.
create() {
	"$BONNIE" -d "$T/d" -s 0 "$@" >"$T/out" 2>"$T/err" </dev/null
}

# list TYPE: ls -lni of all below the tree of this type, a line each.
list() {
	find "$T"/d/Bonnie.*.d -type "$1" -exec ls -lnid {} + >"$T/list"
}

lines() {
	wc -l <"$1" | tr -d ' '
}

# numbers FIRST: whether the names in $T/list have each number from 0 to 1023 once, at the begin of
# the name (FIRST 1) or at its end (FIRST 0); prints what is wrong.
numbers() {
	awk -v first="$1" '
		{
			name = $0
			sub(/ -> .*/, "", name)
			sub(/.*\//, "", name)
			if (name !~ /^[0-9A-Za-z]+$/ || length(name) < 7 || length(name) > 19)
				print "odd name: " name
			number = first ? substr(name, 1, 7) : substr(name, length(name) - 6)
			if (number !~ /^[0-9]+$/ || number + 0 > 1023 || number in seen)
				print "odd number: " name
			seen[number]
			rest += length(name) - 7
		}
		END {
			if (NR != 1024)
				print NR " files"
			if (rest < 4 * NR || rest > 8 * NR)
				print "the rest of the names has " rest / NR " characters on average"
		}' "$T/list"
}

# --- The tree while it is there: 1 to 3 KB in 4 directories.
start -d "$T/d" -s 0 -n 1:3000:1000:4 -c
ready seq_create
list d
is "before seq_create: the root and 4 directories" "$(lines "$T/list")" 5
is "before seq_create: no file" "$(find "$T/d" -type f | wc -l | tr -d ' ')" 0
like "the tree is called Bonnie.PID.d" "$(ls "$T/d")" "Bonnie.$pid.d"
go
ready seq_read
list d
is "directories: mode 0700" "$(awk '{ print substr($2, 1, 10) }' "$T/list" | sort -u)" drwx------
list f
is "files: mode 0600, one link" "$(awk '{ print substr($2, 1, 10), $3 }' "$T/list" | sort -u)" "-rw------- 1"
is "sequential names begin with the numbers 0 to 1023" "$(numbers 1)" ""
is "sizes lie between 1000 and 3000" "$(awk '$6 < 1000 || $6 > 3000 { print $6 }' "$T/list")" ""
# shellcheck disable=SC2016
ok "sizes are spread over that range" awk '{ sum += $6; if ($6 < 1100) low++; if ($6 > 2900) high++ }
	END { exit !(low > 10 && high > 10 && sum / NR > 1900 && sum / NR < 2100) }' "$T/list"
is "256 files in each of 4 directories" \
	"$(sed 's|.*\.d/\(.*\)/.*|\1|' "$T/list" | sort | uniq -c | awk '{ print $1 }' | tr '\n' ' ')" \
	"256 256 256 256 "
cp "$T/list" "$T/before"
go
ready seq_delete
list f
is "seq_read changes nothing" "$(cat "$T/list")" "$(cat "$T/before")"
go
ready ran_create
is "seq_delete: no file is left" "$(find "$T/d" -type f | wc -l | tr -d ' ')" 0
go
ready ran_read
list f
is "random names end with the numbers 0 to 1023" "$(numbers 0)" ""
ok "random names begin in many ways" test "$(sed 's|.*/||; s/^\(...\).*/\1/' "$T/list" | sort -u |
	wc -l)" -gt 300
is "random: 256 files in each of 4 directories" \
	"$(sed 's|.*\.d/\(.*\)/.*|\1|' "$T/list" | sort | uniq -c | awk '{ print $1 }' | tr '\n' ' ')" \
	"256 256 256 256 "
# Damage in one file is found: with -c a single byte.
victim=$(awk 'NR == 100 { print $NF }' "$T/list")
dd if=/dev/zero of="$victim" bs=1 count=1 seek=700 conv=notrunc 2>/dev/null
go
walk
ended
is "a byte that has changed: status 1" "$status" 1
like "a byte that has changed: the file is named" "$(tail -n 1 "$T/err")" \
	"bonnie: read $victim: the data are not those that were written"
is "a byte that has changed: no result" "$(cat "$T/out")" ""
ok "a byte that has changed: nothing is left" empty "$T/d"

# --- Files of no size, and links.
start -d "$T/d" -s 0 -n 1
ready seq_create
go
ready seq_read
list f
is "-n 1: 1024 files of no size in the root of the tree" \
	"$(awk '{ print $3, $6 }' "$T/list" | sort | uniq -c | awk '{ print $1, $2, $3 }') $(find "$T/d" -type d |
	wc -l | tr -d ' ')" "1024 1 0 2"
go
walk
ended
is "-n 1: status 0" "$status" 0
is "-n 1: the phases and their order" "$(sed -n 's/^ready //p' "$T/err" | tr '\n' ' ')" "$phases "
start -d "$T/d" -s 0 -n 1:-1:0:2
ready seq_create
go
ready seq_read
list f
is "-n 1:-1: hard links to one file" "$(awk '{ print $1 }' "$T/list" | sort -u | wc -l | tr -d ' ') $(
	awk '{ print $3 }' "$T/list" | sort -u)" "1 1024"
is "-n 1:-1: names begin with the numbers" "$(numbers 1)" ""
go
ready ran_create
go
ready ran_read
list f
is "-n 1:-1 random: hard links to one file" "$(awk '{ print $1 }' "$T/list" | sort -u | wc -l | tr -d ' ') $(
	awk '{ print $3 }' "$T/list" | sort -u)" "1 1024"
is "-n 1:-1 random: names end with the numbers" "$(numbers 0)" ""
go
walk
ended
is "-n 1:-1: status 0" "$status" 0
start -d "$T/d" -s 0 -n 1:-2:0:2
ready seq_create
go
ready seq_read
list l
is "-n 1:-2: symbolic links" "$(lines "$T/list") $(find "$T/d" -type f | wc -l | tr -d ' ')" "1024 0"
is "-n 1:-2: names begin with the numbers" "$(numbers 1)" ""
go
walk
ended
is "-n 1:-2: status 0" "$status" 0
ok "links: nothing is left" empty "$T/d"

# --- The table.  $head is that of bonnie++ 1.03.
rules='                    ------Sequential Create------ --------Random Create--------
                    -Create-- --Read--- -Delete-- -Create-- --Read--- -Delete--'
words='/sec %CP /sec %CP /sec %CP /sec %CP /sec %CP /sec %CP'
# Columns grow with the rates of the day, so dashes and blanks count once here; tests/unit.c has the
# exact bytes.
narrow() {
	sed -e 's/  */ /g' -e 's/--*/-/g'
}
rules=$(echo "$rules" | narrow)
create -n 4:0:0:3
is "-n 4:0:0:3: status 0" "$?" 0
ok "-n 4:0:0:3: nothing is left" empty "$T/d"
is "-n 4:0:0:3: aligned" "$(awk 'NR != 3 { print length }' "$T/out" | sort -u | wc -l | tr -d ' ')" 1
is "-n 4:0:0:3: only the second table, with its header" "$(sed '$d' "$T/out" | narrow)" "$rules
files:max:min $words"
like "-n 4:0:0:3: the first cell" "$(tail -n 1 "$T/out")" '            4:0:0/3 *'
is "-n 4:0:0:3: 12 whole numbers follow" "$(tail -n 1 "$T/out" |
	awk '{ $1 = ""; print NF, ($0 ~ /^( [0-9]+| \+\+\++)*$/) }')" "13 1"
is "-n 4:0:0:3: a progress line for each phase" "$(sed 's/[0-9][0-9.]*/N/g' "$T/err")" "Seed: N
$(for order in sequential random; do for what in Create Read Delete; do
	echo "$what files in $order order...done: N /sec N %CPU"; done; done)"
create -n 1 -b
is "-n 1: its header" "$(sed '$d' "$T/out" | narrow)" "$rules
 files $words"
like "-n 1: the first cell" "$(tail -n 1 "$T/out")" '                  1 *'
for form in 1:10:10:1=1:10:10 1:2k:1k:2=1:2048:1024/2 1:5=1:5 1:-1=1:link 1:-2:0:2=1:symlink:0/2 1:1:=1:1 1::=1; do
	create -n "${form%=*}" -q
	is "-n ${form%=*}: status 0" "$?" 0
	is "-n ${form%=*}: told as ${form#*=}" "$(tail -n 1 "$T/err" | awk '{ print $1 }')" "${form#*=}"
done
create -n 4:4000:4000:2 -b
is "the cells stand where they stood in 1.03" "$(tail -n 1 "$T/out")" "$(tail -n 1 "$T/out" | awk '{
	printf "%19s", $1; for (i = 2; i < 14; i += 2) printf " %5s %3s", $i, $(i + 1); print "" }')"
"$BONNIE" -d "$T/d" -s 1::50 -f -n 1 -m host1 >"$T/out" 2>"$T/err"
is "-s 1 -n 1: both tables" "$(awk '{ print $1 }' "$T/out" | sed 's/---*/-/g' | tr '\n' ' ')" \
	"-Sequential -Per Machine host1 -Sequential -Create- files 1 "
"$BONNIE" -d "$T/d" -s 1::50 -f -n 1 -m host1 -x 2 >"$T/out" 2>"$T/err"
is "-x 2: each run has both" "$(grep -c '^host1' "$T/out") $(grep -c '^  *1  *[0-9]' "$T/out")" "2 2"
create -n 0
is "-s 0 -n 0: status 2" "$?" 2

# --- What the system sees: which calls, in which order.
if need strace "calls"; then
	# Whether the numbers of the names come in order; \1 is a name.
	calls() {
		strace -s 200 -e trace="$1" -o "$T/trace" "$BONNIE" -d "$T/d" -s 0 -n 1:1 -z 1 >/dev/null 2>&1
		awk -F '"' '/Bonnie\.[0-9]*\.d/ || $2 !~ /^[0-9a-zA-Z]*[0-9]{0}[0-9a-zA-Z]*$/ || length($2) < 7 { next }
			{ print $2 }' "$T/trace"
	}
	calls unlinkat >"$T/names"
	sed -n 1,1024p "$T/names" | cut -c1-7 >"$T/seq"
	sed -n '1025,$p' "$T/names" | sed 's/.*\(.......\)$/\1/' >"$T/ran"
	sort "$T/seq" >"$T/sorted"
	is "sequential delete: 1024 files" "$(lines "$T/seq")" 1024
	is "sequential delete in the order of the numbers" "$(cat "$T/seq")" "$(cat "$T/sorted")"
	is "random delete: each number once" "$(lines "$T/ran") $(sort -u "$T/ran" | wc -l | tr -d ' ')" "1024 1024"
	# shellcheck disable=SC2016
	ok "random delete: not in the order of numbers, nor of names" awk '
		$1 + 0 > last { up++ }
		{ last = $1 + 0 }
		END { exit !(up > 400 && up < 624) }' "$T/ran"
	calls openat >"$T/names"
	is "random create in the order of the numbers" "$(sed -n 2049,3072p "$T/names" | sed 's/.*\(.......\)$/\1/' |
		awk '$1 + 0 != NR - 1' | wc -l | tr -d ' ')" 0
	sed -n '3073,$p' "$T/names" | sed 's/.*\(.......\)$/\1/' >"$T/ran"
	# shellcheck disable=SC2016
	ok "random read: in random order" awk '
		$1 + 0 > last { up++ }
		{ last = $1 + 0 }
		END { exit !(NR == 1024 && up > 400 && up < 624) }' "$T/ran"
	strace -f -e trace=fsync -o "$T/trace" "$BONNIE" -d "$T/d" -s 0 -n 1:1:1:2 >/dev/null 2>&1
	is "fsync of each directory at the end of the four phases that change it" "$(grep -c '= 0$' "$T/trace")" 8
	strace -f -e trace=syncfs -o "$T/trace" "$BONNIE" -d "$T/d" -s 0 -n 1:1:1:2 >/dev/null 2>&1
	is "the data of the files are written out at the end of these phases too" \
		"$(grep -c '= 0$' "$T/trace")" 4
	strace -f -e trace=fsync -o "$T/trace" "$BONNIE" -d "$T/d" -s 0 -n 1:1:1:2 -b >/dev/null 2>&1
	is "-b: fsync of file and directory after each create, of the directory after each delete" \
		"$(grep -c '= 0$' "$T/trace")" "$((2 * 3 * 1024 + 8))"
	# ext4 gives an inode 65000 links and no more.
	strace -qq -e inject=linkat:error=EMLINK:when=500 -e trace=linkat,openat -o "$T/trace" \
		"$BONNIE" -d "$T/d" -s 0 -n 1:-1 >"$T/out" 2>"$T/err"
	is "EMLINK: status 0" "$?" 0
	is "EMLINK: the rest are links to the file that was made instead" "$(grep -c 'O_CREAT' "$T/trace") $(
		awk '/^linkat/ { print $2 }' "$T/trace" | uniq -c | awk '{ print $1 }' | tr '\n' ' ')" \
		"3 500 523 1023 "
	# A signal in the middle of each phase.
	while read -r phase call when; do
		strace -qq -e "inject=$call:signal=TERM:when=$when" -o "$T/trace" -e "trace=$call" \
			"$BONNIE" -d "$T/d" -s 0 -n 1:1 >"$T/out" 2>"$T/err"
		is "TERM in the middle of $phase: dies of it, silently, nothing is left" \
			"$? $(grep -c '^bonnie:' "$T/err") $(wc -c <"$T/out" | tr -d ' ') $(ls "$T/d")" "143 0 0 "
	done <<-EOT
		seq_create openat 500
		seq_read openat 1500
		seq_delete unlinkat 500
		ran_create openat 2500
		ran_read openat 3500
		ran_delete unlinkat 1500
	EOT
fi

# --- Signals while it waits, and right when it starts.
if build_plain; then
	RUN=$T/plain
	for phase in $phases; do
		for sig in INT=130 TERM=143; do
			start -d "$T/d" -s 0 -n 1:0:0:3
			ready "$phase"
			[ "$sig" = INT=130 ] || go
			kill -s "${sig%=*}" "$pid"
			ended
			is "${sig%=*} at the start of $phase: status ${sig#*=}, no word, nothing is left" \
				"$status $(grep -c '^bonnie:' "$T/err") $(ls "$T/d")" "${sig#*=} 0 "
		done
	done
	RUN=
else
	skip "signals" "$CC makes no program"
fi
start -d "$T/d" -s 0 -n 1
ready seq_create
go
ready seq_read
ended
is "stdin ends: status 1" "$status" 1
like "stdin ends: said" "$(tail -n 1 "$T/err")" "bonnie: wait for the start: standard input has ended"
ok "stdin ends: nothing is left" empty "$T/d"

# --- What a killed run leaves is named by the next one, and not touched.
start -d "$T/d" -s 0 -n 1
ready seq_create
go
ready seq_read
left=$(ls "$T/d")
mkdir "$T/d/Bonnie.$$.d" "$T/d/Bonnie.x.d" "$T/d/Bonnie.1x.d"
kill -9 "$pid"
ended
create -n 1
is "after kill -9: the next run: status 0" "$?" 0
is "after kill -9: the next run names the leftover, and no other" \
	"$(sed -n 's/^bonnie: warning: //p' "$T/err" | sed 's/ was left.*//')" "$T/d/$left"
is "after kill -9: the leftover is as it was" "$(find "$T/d/$left" -type f | wc -l | tr -d ' ')" 1024
rm -rf "$T/d" && mkdir "$T/d"

# --- A name that is taken.  The PID is known beforehand through exec.
(
	cd "$T/d" || exit 1
	sh -c 'mkdir "Bonnie.$$.d" && echo mine >"Bonnie.$$.d/0000000" && ln -s Bonnie.$$.d "Bonnie.$$.1.d" &&
		exec "$BONNIE" -s 0 -n 1' >"$T/out" 2>"$T/err"
)
is "a tree of this name is there: status 0" "$?" 0
is "a tree of this name is there: it is as it was" "$(cat "$T"/d/Bonnie.*[0-9].d/0000000 | sort -u)
$(find "$T/d" | wc -l | tr -d ' ')" "mine
4"
rm -rf "$T/d" && mkdir "$T/d"

# --- No room, no inodes, no descriptors.
fails() {
	is "$1: status 1" "$status" 1
	like "$1: says why" "$(tail -n 1 "$T/err")" "$2"
	is "$1: no result" "$(cat "$T/out")" ""
	ok "$1: nothing is left" empty "$3"
}
for limit in 4 5; do
	# 0, 1, 2, the scratch directory, the directory of the tree, the file.
	# shellcheck disable=SC3045 # every sh has it
	(ulimit -n "$limit" && exec "$BONNIE" -d "$T/d" -s 0 -n 1:0:0:4) >"$T/out" 2>"$T/err"
	status=$?
	fails "$limit descriptors" "bonnie: *: Too many open files" "$T/d"
done
mkdir "$T/m"
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=2m none "$T/m" 2>/dev/null; then
	"$BONNIE" -d "$T/m" -s 0 -n 4:10240:1024:8 >"$T/out" 2>"$T/err"
	status=$?
	fails "2 MiB of room" "bonnie: write $T/m/Bonnie.*.d/0000[0-7]/0[0-9a-zA-Z]*: No space left on device" "$T/m"
	umount "$T/m"
	mount -t tmpfs -o nr_inodes=1500 none "$T/m"
	"$BONNIE" -d "$T/m" -s 0 -n 2 >"$T/out" 2>"$T/err"
	status=$?
	fails "too few inodes" "bonnie: $T/m has room for 149? more files*-n wants 20*" "$T/m"
	start -d "$T/m" -s 0 -n 1
	ready seq_create
	# Somebody else takes them: 1500 less the two roots, and 600 for us.
	(cd "$T/m" && awk 'BEGIN { for (i = 0; i < 898; i++) print "f" i }' | xargs touch)
	go
	ended
	rm -f "$T"/m/f*
	fails "the inodes run out half way" "bonnie: create $T/m/Bonnie.*.d/00006*: No space left on device" "$T/m"
	umount "$T/m"
	mount -t tmpfs -o nr_inodes=1025 none "$T/m"
	"$BONNIE" -d "$T/m" -s 0 -n 1 >"$T/out" 2>"$T/err"
	status=$?
	fails "room for the files and not for the tree" "bonnie: $T/m has room for 1024 more files*" "$T/m"
	umount "$T/m"
	# Hard links share an inode (not on tmpfs).
	dd if=/dev/zero of="$T/image" bs=1024 count=0 seek=8192 2>/dev/null
	if mkfs.ext4 -q -N 512 "$T/image" 2>/dev/null && mount -o loop "$T/image" "$T/m" 2>/dev/null; then
		rmdir "$T/m/lost+found"
		"$BONNIE" -d "$T/m" -s 0 -n 2:-1 >"$T/out" 2>"$T/err"
		is "2048 hard links on ext4 with 512 inodes: status 0" "$?" 0
		ok "2048 hard links: nothing is left" empty "$T/m"
		umount "$T/m"
	else
		skip "many hard links" "ext4 cannot be made or mounted"
	fi
else
	skip "a file system without room" "only root can mount one"
fi
# A directory that is given with a slash behind it has one slash in messages.
mkdir "$T/d/Bonnie.99999999.d"
"$BONNIE" -d "$T/d/" -s 0 -n 1 >"$T/out" 2>"$T/err"
like "-d dir/: one slash in the path" "$(cat "$T/err")" "bonnie: warning: $T/d/Bonnie.99999999.d was left *"
rmdir "$T/d/Bonnie.99999999.d"
finish
