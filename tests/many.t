# scripts/bonnie-many: several copies in step, the table and its sums, and what happens when one fails.
. tests/lib.sh
. tests/step.sh
many=scripts/bonnie-many
mkdir "$T/a" "$T/b b" "$T/it's" "$T/c:d" "$T/tmp" "$T/bin"
TMPDIR=$T/tmp			# of the program: nothing is left there
export TMPDIR
PATH=$T/bin:$PATH

# A remote shell that drops the host and writes down that it was asked.
cat >"$T/bin/rsh-here" <<-EOT
	#!/bin/sh
	[ "\$1" = -p ] && shift 2
	echo "\$1" >>"$T/hosts"
	shift
	exec sh -c "\$*"
EOT
# A copy that writes down, in one common file, when a phase of it starts and ends.
cat >"$T/bin/logged" <<-EOT
	#!/bin/sh
	for last; do :; done
	note() {
		echo "\$1 \$last" >>"$T/steps"
	}
	mkfifo "$T/tmp/f.\$\$"
	exec 4<&0
	"$BONNIE" "\$@" <&4 2>"$T/tmp/f.\$\$" &
	exec 3<"$T/tmp/f.\$\$"
	rm "$T/tmp/f.\$\$"
	while IFS= read -r line <&3; do
		note "\$line"
		printf '%s\n' "\$line" >&2
	done
	wait "\$!"
EOT
chmod +x "$T/bin/rsh-here" "$T/bin/logged"

left() {
	for dir in "$T/tmp" "$T/a" "$T/b b" "$T/it's" "$T/c:d"; do
		empty "$dir" || ls -A "$dir"
	done
	# Whoever works for us has our directory among its words.
	# shellcheck disable=SC2009 # the words are wanted
	ps -A -o args 2>/dev/null | grep -F "$T/" | grep -v 'grep -F' | grep -v "tests/\|plain.*many"
}

run() {
	"$many" -b "$BONNIE" "$@" >"$T/out" 2>"$T/err" </dev/null
	status=$?
}

# The rows: all that is behind the header, without figures.
rows() {
	awk '/%CPU/ { on = 1; next } on { print NF }' "$T/out"
}

# sums: what is wrong with the row of sums; every table by itself.
sums() {
	awk '
		/^ *-/ { n = split("", cell); rows = 0; next }
		/^Machine/ { next }
		{
			plus = $0 ~ /^sum /
			for (i = NF - 11; i <= NF; i++) {
				c = i - NF + 12
				if (plus) {
					if (skip[c] ? $i !~ /^\++$/ : $i - sum[c] > 0.01 || sum[c] - $i > 0.01)
						print "column " c ": " $i " is not " sum[c]
					sum[c] = skip[c] = 0
				} else if ($i ~ /\+/)
					skip[c] = 1
				else
					sum[c] += $i
			}
			if (plus)
				found++
		}
		END { print found + 0 " sums" }' "$T/out"
}

# --- Local directories.
run "$T/a" "$T/b b" "$T/it's" "$T/c:d" -- -s 1::200
is "four directories: status 0" "$status" 0
is "four directories: their rows and the sum" "$(sed '1,3d' "$T/out" | sed 's/  .*//')" "$T/a
$T/b b
$T/it's
$T/c:d
sum"
is "four directories: the header" "$(sed -n '1,3p' "$T/out" | sed 's/--*/-/g; s/  */ /g')" \
	" -Sequential Output- -Sequential Input- -Random-
 -Per Char- -Block- -Rewrite- -Per Char- -Block- -Seeks-
Machine MB K/sec %CPU K/sec %CPU K/sec %CPU K/sec %CPU K/sec %CPU /sec %CPU"
is "four directories: the sums are right" "$(sums)" "1 sums"
is "four directories: all lines are equally wide" "$(awk '{ print length($0) }' "$T/out" | sort -u | wc -l |
	tr -d ' ')" 1
is "four directories: MB is the sum too" "$(awk '$1 == "sum" { print $2 }' "$T/out")" 4
is "four directories: the phases on stderr" "$(grep -v ' warning: ' "$T/err" | tr '\n' ' ')" \
	"putc block rewrite getc read seeks "
is "nothing is left" "$(left)" ""
(cd "$T" && "$OLDPWD/$many" -b "$BONNIE" ./c:d -- -s 512k::50 -f -n 1) >"$T/out" 2>"$T/err" </dev/null
is "./c:d is a directory; -n: two tables" \
	"$(awk '!/^ *-/ { print $1, $2, $3, $4 }' "$T/out" | sed 's/ [0-9+][0-9+]* [0-9+]*$/ N N/')" \
	"Machine MB K/sec %CPU
