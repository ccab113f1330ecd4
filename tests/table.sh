# The table of faults, sourced behind fault.sh by faults.t (a few calls of each row) and by stress
# (every call).  A row:
#
#	kind ARGS CALL WHAT ANSWER [PATTERN [MOST]]
#
# bonnie runs with ARGS; CALL and WHAT are those of inject.c; ANSWER is finishes, fails or either
# (fault.sh).  In the pattern P is the path, O the offset of the n-th chunk, M that of its middle
# sector, %NAME the text of an error.  A WHAT that ends in + strikes from the n-th call on.  MOST is
# how many calls are tried at most.
nothing='nothing was written, and no reason given'
unprinted='cannot write the result to standard output'
table() {
	f='-f -s 64k:4k:60 -z 1 -r 0'	# 16 chunks: calls of read and write 1 to 16, 17 to 32
	all='-s 64k:4k:60 -z 1 -r 0'
	one='-f -s 64k:4k:60:1 -z 1 -r 0'	# its tenth seek writes
	two='-f -s 64k:4k:60:2 -z 1 -r 0'
	limits='(see ulimit -u and pids.max of the cgroup)'
	wrong='the data are not those that were written'

	for e in EIO ENOSPC EDQUOT EFBIG EROFS; do
		kind "$f" write $e fails "write P at O: %$e"
		kind "$one" pwrite $e fails "seeker [123]: write P at [0-9]*: %$e"
	done
	kind "$f" write ENOSPC+ fails "write P at O: %ENOSPC"
	kind "$f" write "done" fails "write P at O: %EIO"
	kind "$f" write zero fails "write P at O: $nothing"
	kind "$one" pwrite zero fails "seeker [123]: write P at [0-9]*: $nothing"
	for e in EIO ESTALE ENXIO; do
		kind "$f" read $e fails "read P at O: %$e"
		kind "$f" pread $e fails "seeker [123]: read P at [0-9]*: %$e"
	done
	kind "$f" read EIO+ fails "read P at O: %EIO"
	kind "$f" pread EIO+ fails "seeker [123]: read P at [0-9]*: %EIO"
	kind "$f" read zero fails "read P at O: unexpected end of file"
	kind "$f" pread zero fails "seeker [123]: read P at [0-9]*: unexpected end of file"
	kind "$f" read cut fails "read P at [0-9]*: unexpected end of file"
	for call in read write pread pwrite; do
		for what in EINTR short short=1 short=511; do
			kind "$one" $call $what finishes
		done
	done
	kind "$f" fsync EINTR finishes

	kind "$f" read flip fails "read P at M: $wrong"
	# What stdio reads is damaged on the disk itself.
	for at in 512 32256 65024; do
		kind "$all" clock_gettime@g rot=$at fails "read P at $at: $wrong" 1
		moved=$((at / 2 / 512 * 512 + 16384))
		kind "$all" clock_gettime@g rotmoved=$moved fails "read P at $moved: $wrong" 1
	done
	kind "$f" read stale fails "read P at O: $wrong"
	kind "$f" read moved fails "read P at O: $wrong"
	kind "$all" pread flip fails "seeker [123]: read P at [0-9]*: $wrong"
	kind "$all" pread stale fails "seeker [123]: read P at [0-9]*: $wrong"
	kind "$all" pread moved fails "seeker [123]: read P at [0-9]*: $wrong"
	if "$BONNIE" -h | grep -q '^  -c '; then
		kind "$f -c" read byte fails "read P at [0-9]*: $wrong"
		kind "$f -c" pread byte fails "seeker [123]: read P at [0-9]*: $wrong"
		kind "$f -c" read byte=0 fails "read P at O: $wrong"
	fi

	for e in EIO ENOSPC EDQUOT; do
		kind "$all" fsync/p $e fails "fsync P: %$e"
		kind "$f" fsync/c $e fails "seeker [123]: fsync P: %$e"
	done
	kind "$f" fsync/p "done" fails "fsync P: %EIO"
	for e in EINVAL ENOSYS EOPNOTSUPP; do
		kind "$f" fsync $e finishes
	done
	for e in EIO ENOSPC EROFS; do
		kind "$f" ftruncate $e fails "truncate P at 0: %$e"
	done
	kind "$all" lseek EIO fails "lseek P at [0-9]*: %EIO"
	for e in EMFILE ENOMEM; do
		kind "$all" dup $e fails "dup: %$e"
	done
	kind "$f" close EIO fails "close P: %EIO"
	kind "$f" close ENOSPC fails "close P: %ENOSPC"
	kind "$f" close EINTR finishes
	kind "$f" close.other EIO finishes

	for e in EIO EMFILE ENFILE EACCES; do
		kind "$f" open $e either "$D: %$e"
	done
	for e in EIO EMFILE ENOSPC EDQUOT EROFS EACCES ELOOP; do
		kind "$f" openat $e fails "create P: %$e"
	done
	kind "$f" openat EEXIST finishes
	kind "$f" openat EEXIST+ fails "create P: %EEXIST"
	for e in EBUSY EPERM EIO; do
		kind "$f" unlinkat $e finishes
	done

	for e in EMFILE ENFILE; do
		kind "$two" pipe $e fails "pipe: %$e"
	done
	kind "$two" fork EAGAIN fails "seeker N: fork: %EAGAIN $limits"
	kind "$two" fork ENOMEM fails "seeker N: fork: %ENOMEM"
	kind "$two" fork EAGAIN+ fails "seeker N: fork: %EAGAIN $limits"
	kind "$two" waitpid EINTR finishes
	kind "$two" poll EINTR finishes
	kind "$two" poll/p@t ENOMEM fails "poll: %ENOMEM"
	kind "$two" read.other/p EINTR finishes
	kind "$two" read.other/p EIO fails "read a seeker's report: %EIO"
	kind "$two" read.other/p short=8 either "read a seeker's report: it was cut short"
	kind "$two" read.other/c EINTR finishes
	kind "$two" read.other/c EIO fails "seeker [12]: wait for the start: %EIO"
	# From the first gate on: later, a seeker may wait already in a read that is not injected.
	kind "$two" read.other/c zero+ fails "seek: the seekers ended too early" 1
	kind "$two" read.other/c raise=9 fails "seeker [12]: killed by signal 9 (Killed)"
	kind "$two" write.other/p EINTR finishes
	kind "$two" write.other/p EIO fails "start the seekers: %EIO"
	kind "$two" write.other/p short=1 fails "start the seekers: not all of them could be told"
	kind "$two" write.other/c EINTR finishes
	kind "$two" write.other/c EIO fails "seeker [12]: seek: it ended and did not say why"
	kind "$two" pread raise=9 fails "seeker [12]: killed by signal 9 (Killed)"
	kind "$two" pread raise=11 fails "seeker [12]: killed by signal 11 (Segmentation fault)"
	kind "$two" fsync/c raise=7 fails "seeker [12]: killed by signal 7 (Bus error)"

	for e in EIO EAGAIN EINTR zero short EPIPE; do
		kind "$f" write.std $e finishes
	done
	kind "$f" fstat EIO finishes
	kind "$f" fstat short finishes
	# Without -z there is /dev/urandom; the size comes from the RAM.
	fresh='-f -s 64k::10 -r 0'
	kind "$fresh" open EIO either "$D: %EIO"
	kind "$fresh" read.other short=3 either "read a seeker's report: it was cut short"
	kind "-f -s ::10 -r 1" statvfs EIO finishes
	for e in EIO ENOSYS zero; do
		kind "$f" statvfs $e finishes
	done
	for e in EIO EINVAL ENOSYS; do
		kind "$f" posix_fadvise $e finishes
	done
	kind "$f" posix_memalign ENOMEM fails "no memory for a chunk of 4096 bytes"
	kind "$f" calloc ENOMEM either "*memory"
	kind "$all" malloc ENOMEM either "*%ENOMEM"
	kind "$all" malloc ENOMEM+ either "*memory*"

	# Only a file over 40 MiB comes to wait for what it has written.
	big='-f -s 40m:8m:3 -z 1 -r 0'
	kind "$big" sync_file_range EIO fails "sync_file_range P at 0: %EIO"
	if [ -n "$deep" ]; then
		kind "${big#-f }" sync_file_range EIO fails "sync_file_range P at 0: %EIO"
		kind "$big" sync_file_range ENOSPC fails "sync_file_range P at 0: %ENOSPC"
		for e in ENOSYS EINVAL EOPNOTSUPP ESPIPE; do
			kind "$big" sync_file_range $e finishes
		done
	fi

	for what in stuck+ back=10+ back=10 fwd=10+ fwd=10; do
		kind "$all" clock_gettime $what finishes
	done
	# Without a number of seeks nothing but the clock ends them.
	kind "-f -s 64k:4k -z 1 -r 0" clock_gettime stuck+ finishes
	if [ -n "$deep" ]; then
		MOST=6
		kind "-f -s 64k:4k -z 1 -r 0" clock_gettime@t stuck+ finishes
		kind "-f -s 64k:4k -z 1 -r 0" clock_gettime/p@t stuck+ finishes
		kind "-f -s 64k:4k -z 1 -r 0" clock_gettime@t back=3600+ finishes
		MOST=100
	fi

	# An unlink that is refused: the file is removed all the same when another call fails.
	refuse='unlinkat:1:EBUSY;'
	kind "$f" write EIO fails "write P at O: %EIO"
	kind "$two" pread EIO fails "seeker [123]: read P at [0-9]*: %EIO"
	kind "$two" pipe EMFILE fails "pipe: %EMFILE"
	refuse=''
}

