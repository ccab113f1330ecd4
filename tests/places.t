# Places that are full, small, read-only or limited.  File systems need root: they are mounted in a
# mount namespace of this test, so that none is left, however it ends.
if [ -z "${PLACES-}" ] && [ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null; then
	PLACES=1 exec unshare -m sh tests/places.t
fi
. tests/fault.sh
ok "the helpers compile" prepare
[ "$bad" = 0 ] || finish

# await N: until N bytes are in the log of the injected rules.
await() {
	n=0
	while [ "$(wc -c <"$T/log")" -lt "$1" ] && [ $n -lt 500 ]; do
		sleep 0.01
		n=$((n + 1))
	done
}

# during RULE COMMAND...: at the call that the rule names the command is run, then bonnie goes on.
# Call go -- ARG... with "$@" of $args.
during() {
	rules=$1
	shift
	: >"$T/log"
	rm -f "$T/log.1"
	# shellcheck disable=SC2086 # a list of words
	go -- $args &
	job=$!
	await 1
	"$@" >"$T/during" 2>&1 || sed 's/^/# /' "$T/during"
	: >"$T/log.1"
	wait $job
	read -r status left acted <"$T/report"
	rules=''
}

# ---- file systems ----

# leave KIB: fills the file system at $D up to so much.
leave() {
	free=$(df -kP "$D" | awk 'END { print $4 }')
	[ "$free" -le "$1" ] || fallocate -l $((free - $1))K "$D/filler" 2>/dev/null
}

# The rules of inject.c that take away the check for room: so the disk becomes full on the way.
blind='statvfs:1:EIO'

# on NAME KIB MKFS...: makes the file system, mounts it at $D; false (and a skip) if it cannot be.
on() {
	name=$1 size=$2
	shift 2
	if [ -z "${PLACES-}" ]; then
		skip "$name" "only root may mount"
		return 1
	fi
	if ! command -v "$1" >/dev/null 2>&1; then
		skip "$name" "$1 is not installed"
		return 1
	fi
	rm -f "$T/image"
	dd if=/dev/zero of="$T/image" bs=1024 count=0 seek="$size" 2>/dev/null
	if ! "$@" "$T/image" >"$T/mkfs" 2>&1 ||
	    ! mount -o "loop${options:+,$options}" "$T/image" "$D" >>"$T/mkfs" 2>&1; then
		skip "$name" "it cannot be made or mounted here: $(tail -n 1 "$T/mkfs")"
		return 1
	fi
	rm -rf "$D/lost+found"
	root=$D
	mkdir "$D/dir"
	D=$D/dir
	device=$(awk -v point="$root" '$5 == point { for (i = 7; $i != "-"; i++); d = $(i + 2) }
		END { sub(".*/", "", d); print d }' /proc/self/mountinfo)
	return 0
}

off() {
	rm -rf "$T/keep"
	D=$root
	umount "$D" || umount -l "$D"
	rm -f "$T/image"
}

full_half_way() {
	enospc='No space left on device'
	leave 2000
	mv "$D/filler" "$root/filler" 2>/dev/null
	rules=''
	go -- -s 1g::60 -r 0
	fails "$name: too small is told before the run" \
		"$D has [0-9]* MiB free and the file needs 1040 MiB: *"
	rules=$blind
	go -- -s 8m::60 -f -r 0
	fails "$name: full in block output" "* $D/Bonnie.[0-9]**: $enospc"
	go -- -s 8m::60 -r 0
	fails "$name: full in putc()" "* $D/Bonnie.[0-9]**: $enospc"
	rules="unlinkat:1:EBUSY;$blind"
	go -- -s 8m::60 -f -r 0
	fails "$name: full, the unlink of an open file refused" "* $D/Bonnie.[0-9]**: $enospc"
	rules=''
	rm -f "$root/filler"
}

small_run() {
	rules=''
	go -- -s 512k::60 -r 0
	finishes "$name: a run"
	go -- -s 512k:512:60 -f -r 0
	finishes "$name: a run with chunks of 512 bytes"
}

for block in 1024 4096; do
	options=errors=remount-ro
	if on "ext4 with blocks of $block bytes" 32768 mkfs.ext4 -q -F -b $block; then
		small_run
		full_half_way
		off
	fi
done
# Read-only half way: an error that the kernel finds in the file system makes it so.
for rule in clock_gettime@p:3 write@b:3 read@w:3 fsync@g:1 read@r:3; do
	if on "ext4 read-only at $rule" 16384 mkfs.ext4 -q -F -b 4096; then
		if [ -w "/sys/fs/ext4/$device/trigger_fs_error" ]; then
			args='-s 1m::60 -r 0'
			during "$rule:wait=1" sh -c "echo 1 >/sys/fs/ext4/$device/trigger_fs_error"
			# Reading goes on; what fails is the next write, or the last truncate.
			fails "$name" "* $D/Bonnie.[0-9]**: *"
		else
			skip "$name" "the kernel has no trigger_fs_error"
		fi
		off
	fi
done
options=''
# One file system for all, with a small log: mkfs.xfs writes it whole.  A mount mends a shutdown.
if on "xfs" 307200 mkfs.xfs -q -f --unsupported -l size=10m; then
	small_run
	full_half_way
	for rule in clock_gettime@p:3 write@b:3 read@w:3 read@r:3; do
		if ! command -v xfs_io >/dev/null 2>&1; then
			skip "xfs shut down at $rule" "xfs_io is not installed"
			continue
		fi
		args='-s 1m::60 -r 0'
		during "$rule:wait=1" xfs_io -x -c shutdown "$root"
		fails "xfs shut down at $rule" "* $D/Bonnie.[0-9]**: *"
		umount "$root"
		mount -o loop "$T/image" "$root"
	done
	off
fi
if on "btrfs" 131072 mkfs.btrfs -q -f; then
	small_run
	full_half_way
	off
fi

# tmpfs
mount_tmpfs() {
	mount -t tmpfs -o "size=$1" none "$D"
}
if [ -n "${PLACES-}" ] && mount_tmpfs 2m; then
	go -- -s 1m::60 -r 0
	finishes "tmpfs of 2 MiB: a run"
	go -- -s 4m::60 -r 0
	fails "tmpfs of 2 MiB: too small" \
		"$D has 2 MiB free and the file needs 5 MiB: the largest that fits is -s 1"
	rules=$blind
	go -- -s 4m::60 -f -r 0
	fails "tmpfs of 2 MiB: full in block output" \
		"write $D/Bonnie.[0-9]* at 2097152: No space left on device"
	go -- -s 4m::60 -r 0
	fails "tmpfs of 2 MiB: full in putc()" \
		"putc $D/Bonnie.[0-9]* at 2[01][0-9]*: No space left on device"
	rules=''
	umount "$D"
	mount_tmpfs 64k
	go -- -s 1m::60 -r 0
	fails "tmpfs of 64 KiB: too small, and no size of 0 is proposed" \
		"$D has 0 MiB free and the file needs 2 MiB: the largest that fits is -s [1-9]*k"
	go -- -s 32k::60 -r 0
	finishes "tmpfs of 64 KiB: a run"
	umount "$D"
	mount -t tmpfs -o size=1m,ro none "$D"
	go -- -s 512k::60 -r 0
	fails "tmpfs that is read-only" "create $D/Bonnie.[0-9]*: Read-only file system"
	umount "$D"
	mount_tmpfs 4k
	go -- -s 512k::60 -r 0
	fails "tmpfs of 4 KiB: no size is proposed" "$D is full"
	umount "$D"
else
	skip "tmpfs of 2 MiB" "only root may mount"
fi

# ---- limits of the process ----

if need prlimit "files limited half way"; then
	# shellcheck disable=SC2317 # called by during
	limit() {
		pid=$(sed -n "s/^File '.*Bonnie\.\([0-9]*\).*/\1/p" "$T/err")
		prlimit --pid "$pid" --fsize="$1"
	}
	args='-s 1m::60 -r 0 -f'
	during write@b:3:wait=1 limit 100000
	fails "ulimit -f half way" "write $D/Bonnie.[0-9]* at 100000: File too large"
	args='-s 1m::60 -r 0'
	during clock_gettime@p:3:wait=1 limit 100000
	fails "ulimit -f half way in putc()" "* $D/Bonnie.[0-9]* at [0-9]*: File too large"
fi
under="sh $T/limited"
# limited LIMITS: bonnie is started with them.
limited() {
	printf '%s\nexec "$@"\n' "$1" >"$T/limited"
}
for n in 5 6 7 8 9 10 11 12 13 14 15; do
	limited "ulimit -n $n"
	go -- -s 64k:4k:60 -r 0
	either "ulimit -n $n" "*: Too many open files"
done
is "ulimit -n 15 is enough" "$status" 0
# The dynamic loader needs some megabytes itself, and says so with another status.
enough=''
for kib in 2200 2400 2600 2800 3000 3500 4000 5000 6000 7000 10000 20000; do
	limited "ulimit -v $kib"
	go -- -s 4m:4m:20 -f -r 0
	case $status in
	127 | 126 | 134 | 139) ;;	# it did not come to main()
	*) either "ulimit -v $kib" "*memory*" ;;
	esac
	enough=$status
