# scripts/bench: usage, arithmetic, and that it takes down what it has set up.
. tests/lib.sh

# refuse WANT ARG...: status 2, one line on stderr that matches WANT, nothing on stdout.
refuse() {
	want=$1
	shift
	scripts/bench "$@" >"$T/out" 2>"$T/err"
	is "bench $*: status 2" "$?" 2
	like "bench $*: says why" "$(cat "$T/err")" "bench: $want"
	is "bench $*: one line, no table" \
		"$(wc -l <"$T/err" | tr -d ' ') $(wc -c <"$T/out" | tr -d ' ')" "1 0"
}

refuse "no mode is given*"
refuse "'speed' is not a mode*" speed
refuse "-n: its argument is missing*" accuracy -n
for n in '' 0 -1 1.5 3x 1000000; do
	refuse "-n: '$n' is not a whole number from 1 to 999999*" accuracy -n "$n"
done
refuse "-s: 'big' is not a whole number*" overhead -s big
refuse "-p: 'bonny' is not one of*" spread -p bonnie,bonny
refuse "-p: no program is named*" spread -p ''
refuse "-m: overhead has no such option*" overhead -m
refuse "-v: overhead has no such option*" overhead -v
refuse "'quick': accuracy takes no such operand*" accuracy slow quick
refuse "'slow': accuracy takes no such operand*" accuracy -m slow
refuse "'2': accuracy takes no such operand*" accuracy 2
refuse "'0': accuracy takes no such operand*" accuracy -m 0
refuse "'slow': overhead takes no such operand*" overhead slow
refuse "-s: with -m the size follows from the ratio*" accuracy -m -s 10
like "bench -h: usage" "$(scripts/bench -h)" "*scripts/bench accuracy*selftest*"

for awk in awk mawk gawk 'busybox awk' original-awk; do
	if command -v "${awk%% *}" >/dev/null 2>&1; then
		$awk -f scripts/bench.awk -v report=selftest /dev/null >"$T/out" 2>&1
		is "the arithmetic, with $awk: status 0" "$?" 0
		like "the arithmetic, with $awk" "$(cat "$T/out")" '[1-9]* of * right'
	else
		skip "the arithmetic, with $awk" "it is not installed"
	fi
done

# What a run on a disk has set up that is still there, by the name of its work directory.
traces() {
	losetup -nO BACK-FILE | grep -c "$1"
	grep -c "$1" /proc/mounts
	find /dev/shm -maxdepth 1 -name "${1##*/}*" | wc -l | tr -d ' '
	pgrep -f -- "-d $1/mnt" | wc -l | tr -d ' '
}

# A run is ended in its middle, by the signal given.
ended_by() {
	scripts/bench accuracy -p bonnie -s 64 slow >"$T/out" 2>"$T/err" &
	pid=$!
	mounted=
	tries=0
	# Until the program writes on the disk, however loaded the machine is.
	while [ -z "$mounted" ] && [ "$tries" -lt 300 ] && kill -0 "$pid" 2>/dev/null; do
		for out in /dev/shm/bench.*/err; do
			grep -q '^Writing' "$out" 2>/dev/null &&
				[ "$(ps -o ppid= -p "$(pgrep -f -- "${out%/err}/mnt" | head -n 1)" |
					tr -d ' ')" = "$pid" ] && mounted=${out%/err}
		done
		sleep 0.1
		tries=$((tries + 1))
	done
	kill -s "$1" "$pid"
	wait "$pid" 2>/dev/null
	status=$?
}

for signal in TERM HUP; do
	text="ended by $signal"
	if [ "$(id -u)" -ne 0 ] || [ ! -d /sys/fs/cgroup/blkio ]; then
		skip "$text" "needs root and the blkio cgroup"
		continue
	fi
	need losetup "$text" || continue
	need pgrep "$text" || continue
	ended_by "$signal"
	if grep -q 'too little\|free memory\|cannot' "$T/err"; then
		skip "$text" "$(head -n 1 "$T/err")"
		continue
	fi
	ok "$text, the disk was there" test -n "$mounted"
	is "ended by $signal: it dies of the signal" "$(kill -l "$status")" "$signal"
	is "ended by $signal: no loop device, mount, image, process is left" \
		"$(traces "${mounted:-/nowhere}" | tr '\n' ' ')" "0 0 0 0 "
done
finish