# The calls that stdio hides: strace makes them fail, and tells on which descriptor.
#
#	hidden ARGS CALL WHAT ANSWER [PATTERN]		WHAT as strace has it: error=EIO, retval=0
hidden_table() {
	h='-s 64k::10 -z 1 -r 0'
	for e in EIO ENOSPC EINTR; do
		hidden "$h" write "error=$e" either "*: %$e"
	done
	for e in EIO ESTALE EINTR; do
		hidden "$h" read "error=$e" either "*: %$e"
	done
	hidden "$h" read retval=0 either "*: unexpected end of file"
	hidden "$h" write retval=0 either "write P at *: $nothing"
	hidden "$h" close error=EIO either "close P: %EIO"
	hidden "$h" lseek error=EIO either "lseek P at [0-9]*: %EIO"
	hidden "$h" fadvise64 error=EIO finishes
}

# Puts paths, offsets and error texts into $pattern, for the n-th call.
expand() {
	offset=$((($1 - 1) % 16 * 4096))
	pattern=$2
	case $pattern in
	*%*)
		name=${pattern##*%}
		name=${name%% *}
		eval "text=\$$name"
		pattern="${pattern%\%*}$text${pattern##*%"$name"}"
		;;
	esac
	case $pattern in
	*"seeker N:"*) pattern="${pattern%%seeker N:*}seeker $1:${pattern#*seeker N:}" ;;
	esac
	case $pattern in
	*" at O:"*) pattern="${pattern%% at O:*} at $offset:${pattern#* at O:}" ;;
	*" at M:"*) pattern="${pattern%% at M:*} at $((offset + 2048)):${pattern#* at M:}" ;;
	esac
	case $pattern in
	*" P at "*) pattern="${pattern%% P at *} $D/Bonnie.[0-9]* at ${pattern#* P at }" ;;
	*" P: "*) pattern="${pattern%% P: *} $D/Bonnie.[0-9]*: ${pattern#* P: }" ;;
	esac
}

