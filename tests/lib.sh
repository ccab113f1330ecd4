# What the tests share: sourced by each tests/NAME.t, which tests/run starts in the top directory.
#
#	is TEXT GOT WANT		GOT must equal WANT
#	like TEXT GOT PATTERN		GOT must match the shell pattern
#	ok TEXT COMMAND [ARG ...]	the command must succeed
#	skip TEXT WHY			one check that cannot run here
#	need TOOL TEXT			as a condition: whether the tool is there; if not, skips
#	finish				prints the plan; last line of each test
#
# $T is an empty directory of this test, removed at the end.  $BONNIE is the program.
: "${BONNIE:=$PWD/bonnie}" "${CC:=cc}"
LC_ALL=C
export LC_ALL
count=0 bad=0

# in_memory DIR: there is room for all tests in it, and programs can be run from it.
in_memory() {
	T=$(mktemp -d "$1/bonnie-test.XXXXXX" 2>/dev/null) || return 1
	echo '#!/bin/sh' >"$T/run" && chmod 700 "$T/run" && "$T/run" 2>/dev/null &&
		df -Pk "$T" | awk 'NR == 2 { exit !($4 > 600000) }' && rm "$T/run" && return 0
	rm -rf "$T"
	return 1
}
# Without TMPDIR, memory where it can be had: thousands of small files and their fsyncs take a
# disk minutes.
[ -z "${TMPDIR-}" ] && in_memory /dev/shm || T=$(mktemp -d "${TMPDIR:-/tmp}/bonnie-test.XXXXXX") || exit 1
trap 'rm -rf "$T"' EXIT
trap 'exit 1' HUP INT TERM

ok() {
	count=$((count + 1))
	text=$1
	shift
	if "$@"; then
		echo "ok $count - $text"
	else
		echo "not ok $count - $text"
		echo "# failed: $*" | cut -c1-2000
		bad=1
	fi
}

is() {
	count=$((count + 1))
	if [ "$2" = "$3" ]; then
		echo "ok $count - $1"
	else
		echo "not ok $count - $1"
		printf '%s\n' "got: $2" "want: $3" | sed 's/^/# /'
		bad=1
	fi
}

like() {
	count=$((count + 1))
	# shellcheck disable=SC2254 # a pattern is wanted
	case $2 in
	$3)
		echo "ok $count - $1"
		;;
	*)
		echo "not ok $count - $1"
		printf '%s\n' "got: $2" "want a match of: $3" | sed 's/^/# /'
		bad=1
		;;
	esac
}

skip() {
	count=$((count + 1))
	echo "ok $count - $1 # SKIP $2"
}

need() {
	command -v "$1" >/dev/null 2>&1 && return 0
	skip "$2" "$1 is not installed"
	return 1
}

# empty DIR: nothing is in it.
empty() {
	[ -z "$(ls -A "$1")" ]
}

finish() {
	echo "1..$count"
	exit "$bad"
}

# wait_a_little: between two looks for an event, so as not to keep a CPU busy; never a measure of time.
wait_a_little() {
	sleep 0.05 2>/dev/null || sleep 1
}
