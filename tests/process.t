# Signals and processes: who is killed when, and what is left.
. tests/fault.sh
if ! ok "the helpers compile" prepare || [ "$bad" = 1 ]; then
	finish
fi
if [ "$(uname -s)" != Linux ]; then
	skip "signals in each phase" "the helpers find processes in /proc only"
	finish
fi

# Where a run is held until the signal comes; in the seek phase it runs on.
hold() {
	case $1 in
	putc) rules='clock_gettime@p:3:hold' ;;
	block) rules='write@b:3:hold' ;;
	rewrite) rules='read@w:3:hold' ;;
	getc) rules='clock_gettime@g:3:hold' ;;
	read) rules='read@r:3:hold' ;;
	fork) rules='pipe:2:hold' ;;
	fsync) rules='fsync@w:2:hold' ;;
	seek) rules='' ;;
	esac
	case $1 in
	seek) file=$T/err text=start ;;
	*) file=$T/log text='!' ;;
	esac
}

signals='KILL:137 INT:130 TERM:143 HUP:129 QUIT:131 XCPU:152'
for phase in putc block rewrite fsync getc read fork seek; do
	for signal in $signals; do
		hold "$phase"
		go -w "$file" "$text" -a "c:${signal%:*}" -- -s 64k:4k:1000000000 -r 0
		ends "$phase: ${signal%:*} to the program" "${signal#*:}"
	done
	for signal in INT:130 TERM:143; do
		hold "$phase"
		go -w "$file" "$text" -a "g:${signal%:*}" -- -s 64k:4k:1000000000 -r 0
		ends "$phase: ${signal%:*} to the whole group" "${signal#*:}"
	done
done
hold rewrite
go -w "$file" "$text" -a c:INT -a c:INT -- -s 64k:4k
# The second one ends it at once, wherever it is then: perhaps in the middle of a line.
echo >>"$T/err"
ends "^C twice" 130

# A file system that does not let an open file go nameless: removed on every way out.
for phase in putc rewrite read fork seek; do
	for who in c g; do
		hold "$phase"
		rules="unlinkat:1:EBUSY;$rules"
		[ "$text" != '!' ] || text='!!'		# both rules must have struck
		go -w "$file" "$text" -a "$who:INT" -- -s 64k:4k:1000000000 -r 0
		ends "$phase: no unlink of an open file, INT to $who" 130
	done
done
rules='unlinkat:1:EBUSY'
go -w "$T/err" start -a 1:KILL -- -s 64k:4k:1000000000
fails "no unlink of an open file, a seeker killed" "seeker [123]: killed by signal 9 (Killed)"

# Seekers.
rules=''
for signal in 'KILL:9 (Killed)' 'SEGV:11 (Segmentation fault)' 'TERM:15 (Terminated)'; do
	for n in 1 3 16; do
		go -w "$T/err" start -a "1:${signal%%:*}" -- "-s64k:4k:1000000000:$n" -f
		fails "one of $n seekers gets ${signal%%:*}" \
			"seeker *: killed by signal ${signal#*:}"
	done
	go -w "$T/err" start -a "a:${signal%%:*}" -- -s 64k:4k:1000000000 -f
	fails "all seekers get ${signal%%:*}" "seeker [123]: killed by signal ${signal#*:}"
done
go -w "$T/err" start -a a:KILL -- -s 64k:4k -f
fails "all seekers killed, seeks by time" "seeker [123]: killed by signal 9 (Killed)"
# A seeker that hangs is killed with the others.
rules='pread:50:hold'
go -w "$T/log" '!' -a c:INT -- -s 64k:4k:1000000000 -f -r 0
ends "one seeker hangs: INT to the program" 130
rules='pread:50:hold;pread:52:EIO'
go -- -s 64k:4k:1000000000 -f -r 0
fails "one seeker hangs, another fails" "seeker [123]: read $D/Bonnie.[0-9]* at [0-9]*: $EIO"
rules='pread:50:hold'
go -w "$T/log" '!' -a c:INT -- -s 64k:4k:1000000000:1 -f -r 0
ends "the only seeker hangs: INT to the program" 130
rules='read.other/c:2:raise=9'
go -- -s 64k:4k:1000000000 -f
fails "a seeker dies at the first gate" "seeker [123]: killed by signal 9 (Killed)"
rules='read.other/c:5:raise=9'
go -- -s 64k:4k:1000000000 -f
fails "a seeker dies at the second gate" "seeker [123]: killed by signal 9 (Killed)"
rules=''
go -w "$T/err" start -a 1:STOP -a c:KILL -- -s 64k:4k:1000000000 -f -r 0
# A seeker that is stopped cannot end before it is continued: group does not wait for that.
is "parent killed, one seeker stopped: status" "$status" 137
ok "parent killed, one seeker stopped: nothing is left" empty "$D"