# One point: the n-th call.  Returns 1, without a check, when there was no n-th call.
point() {
	n=$1 args=$2 call=$3 what=$4 answer=$5
	case $what in
	*+) rules="$refuse$call:$n+:${what%+}" ;;
	*) rules="$refuse$call:$n:$what" ;;
	esac
	# shellcheck disable=SC2086 # a list of words
	go $args
	case $refuse in
	'') [ "$fired" = 1 ] || return 1 ;;
	*) [ "$(wc -c <"$T/log")" -gt 1 ] || return 1 ;;
	esac
	expand "$n" "${6-}"
	$answer "$refuse$call: $what at call $n ($args)" "$pattern"
}

# The same by strace.  Returns 0 without a check for a call that is not wanted.
hidden_point() {
	n=$1 args=$2 call=$3 what=$4 answer=$5
	rules=''
	under="strace -qq -y -o $T/trace -e trace=$call -e inject=$call:$what:when=$n"
	# For scripts/coverage: a fault in writing its counters must spoil those of this point only.
	if [ -n "${COVERAGE-}" ]; then
		export GCOV_PREFIX="$COVERAGE/$count"
	fi
	# shellcheck disable=SC2086 # a list of words
	go $args
	under=''
	line=$(grep -m 1 INJECTED "$T/trace") || return 1
	expand "$n" "${6-}"
	case $line in
	*"<pipe:"*) return 0 ;;		# a pipe that strace leaves open, or ends, is no fault
	"write(1<"*" = 0 "*) answer=finishes ;;	# stdio tries again
	"write(1<"*) answer=fails pattern="$unprinted, so here it is: *" ;;
	"close(1<"*) answer=late pattern="$unprinted: *" ;;
	"write(2<"*) answer=finishes ;;
	esac
	$answer "strace $call: $what at call $n" "$pattern"
}
