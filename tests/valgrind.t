# The unit tests, a run and some faults under valgrind: no error, no leak.
. tests/fault.sh
ok "the helpers compile" prepare
[ "$bad" = 0 ] || finish
if ! need valgrind "valgrind"; then
	finish
fi
ok "tests/unit.c compiles" "$CC" -g -O1 -o "$T/unit" tests/unit.c
ok "bonnie.c compiles" "$CC" -g -O1 -o "$T/bonnie" bonnie.c
BONNIE=$T/bonnie
LIMIT=60
# Each process writes a log of its own; status 99 when there is an error or a leak.
grind='valgrind -q --error-exitcode=99 --leak-check=full --trace-children=no
	--show-leak-kinds=definite,indirect,possible
	--errors-for-leak-kinds=definite,indirect,possible'

# shellcheck disable=SC2086 # a list of words
$grind --log-file="$T/log.%p" "$T/unit" >"$T/lines" 2>&1
is "the unit tests: status" "$?" 0
is "the unit tests: no complaint" "$(cat "$T"/log.*)" ""
rm -f "$T"/log.*

# clean TEXT STATUS ARG...: ends with this status and without a complaint, its seekers too.
clean() {
	text=$1 want=$2
	shift 2
	under="$grind --log-file=$T/log.%p"
	go "$@"
	is "$text: status" "$status $left" "$want 0"
	is "$text: no complaint" "$(cat "$T"/log.*)" ""
	rm -f "$T"/log.*
	under=''
}
clean "a run" 0 -- -s 256k::60 -r 0
clean "two runs, 5 seekers, html" 0 -- -f -s 64k:512:200:5 -x 2 -html -m 'a<b'
clean "usage" 2 -- -s
clean "no room" 1 -- -s 1000t
clean "INT" 130 -w "$T/err" start -a c:INT -- -f -s 256k::1000000000
clean "a seeker killed" 1 -w "$T/err" start -a 1:KILL -- -f -s 256k::1000000000
# Under valgrind the preloaded library comes first, as always.
for rules in write:20:EIO pread:5:EIO fork:2:EAGAIN; do
	clean "$rules" 1 -- -f -s 256k::60 -r 0
done
finish