./c:d 512k N N
sum 512k N N
Machine files /sec %CP
./c:d 1 N N
sum 1 N N"
is "-f: skipped columns in the row and in the sum" "$(awk 'NR == 4 || NR == 5 { print $3, $4, $9, $10 }' "$T/out")" \
	"+++++ +++ +++++ +++
+++++ +++ +++++ +++"
run "$T/a" "$T/a" -- -s 1::50 -f -n 1 -x 2 -l
is "twice the same directory, -n, -x 2, -l: four tables, the sums are right" "$(sums)" "4 sums"

# --- In step: no copy starts a phase before all have ended the one before.
"$many" -b logged "$T/a" "$T/b b" "$T/it's" -- -s 2::300 -n 1 >"$T/out" 2>"$T/err" </dev/null
is "in step: status 0" "$?" 0
is "in step: 12 phases of three copies" "$(grep -c '^ready ' "$T/steps") $(grep -c 'done: ' "$T/steps")" "36 36"
# No copy has the figures of its n-th phase before all were ready for theirs.
is "in step: no phase starts before all have ended the one before" "$(awk '
	{ copy = $0; sub(/.*\//, "", copy) }
	/^ready / { ready[++begins[copy]]++ }
	/done: / && ready[++ends[copy]] != 3 { print NR ": " $0 }' "$T/steps")" ""
# Two copies, one of which is held before it says ready: the other may not go on.
cat >"$T/bin/held" <<-EOT
	#!/bin/sh
	for last; do :; done
	case \$last in
	*/a) read -r word <"$T/tmp/gate" ;;
	esac
	exec "$BONNIE" "\$@"
EOT
chmod +x "$T/bin/held"
mkfifo "$T/tmp/gate" "$T/tmp/both"
"$many" -b held "$T/a" "$T/b b" -- -s 1::50 -f >"$T/out" 2>"$T/tmp/both" </dev/null &
exec 3<"$T/tmp/both"
# The other one has come to its warnings, and waits.
while IFS= read -r line <&3; do
	echo "$line" >>"$T/held"
	case $line in
	*'smaller than twice'*) break ;;
	esac
done
is "one is held: nobody has started" "$(grep -c '^block' "$T/held")" 0
echo >"$T/tmp/gate"
cat <&3 >>"$T/held"
exec 3<&-
wait "$!"
is "one is let go: status 0" "$?" 0
is "one is let go: all phases ran" "$(grep -v bonnie "$T/held" | tr '\n' ' ')" "block rewrite read seeks "
rm "$T/tmp/gate" "$T/tmp/both"

# --- Hosts.
run -e 'rsh-here -p 22' "n1:$T/b b" "u@n2:$T/it's" "[::1]:$T/c:d" "$T/a" -- -s 1::50 -f -m "o'x"
is "hosts: status 0" "$status" 0
is "hosts: who was asked" "$(sort "$T/hosts" | tr '\n' ' ')" "::1 n1 u@n2 "
is "hosts: their rows and the sum" "$(sed '1,3d' "$T/out" | sed 's/  .*//')" "n1:$T/b b
u@n2:$T/it's
[::1]:$T/c:d
$T/a
sum"
is "hosts: the sums are right" "$(sums)" "1 sums"
odd="$T/\$(touch hacked) \`touch hacked\` \"*\" \\ ; & |"
mkdir "$odd"
run -e rsh-here "n1:$odd" "$odd" -- -s 1::50 -f
is "a directory full of shell: status 0" "$status" 0
is "a directory full of shell: nothing of it was run" "$(find "$T" . -name hacked 2>/dev/null)" ""
run -e rsh-here "n1:$T/a" "n1:$T/none" -- -s 1::50
is "no such directory on a host: status 1" "$status" 1
is "no such directory on a host: said" "$(grep -v ' warning: ' "$T/err")" \
	"bonnie-many: n1:$T/none: status 1: bonnie: $T/none: No such file or directory; the others are ended"
run -e "$T/no-such-shell" "n1:$T/a" "$T/b b" -- -s 1::50
is "no such remote shell: status 1" "$status" 1
like "no such remote shell: said" "$(grep -v ' warning: ' "$T/err")" "bonnie-many: n1:$T/a: status 127: *no-such-shell*"
is "no such remote shell: no result" "$(cat "$T/out")" ""
is "nothing is left" "$(left)" ""
if [ "$(id -u)" = 0 ] && command -v ip >/dev/null && ip netns add "bonnie$$" 2>/dev/null; then
	# shellcheck disable=SC2016
	printf '#!/bin/sh\nhost=$1\nshift\nexec ip netns exec "$host" sh -c "$*"\n' >"$T/bin/netrsh"
	chmod +x "$T/bin/netrsh"
	ip netns add "bonnie$$-2"
	run -e netrsh "bonnie$$:$T/a" "bonnie$$-2:$T/b b" "$T/it's" -- -s 1::50 -f
	ip netns del "bonnie$$"
	ip netns del "bonnie$$-2"
	is "hosts in network namespaces: status 0" "$status" 0
	is "hosts in network namespaces: three rows and the sum" "$(rows | wc -l | tr -d ' ') $(sums)" "4 1 sums"
