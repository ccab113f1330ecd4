# A few calls of every row of the table of faults (tests/table.sh; "make stress" takes them all).
. tests/fault.sh
. tests/table.sh
ok "the helpers compile" prepare
[ "$bad" = 0 ] || finish
deep='' refuse='' picks=''

# The first call and a later one; at least one of them must have been made.
kind() {
	hits=0
	for n in ${calls:-${picks:-1}}; do
		point "$n" "$@" && hits=$((hits + 1))
	done
	[ $hits -gt 0 ] && return
	case $2 in
	*alloc | posix_memalign) skip "$2" "inject.c reaches it with glibc only" ;;
	*) ok "$2 is called ($1)" false ;;
	esac
}
table

# What stdio hides: the calls number 9 and 30 lie in the per-character phases.
hidden() {
	for n in 9 30; do
		hidden_point "$n" "$@" && continue
		case $2 in
		read | write) ok "$2 is called $n times" false ;;
		esac
	done
}
if need strace "what stdio hides"; then
	hidden_table
fi

# On a terminal the line is redrawn; a message ends it and starts at column 1 all the same.
for rule in 'write@b:16:EIO' 'read@w:16:EIO' 'read@r:16:EIO'; do
	rules="clock_gettime@${rule#*@}"
	rules="${rules%%:*}:4+:fwd=3;$rule"
	go -T "$T/screen" -- -f -s 64k:4k:60 -r 0
	tr -d '\r' <"$T/screen" >"$T/err"
	fails "$rule on a terminal" "* $D/Bonnie.[0-9]* at 61440: $EIO"
	ok "$rule on a terminal: the line was redrawn" grep -q '%.*K/sec.*left' "$T/err"
done
rules='clock_gettime@t:9-40:fwd=3'
go -T "$T/screen" -- -f -s 64k:4k:600 -r 0
tr -d '\r' <"$T/screen" >"$T/err"
finishes "the seeks on a terminal"
rules=''

# A file system that becomes read-only: what failed, and why the tree is still there.
for o in 1:300 1:-2 1:300::2; do
	rules='unlinkat@3:700+:EROFS'
	go -- -s 0 -n $o -z 1 -r 0
	rules=''
	like "-n $o, then read-only" "$(grep '^bonnie: ' "$T/err")" \
		"bonnie: cannot remove $D/Bonnie.[0-9]*.d: rm -r it: $EROFS${NL}bonnie: unlink $D/Bonnie.*: $EROFS"
	is "-n $o, then read-only: status, stdout" "$status $(cat "$T/out")" "1 "
	rm -rf "$D"/Bonnie.*.d
done

# A path may hold anything; a message is one line.
newline='a
b'
"$BONNIE" -d "$T/no$newline" -s 1 >"$T/out" 2>"$T/err"
is "a line feed in the path: one line" "$(cat "$T/err")" "bonnie: $T/noa?b: $ENOENT"
go -- -r 8796093022207 -s :16m:10
is "twice the RAM does not overflow: status" "$status" 2
like "twice the RAM does not overflow: out of range" "$(cat "$T/err")" \
	"bonnie: -r: '8796093022207' is out of range*"
"$BONNIE" -s "1::$(printf '%0150d' 1)" >"$T/out" 2>"$T/err"
is "-s of 153 characters: status 2" "$?" 2
finish
