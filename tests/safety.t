# What was there before a run is there after it, whatever its name and however the run ends.
. tests/fault.sh
ok "the helpers compile" prepare
[ "$bad" = 0 ] || finish

# Every kind of thing under every name that the process with this PID could use.
cat >"$T/fill" <<'EOT'
pid=$1
echo mine >"Bonnie.$pid"
mkdir "Bonnie.$pid.1" "Bonnie.$pid.d" "Bonnie.$pid.d.1"
echo mine >"Bonnie.$pid.1/file"
echo mine >"Bonnie.$pid.d/file"
mkfifo "Bonnie.$pid.2"
ln -s ../target "Bonnie.$pid.3"
ln -s ../nowhere "Bonnie.$pid.4"
ln -s ../targets "Bonnie.$pid.5"
ln Bonnie.$pid Bonnie.$pid.6
: >"Bonnie.$pid.7"
chmod 0 "Bonnie.$pid.7"
echo mine >Bonnie
mkdir "Bonnie.$pid.d.2"
EOT
# All that stands there: kind, mode, owner, links, size, inode, name; the contents.
state() {
	# shellcheck disable=SC2012 # the names are ours
	(cd "$T" && ls -lainR d target targets | awk '$NF != "." && $NF != ".."' &&
	    find d target targets -type f -exec cat {} +)
}