done
is "ulimit -v 20000 is enough for a chunk of 4 MiB" "$enough" 0
limited 'ulimit -s 128'
go -- -s 64k:4k:60 -r 0
finishes "ulimit -s 128"
under=''

# ---- cgroups ----

# group_of CONTROLLER FILE: makes the cgroup $cgroup, of version 1 or 2; false if it cannot be.
group_of() {
	for cgroup in "/sys/fs/cgroup/$1/bonnie-test.$$" "/sys/fs/cgroup/bonnie-test.$$"; do
		[ -w "${cgroup%/*}" ] || continue
		mkdir "$cgroup" 2>/dev/null || continue
		[ -e "$cgroup/$2" ] && return 0
		rmdir "$cgroup"
	done
	return 1
}
# A cgroup can be removed when its last process has gone for good.
ungroup() {
	n=0
	until rmdir "$cgroup" 2>/dev/null || [ $n -ge 200 ]; do
		sleep 0.01
		n=$((n + 1))
	done
}
under="sh $T/limited"
if group_of pids pids.max; then
	for most in 1 2 3; do
		echo $most >"$cgroup/pids.max"
		limited "echo \$\$ >$cgroup/cgroup.procs"
		go -- -s 64k:4k:60 -f -r 0
		fails "pids limited to $most" \
			"seeker $most: fork: $EAGAIN (see ulimit -u and pids.max of the cgroup)"
	done
	echo 4 >"$cgroup/pids.max"
	go -- -s 64k:4k:60 -f -r 0
	finishes "pids limited to 4: three seekers"
	ungroup
