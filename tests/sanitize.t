# The address and undefined-behaviour sanitizers over the unit tests, a run, and some faults.
. tests/fault.sh
. tests/table.sh
inject_flags=-DNO_MALLOC
ok "the helpers compile" prepare
[ "$bad" = 0 ] || finish
deep='' refuse=''
flags='-g -O1 -fsanitize=address,undefined -fno-sanitize-recover=all'
# shellcheck disable=SC2086 # a list of words
if ! "$CC" $flags -o "$T/bonnie" bonnie.c >"$T/cc" 2>&1 || ! "$T/bonnie" -V >"$T/cc" 2>&1; then
	skip "sanitizers" "$CC has none: $(head -n 1 "$T/cc")"
	finish
fi
# shellcheck disable=SC2086
ok "tests/unit.c compiles" "$CC" $flags -o "$T/unit" tests/unit.c
"$T/unit" >"$T/lines" 2>&1
is "the unit tests: status" "$?" 0
is "the unit tests: no complaint" "$(grep -v '^ok \|^not ok \|^#' "$T/lines")" ""

# A complaint ends the program with status 99, which no row of the table wants.
ASAN_OPTIONS=exitcode=99:verify_asan_link_order=0:detect_leaks=1:allocator_may_return_null=1
UBSAN_OPTIONS=exitcode=99:print_stacktrace=1
export ASAN_OPTIONS UBSAN_OPTIONS
BONNIE=$T/bonnie
complaint() {
	grep 'Sanitizer\|runtime error' "$T/err"
}
LIMIT=20
for args in "-s 256k::60" "-f -s 256k:512:700:16 -x 2" "-f -s 1m:1m:30:1 -html -m a<b" \
    "-o html -s 64k"; do
	# The run by time takes five seconds.
	case $args in
	*64k) rules='clock_gettime/p@t:50+:fwd=100' ;;
	*) rules='' ;;
	esac
	# shellcheck disable=SC2086
	go -- $args -r 0
	is "bonnie $args: status" "$status" 0
	is "bonnie $args: no complaint" "$(complaint)" ""
done
for args in -h -V -Q '-s 1:3' '-s' '-d /nonexistent -s 1' '-o xml'; do
	# shellcheck disable=SC2086
	"$BONNIE" $args >"$T/out" 2>"$T/err"
	status=$?
	is "bonnie $args: no complaint" "$(complaint) $((status > 2))" " 0"
done

# Every tenth row of the table; malloc() belongs to the sanitizer here.
rows=0
kind() {
	case $2 in
	*alloc | posix_memalign | sync_file_range) return 0 ;;
	esac
	rows=$((rows + 1))
	[ $((rows % ${STEP:-10})) -eq 0 ] || return 0
	# The first call of those that the row is about.
	for n in ${calls:-${picks:-1}}; do
		point "$n" "$@" || :
		break
	done
}
table
for action in c:INT c:TERM g:INT 1:KILL; do
	rules=''
	go -w "$T/err" start -a $action -- -s 256k::1000000000 -f -r 0
	is "$action in the seek phase: no complaint" "$(complaint)" ""
	ok "$action in the seek phase: nothing is left" test "$left" = 0
done
finish