else
	skip "hosts in network namespaces" "they cannot be made here"
fi

# --- One copy is killed in mid-phase: it kills itself when it has begun to write.
cat >"$T/bin/suicide" <<-EOT
	#!/bin/sh
	for last; do :; done
	case \$last in
	*/a) ;;
	*) exec "$BONNIE" "\$@" ;;
	esac
	mkfifo "$T/tmp/f.\$\$"
	exec 4<&0
	"$BONNIE" "\$@" <&4 2>"$T/tmp/f.\$\$" &
	exec 3<"$T/tmp/f.\$\$"
	rm "$T/tmp/f.\$\$"
	while IFS= read -r line <&3; do
		printf '%s\n' "\$line" >&2
		case \$line in
		'ready rewrite') kill -9 \$! ;;
		esac
	done
	wait "\$!" 2>/dev/null
EOT
chmod +x "$T/bin/suicide"
for shell in here there; do
	host=
	[ "$shell" = here ] || host=n1:
	"$many" -e rsh-here -b suicide "$host$T/b b" "$host$T/a" "$T/it's" -- -s 4 -f >"$T/out" 2>"$T/err" </dev/null
	is "one is killed $shell: status 1" "$?" 1
	like "one is killed $shell: which, how, its last words" "$(grep -v ' warning: \|^block$\|^rewrite$' "$T/err")" \
		"bonnie-many: $host$T/a: killed by SIGKILL, last words: Writing intelligently...done: *ended"
	is "one is killed $shell: no result" "$(cat "$T/out")" ""
	is "one is killed $shell: nothing is left" "$(left)" ""
done

# --- Interrupted: in the first phase of a file that would take long.
if build_plain; then
	for sig in INT=130 TERM=143 HUP=129; do
		mkfifo "$T/both"
		"$T/plain" "$many" -e rsh-here -b "$BONNIE" "n1:$T/a" "$T/b b" "n2:$T/it's" -- -s 1::1000000000 -f \
			>"$T/out" 2>"$T/both" </dev/null &
		exec 3<"$T/both"
		rm "$T/both"
		# The seeks would not end.
		while IFS= read -r line <&3; do
			[ "$line" != seeks ] || break
		done
		kill -s "${sig%=*}" "$!"
		cat <&3 >"$T/err"
		exec 3<&-
		wait "$!"
		is "${sig%=*} in mid-phase: dies of it, no result, no word" "$? $(cat "$T/out" "$T/err")" "${sig#*=} "
		is "${sig%=*} in mid-phase: nothing is left" "$(left)" ""
	done
else
	skip "interrupted" "$CC makes no program"
fi

# --- Usage.
refuse() {
	want=$1
	shift
	"$many" "$@" >"$T/out" 2>"$T/err" </dev/null
	is "bonnie-many $*: status 2" "$?" 2
	like "bonnie-many $*: says why, in one line" "$(cat "$T/err")" "bonnie-many: $want (see bonnie-many -h)"
}
refuse "no directory is given"
refuse "no directory is given" -- -s 1
refuse "-b: its argument is missing" -b
refuse "-Q: no such option; *" -Q "$T/a"
refuse "-e: the name of the remote shell is empty" -e ' ' h:/a
refuse "':/a': the host is missing; a directory is ./:/a" :/a
refuse "'h:': the directory is missing" h:
refuse "'': the directory is missing" ''
refuse "'-oProxyCommand=x:/a': a host does not begin with -" "$T/a" -oProxyCommand=x:/a
run "$T/a" -- -s 0
is "options that bonnie refuses: status 2" "$status" 2
like "options that bonnie refuses: its line" "$(cat "$T/err")" "bonnie-many: $T/a: status 2: bonnie: -s: with size 0 *"
"$many" -h >"$T/out"
is "-h: status 0" "$?" 0
is "-h: at most 100 columns" "$(expand "$T/out" | awk 'length($0) > 100')" ""
for letter in b e h; do
	ok "-h knows -$letter" grep -q -- "	-$letter" "$T/out"
	ok "the manual page knows -$letter" grep -q "^\\.It Fl $letter" scripts/bonnie-many.1
done
is "nothing is left" "$(left)" ""
finish