else
	skip "pids limited" "no pids cgroup can be made"
fi
if group_of memory memory.limit_in_bytes || group_of memory memory.max; then
	for file in memory.limit_in_bytes memory.memsw.limit_in_bytes memory.max memory.swap.max; do
		[ ! -w "$cgroup/$file" ] || echo 16777216 >"$cgroup/$file" 2>/dev/null
	done
	limited "echo \$\$ >$cgroup/cgroup.procs"
	go -- -s 1m::60 -f
	finishes "a memory cgroup of 16 MiB: a run"
	like "a memory cgroup of 16 MiB: is the RAM" "$(cat "$T/err")" \
		"*smaller than twice the RAM (16 MiB, as the cgroup says)*"
	if [ "$(df -P "$D" | awk 'END { print $1 }')" = tmpfs ]; then
		# The file is memory here, so the OOM killer comes.
		go -- -s 32m::60 -f
		ends "the OOM killer" 137
	else
		skip "the OOM killer" "the scratch directory is not in memory"
	fi
	ungroup
else
	skip "a memory cgroup" "none can be made"
fi
under=''

# ---- stdout and stderr that cannot be written ----

# gone ARG...: bonnie with a stderr whose reader has gone, and with the default SIGPIPE.
gone() {
	{
		trap '' PIPE
		while echo x 2>/dev/null; do
			continue
		done
		"$T/group" "$T/report" "$BONNIE" "$@" 2>&1 >"$T/out"
	} | true
	read -r status left acted <"$T/report"
}
gone -d "$D" -s 256k::60
is "nobody reads stderr: status 0" "$status $left" "0 0"
is "nobody reads stderr: a row" "$(awk 'END { print NF }' "$T/out")" 13
gone -s
is "nobody reads stderr: usage is 2" "$status" 2
gone -d "$D/none" -s 256k
is "nobody reads stderr: an error is 1" "$status" 1
{
	trap '' PIPE
	while echo x 2>/dev/null; do
		continue
	done
	"$T/group" "$T/report" "$BONNIE" -d "$D" -s 256k::60 -f 2>"$T/err"
} | true
read -r status left acted <"$T/report"
is "nobody reads stdout: status 1" "$status $left" "1 0"
like "nobody reads stdout: said, and the row is on stderr" "$(cat "$T/err")" \
	"*bonnie: cannot write the result to standard output, so here it is: $EPIPE
*Machine *256k *"
ok "nobody reads: nothing is left" empty "$D"
if [ -c /dev/full ]; then
	"$BONNIE" -d "$D" -s 256k::60 >"$T/out" 2>/dev/full
	is "stderr is full: status 0" "$?" 0
	is "stderr is full: a row" "$(awk 'END { print NF }' "$T/out")" 13
	"$BONNIE" -d "$D" -s 256k::60 -x 3 >/dev/full 2>"$T/err"
	is "stdout is full: status 1" "$?" 1
	is "stdout is full: the first of three runs ends it" "$(grep -c '^File' "$T/err")" 1
	is "stdout is full: one message" "$(grep -c '^bonnie: cannot write' "$T/err")" 1
	"$BONNIE" -d "$D" -s 256k::60 >/dev/full 2>&1
	is "both are full: status 1" "$?" 1
	(ulimit -f 1 && "$BONNIE" -d "$D/none" -s 256k::60 -x 3 2>"$T/long" >"$T/out")
	is "stderr goes to a file that may not grow: status" "$?" 1
fi
ok "nothing is left" empty "$D"
finish