# keep TEXT ARG...: the program finds all names taken; $before and the state after must be equal.
keep() {
	text=$1
	shift
	rm -rf "$D" "$T/target" "$T/targets" "$T"/log*
	mkdir "$D" "$T/targets"
	echo target >"$T/target"
	echo target >"$T/targets/file"
	# The PID is known beforehand through exec; the state is taken by the same process.
	# shellcheck disable=SC2016 # for the inner shell
	(cd "$D" && sh -c 'top=$1; shift; sh "$top/fill" $$; : >"$top/filled"
		while [ ! -e "$top/seen" ]; do sleep 0.01; done; exec "$@"' sh "$T" "$@" \
		>"$T/out" 2>"$T/err"; echo $? >"$T/status") &
	n=0
	while [ ! -e "$T/filled" ] && [ $n -lt 500 ]; do
		sleep 0.01
		n=$((n + 1))
	done
	state >"$T/before"
	: >"$T/seen"
	wait
	state >"$T/after"
	rm -f "$T/filled" "$T/seen"
	if ! cmp -s "$T/before" "$T/after"; then
		diff "$T/before" "$T/after" | sed 's/^/# /'
	fi
	ok "$text: all is as it was" cmp -s "$T/before" "$T/after"
}
preload() {
	keep "$1" env INJECT="$2" INJECT_LOG="$T/log" LD_PRELOAD="$T/inject.so" \
		"$BONNIE" -s 256k::60 -x 2
}
keep "every name taken" "$BONNIE" -s 256k::60 -x 2
is "every name taken: status" "$(cat "$T/status")" 0
like "every name taken: the first free one" "$(cat "$T/err")" \
	"*File './Bonnie.[0-9]*.8', size: 262144*"
preload "a write fails" 'write:20:EIO'
is "a write fails: status" "$(cat "$T/status")" 1
preload "no unlink of an open file" 'unlinkat:1:EBUSY;unlinkat:3:EBUSY'
is "no unlink of an open file: status" "$(cat "$T/status")" 0
preload "no unlink of an open file, a seeker dies" 'unlinkat:1:EBUSY;pread:20:raise=9'
is "no unlink of an open file, a seeker dies: status" "$(cat "$T/status")" 1
preload "a signal" 'write:20:raise=15'
is "a signal: status" "$(cat "$T/status")" 143

# More names than are tried.
rm -rf "$D" && mkdir "$D"
# shellcheck disable=SC2016
(cd "$D" && sh -c 'n=0; : >Bonnie.$$; while [ $n -lt 1000 ]; do n=$((n + 1)); : >Bonnie.$$.$n; done
	exec "$BONNIE" -s 256k::60' >"$T/out" 2>"$T/err")
is "1001 names taken: status" "$?" 1
like "1001 names taken: says so" "$(cat "$T/err")" "*bonnie: create ./Bonnie.*: File exists"
is "1001 names taken: all are there, and empty" \
	"$(find "$D" -type f -size 0 | wc -l | tr -d ' ')" 1001
rm -rf "$D" && mkdir "$D"

# await FILE N: until N bytes are in it.
await() {
	n=0
	while [ "$(wc -c <"$1")" -lt "$2" ] && [ $n -lt 500 ]; do
		sleep 0.01
		n=$((n + 1))
	done
}

# The directory becomes a link to another one while the program runs; the next run of -x 2 too must
# make its file where the first did.  The unlink is refused so that the names can be seen.
mkdir "$T/other"
rules='unlinkat:1:EBUSY;unlinkat:3:EBUSY;write@b:3:wait=1;write@b:19:wait=2'
: >"$T/log"
# shellcheck disable=SC2086
go -- $small -x 2 &
await "$T/log" 2
mv "$D" "$T/moved"
ln -s other "$D"
: >"$T/log.1"
await "$T/log" 4
is "directory replaced by a link: the second file is where the first was" \
	"$(find "$T/moved" -name 'Bonnie.*' | wc -l | tr -d ' ')" 1
ok "directory replaced by a link: nothing in the other one" empty "$T/other"
: >"$T/log.2"
wait
is "directory replaced by a link: two rows" \
	"$(awk 'NF == 13 && $1 == "64k"' "$T/out" | wc -l | tr -d ' ')" 2
ok "directory replaced by a link: nothing is left" empty "$T/moved"
ok "directory replaced by a link: nothing in the other one at the end" empty "$T/other"
rm -rf "$D" "$T/moved" "$T"/log*
mkdir "$D"

# Somebody puts a file of his own in the place of ours: it is his.
rules='unlinkat:1:EBUSY;write@b:3:wait=1'
: >"$T/log"
# shellcheck disable=SC2086
go -- $small &
await "$T/log" 2
echo mine >"$T/mine"
for file in "$D"/Bonnie.*; do
	mv "$T/mine" "$file"
done
: >"$T/log.1"
wait
is "our name taken over: his file stays" "$(cat "$D"/Bonnie.*)" mine
is "our name taken over: a row" "$(awk 'END { print NF }' "$T/out")" 13
rm -rf "$D" "$T"/log*
mkdir "$D"

# The directory is removed under a run.
rules='write@b:3:wait=1'
: >"$T/log"
# shellcheck disable=SC2086
go -- $small -x 2 &
await "$T/log" 1
rmdir "$D"
: >"$T/log.1"
wait
read -r status left acted <"$T/report"
is "directory removed: the first run ends, the second cannot begin" "$status $left" "1 0"
is "directory removed: one row" "$(awk 'NF == 13 && $1 == "64k"' "$T/out" | wc -l | tr -d ' ')" 1
like "directory removed: says so" "$(tail -n 1 "$T/err")" \
	"bonnie: create $D/Bonnie.[0-9]*: No such file or directory"
rules=''
mkdir "$D"

# As an unprivileged user: a sticky directory of all, with files of others in it.
if [ "$(id -u)" = 0 ] && setpriv --reuid 65534 --regid 65534 --clear-groups true 2>/dev/null; then
	chmod 755 "$T"
	cp "$BONNIE" "$T/bonnie"
	chmod 1777 "$D"
	under='setpriv --reuid 65534 --regid 65534 --clear-groups'
	keep_bonnie=$BONNIE
	BONNIE=$T/bonnie
	# shellcheck disable=SC2086
	go -- $small
	finishes "nobody in a sticky directory"
	rules=''
	: >"$T/report"
	chmod 1777 "$D"
	: >"$T/seen"
	# shellcheck disable=SC2016
	(cd "$D" && sh -c 'echo mine >Bonnie.$$; ln -s ../target Bonnie.$$.1; chmod 666 Bonnie.$$
		exec '"$under"' "$BONNIE" -s 256k::60' >"$T/out" 2>"$T/err")
	is "nobody, names of root: status" "$?" 0
	like "nobody, names of root: the next one" "$(cat "$T/err")" \
		"*File './Bonnie.[0-9]*.2', size: 262144*"
	is "nobody, names of root: untouched" "$(cat "$D"/Bonnie.*[0-9] | sort)" "mine
target"
	rm -rf "${D:?}"/*
	chmod 755 "$D"
	# shellcheck disable=SC2086
	go -- $small
	fails "nobody in a directory of root" "create $D/Bonnie.[0-9]*: Permission denied"
	chmod 700 "$D"
	# shellcheck disable=SC2086
	go -- $small
	fails "nobody in a directory that is closed to him" "*$D*: Permission denied"
	chmod 1733 "$D"
	# shellcheck disable=SC2086
	go -- $small
	status_now=$status
	chmod 755 "$D"
	is "nobody in a directory he may not list: status" "$status_now" 0
	under=''
	BONNIE=$keep_bonnie
else
	skip "an unprivileged user" "only root can become one"
fi
finish
