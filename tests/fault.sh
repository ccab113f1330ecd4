# What the tests of faults share: sourced behind lib.sh.
#
#	prepare			compiles tests/inject.c and tests/group.c; false if that fails
#	go [OPTION ... --] ARG ...	runs bonnie in $D under group, with $rules injected
#	fails TEXT PATTERN	the last go has failed as DESIGN.md asks, with one such message
#	ends TEXT STATUS	it has ended with this status and without a message
#	finishes TEXT		it has finished: status 0 and a row
#	stays TEXT PATTERN	fails, because the tree of small files could not be removed
#	buffers TEXT CAUSE	it has finished, and said that direct I/O was refused, and why
#	either TEXT PATTERN	finishes, or fails
#	late TEXT PATTERN	fails, when the row may be out already
#
# Each of the last seven is one check.  It looks at everything: status, stdout, messages, the
# directory, processes left, the time limit.  $rules is for inject.c; $fired says whether it struck.
# The scratch files lie in memory where that can be: no disk is tested here.
if [ -z "${TMPDIR-}" ] && [ -d /dev/shm ] && [ -w /dev/shm ]; then
	TMPDIR=/dev/shm
	export TMPDIR
fi
. tests/lib.sh
D=$T/d
LIMIT=${LIMIT-5}	# seconds for a run of tens of milliseconds, and its end after a fault
rules='' under='' why='' small='-s 64k:4k:60 -z 1 -r 0'
mkdir "$D"
ulimit -c 0
export BONNIE
NL='
'

prepare() {
	# shellcheck disable=SC2086 # a list of words
	"$CC" ${inject_flags-} -shared -fPIC -O1 -o "$T/inject.so" tests/inject.c -ldl \
	    >"$T/cc" 2>&1 &&
	    "$CC" -O1 -o "$T/group" tests/group.c >>"$T/cc" 2>&1 &&
	    "$T/group" -E >"$T/errors" && . "$T/errors" && return 0
	sed 's/^/# /' "$T/cc"
	return 1
}

# The words up to -- (or none) go to group, the rest to bonnie.
go() {
	over=''
	case " $* " in
	*" -- "*)
		while [ "$1" != -- ]; do
			over="$over $1"
			shift
		done
		shift
		;;
	esac
	: >"$T/log" >"$T/report"
	if [ -n "$rules" ]; then
		set -- -e "INJECT=$rules" -e "INJECT_LOG=$T/log" -e "LD_PRELOAD=$T/inject.so" \
		    "$T/report" $under "$BONNIE" -d "$D" "$@"
	else
		set -- "$T/report" $under "$BONNIE" -d "$D" "$@"
	fi
	# shellcheck disable=SC2086 # a list of words without blanks
	"$T/group" -t "$LIMIT" $over "$@" >"$T/out" 2>"$T/err"
	status=none left=none acted=none
	read -r status left acted <"$T/report"
	fired=0
	[ -s "$T/log" ] && fired=1
	why=''
}

# Collects what is wrong in $why; $messages are the complaints on stderr, warnings left out.
look() {
	messages='' odd=''
	while IFS= read -r line; do
		case $line in
		"bonnie: warning: "* | "bonnie: note: "*) ;;
		"bonnie: "*) messages="$messages$line$NL" ;;
		*"bonnie: "*) odd=1 ;;
		esac
	done <"$T/err"
	[ -z "$odd" ] || why="$why, a message does not begin at column 1"
	[ "$left" = 0 ] || why="$why, $left processes left"
	[ "$acted" = acted ] || why="$why, the signal came too late"
	for file in "$D"/* "$D"/.[!.]*; do
		if [ -e "$file" ] || [ -L "$file" ]; then
			why="$why, ${file##*/} is left"
			rm -rf "$file"
		fi
	done
}

tell() {
	count=$((count + 1))
	if [ -z "$why" ]; then
		echo "ok $count - $1"
	else
		echo "not ok $count - $1"
		echo x >>"$T/failed"
		echo "# ${why#, }"
		# awk ends a line that is cut, sed does not.
		awk 'NR <= 20 { print "# stderr: " $0 }' "$T/err"
		awk 'NR <= 5 { print "# stdout: " $0 }' "$T/out"
		bad=1
	fi
}

# No stdout and exactly one message, which matches the pattern.
fails() {
	[ ! -s "$T/out" ] || why="$why, a failed run has printed something on stdout"
	late "$@"
}

stays() {
	[ -n "$(ls "$D")" ] || why="$why, nothing is left"
	rm -rf "$D"/Bonnie.*.d
	fails "$@"
}

late() {
	[ "$status" = 1 ] || why="$why, status $status, not 1"
	look
	# shellcheck disable=SC2254 # a pattern is wanted
	case ${messages%"$NL"} in
	'') why="$why, no message" ;;
	*"$NL"*) why="$why, more than one message" ;;
	"bonnie: "$2) ;;
	*) why="$why, want a match of: bonnie: $2" ;;
	esac
	tell "$1"
}

# By a signal: nothing on stdout, no complaint.
ends() {
	[ "$status" = "$2" ] || why="$why, status $status, not $2"
	[ ! -s "$T/out" ] || why="$why, a run that was ended has printed something on stdout"
	look
	[ -z "$messages" ] || why="$why, there is a message"
	# "whole lines" on stderr; kill -9 leaves no time for that.
	[ "$2" = 137 ] || [ -z "$(tail -c 1 "$T/err")" ] ||
	    why="$why, the last line of stderr is cut"
	tell "$1"
}

finishes() {
	[ "$status" = 0 ] || why="$why, status $status, not 0"
	look
	[ -z "$messages" ] || why="$why, there is a message"
	row=''
	while IFS= read -r line; do
		row=$line
	done <"$T/out"
	# shellcheck disable=SC2086 # cut into words
	set -- "$1" $row
	[ $# -eq 14 ] || why="$why, the row has $(($# - 2)) cells, not 12"
	case $row in
	*inf* | *nan* | *-*) why="$why, a figure is none" ;;
	esac
	tell "$1"
}

# With -D: one warning with the cause, and a line under the row.  The file system, if it is one in
# memory, has a warning of its own.
buffers() {
	[ "$(grep '^bonnie: warning: ' "$T/err" | grep -vc "^bonnie: warning: $D is on ")" = 1 ] ||
	    why="$why, not one warning"
	grep -q "^bonnie: warning: $D/Bonnie\.[0-9]*: direct I/O is refused ($2), the run is buffered\$" \
	    "$T/err" || why="$why, want the warning: direct I/O is refused ($2)"
	[ "$(tail -n 1 "$T/out")" = "Buffered: direct I/O was refused" ] ||
	    why="$why, the line Buffered: is missing"
	sed '$d' "$T/out" >"$T/rows"
	mv "$T/rows" "$T/out"
	finishes "$1"
}

# A row: no matter which.
either() {
	if [ "$status" = 0 ]; then
		finishes "$1"
	else
		fails "$1" "$2"
	fi
}