# Stopped and continued: as if nothing had been.
for who in c g a; do
	go -w "$T/err" start -a "$who:STOP" -a "$who:CONT" -- -s 64k:4k:30000 -f
	finishes "stopped and continued: $who"
done
# nohup: who ignored HUP before us goes on ignoring it, seekers too.
go -i HUP -w "$T/err" start -a g:HUP -- -s 64k:4k:30000 -f
finishes "nohup: HUP to the group"
go -i INT -i QUIT -w "$T/err" start -a g:INT -a g:QUIT -- -s 64k:4k:30000 -f
finishes "a background job of a shell: INT and QUIT are ignored"
go -i HUP -w "$T/err" start -a g:TERM -- -s 64k:4k:1000000000 -f
ends "nohup: TERM still ends it" 143

# Surroundings.
# shellcheck disable=SC2086
"$BONNIE" -d "$D" $small <&- >"$T/out" 2>"$T/err"
is "stdin closed: status 0" "$?" 0
# shellcheck disable=SC2086
(umask 0 && env -i "$BONNIE" -d "$D" $small >"$T/out" 2>"$T/err")
is "no environment, umask 0: status 0" "$?" 0
is "no environment, umask 0: a row" "$(awk 'END { print NF }' "$T/out")" 13
# The file has a mode as long as it has a name.
rules='unlinkat:1+:EBUSY'
(umask 0 && go -- -s 64k:4k:60)
find "$D" -type f >"$T/files"
find "$D" -type f -perm 600 >"$T/private"
is "umask 0: there is a file" "$(wc -l <"$T/files" | tr -d ' ')" 1
ok "umask 0: it is ours alone" cmp -s "$T/files" "$T/private"
rm -f "$D"/*
rules=''

# Four at once in one directory.
for i in 1 2 3 4; do
	("$BONNIE" -d "$D" -s 1m::300 -r 0 >"$T/out$i" 2>"$T/err$i"; echo $? >"$T/status$i") &
done
wait
is "four at once: status 0" "$(cat "$T"/status[1-4] | tr '\n' ' ')" "0 0 0 0 "
is "four at once: four rows" "$(cat "$T"/out[1-4] | awk 'NF == 13 && $1 == 1' |
	wc -l | tr -d ' ')" 4
ok "four at once: nothing is left" empty "$D"

# Two containers have the same PIDs.  The first keeps its name, so the second must take another.
if [ "$(id -u)" = 0 ] && unshare -pf true 2>/dev/null; then
	rules='unlinkat:1:EBUSY'
	under='unshare -pf'
	go -w "$T/err" start -a g:TERM -- -s 64k:4k:1000000000 &
	first=$!
	n=0
	while [ $n -lt 100 ] && empty "$D"; do
		sleep 0.05
		n=$((n + 1))
	done
	# shellcheck disable=SC2086
	unshare -pf "$BONNIE" -d "$D" $small >"$T/out2" 2>"$T/err2"
	is "the same PID in two PID namespaces: status 0" "$?" 0
	wait $first
	ok "the same PID in two PID namespaces: nothing is left" empty "$D"
	for i in 1 2; do
		# shellcheck disable=SC2086
		(unshare -pf "$BONNIE" -d "$D" $small >"$T/out$i" 2>"$T/err$i"
			echo $? >"$T/status$i") &
	done
	wait
	is "both at once: status 0" "$(cat "$T/status1" "$T/status2" | tr '\n' ' ')" "0 0 "
	mkdir "$D/taken"
	: >"$D/Bonnie.1"
	# shellcheck disable=SC2086
	unshare -pf "$BONNIE" -d "$D" $small >"$T/out2" 2>"$T/err2"
	like "as PID 1: the next name" "$(cat "$T/err2")" "*File '$D/Bonnie.1.1', size: 65536*"
	rm -rf "${D:?}"/*
	under=''
else
	skip "the same PID in two PID namespaces" "only root may make them"
fi
finish
