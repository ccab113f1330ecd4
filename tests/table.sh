# The table of faults, sourced behind fault.sh by faults.t (a few calls of each row) and by stress
# (every call).  A row:
#
#	kind ARGS CALL WHAT ANSWER [PATTERN [MOST]]
#
# bonnie runs with ARGS; CALL and WHAT are those of inject.c; ANSWER is finishes, fails or either
# (fault.sh).  In the pattern P is the path, O the offset of the n-th chunk, M that of its middle
# sector, %NAME the text of an error; L is the path of the n-th small file by number, K that of the
# one after it, R that of the n-th with a random name, S that of any, T that of the n-th directory in
# the tree, V that of the tree.  A WHAT that ends in + strikes from the n-th call on.  MOST is how
# many calls are tried at most; where $picks names some, it is those, and each must be made.
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
	options_table
	create_table
}

# The same faults under the options that change the way of the data.
options_table() {
	few=8
	for o in -b -l -c -D; do
		kind "$f $o" write EIO fails "write P at O: %EIO" $few
		kind "$f $o" read EIO fails "read P at O: %EIO" $few
		kind "$f $o" pread EIO fails "seeker [123]: read P at [0-9]*: %EIO" $few
	done
	kind "$f -D" write zero fails "write P at O: $nothing" $few
	kind "$f -D" read zero fails "read P at O: unexpected end of file" $few
	kind "$f -D" read flip fails "read P at M: $wrong" $few
	for e in EIO ENOSPC; do
		kind "$f -b" fsync/p $e fails "fsync P: %$e"
	done
	kind "$one -b" fsync/c EIO fails "seeker [123]: fsync P: %EIO"
	kind "$f -b" fsync EINTR finishes $few
	kind "$f -b" fsync EINVAL finishes $few

	# The second openat asks for direct I/O, the first pwrite tries it.
	picks=2
	for e in EINVAL EOPNOTSUPP EMFILE; do
		kind "$f -D" openat $e buffers "%$e"
		refuse='unlinkat:1:EBUSY;'
		kind "$f -D" openat $e buffers "%$e"
		refuse=''
	done
	picks=1
	kind "$f -D" openat EIO fails "create P: %EIO"
	for e in EINVAL EIO; do
		direct "$f -D" pwrite $e buffers "%$e"
	done
	direct "$f -D" pwrite short buffers "it was cut short"
	direct "$f -D" pwrite EINTR finishes
	picks=''
}

# A row for a file system that takes direct I/O only.
direct() {
	rules=''
	go -f -s 64k:4k:1 -r 0 -D
	if grep -q '^Buffered:' "$T/out"; then
		skip "$2: $3" "no direct I/O here"
	else
		kind "$@"
	fi
}

# -n: 1024 files in two directories.  @1 to @6 are its phases.
create_table() {
	files='-s 0 -n 1:3000:100:2 -z 1 -r 0'
	flat='-s 0 -n 1:3000:100 -z 1 -r 0'
	none='-s 0 -n 1:0:0:2 -z 1 -r 0'
	hard='-s 0 -n 1:-1:0:2 -z 1 -r 0'
	soft='-s 0 -n 1:-2:0:2 -z 1 -r 0'
	ends=700
	[ -z "$deep" ] || ends='1 513 1024'
	last=${ends##* }
	picks=$ends
	for e in EIO EMFILE ENOSPC EDQUOT EROFS EACCES EEXIST; do
		kind "$files" openat.leaf@1 $e fails "create L: %$e"
	done
	kind "$files" openat.leaf@4 ENOSPC fails "create R: %ENOSPC"
	for e in EIO ENOSPC EDQUOT EFBIG EROFS; do
		kind "$files" write.leaf@1 $e fails "write L: %$e"
	done
	kind "$files" write.leaf@1 zero fails "write L: $nothing"
	kind "$files" write.leaf@4 EIO fails "write R: %EIO"
	kind "$files" write.leaf@4 "done" fails "write R: %EIO"
	for e in EIO ENOSPC EDQUOT; do
		kind "$files" close.leaf@1 $e fails "close L: %$e"
	done
	kind "$files" close.leaf@4 EIO fails "close R: %EIO"
	kind "$files" close.leaf@1 EINTR finishes
	kind "$files" close.leaf@2 EIO finishes

	for e in EIO EMFILE ESTALE; do
		kind "$files" openat.leaf@2 $e fails "open L: %$e"
		kind "$files" openat.leaf@5 $e fails "open S: %$e"
	done
	for e in EIO ESTALE; do
		kind "$files" read.leaf@2 $e fails "read L: %$e"
		kind "$files" read.leaf@5 $e fails "read S: %$e"
	done
	kind "$files" read.leaf@2 zero fails "read L: unexpected end of file"
	kind "$files" read.leaf@2 flip fails "read L: $wrong"
	kind "$files" read.leaf@5 flip fails "read S: $wrong"
	kind "$files -c" read.leaf@2 byte=0 fails "read L: $wrong"
	kind "$files -c" read.leaf@5 byte=99 fails "read S: $wrong"
	for what in EINTR short short=1 short=99; do
		kind "$files" write.leaf@1 $what finishes
		kind "$files" read.leaf@2 $what finishes
	done

	for e in EIO EBUSY EPERM EROFS; do
		kind "$files" unlinkat@3 $e fails "unlink L: %$e"
	done
	kind "$files" unlinkat@6 EIO fails "unlink S: %EIO"

	# Every file and its directory, with -b.
	for e in EIO ENOSPC EDQUOT; do
		kind "$files -b" fsync.leaf@1 $e fails "fsync L: %$e"
	done
	kind "$files -b" fsync.leaf@4 EIO fails "fsync R: %EIO"
	kind "$files -b" fsync.tree@1 EIO fails "fsync directory T: %EIO"
	kind "$files -b" fsync.tree@3 EIO fails "fsync directory T: %EIO"
	kind "$flat -b" fsync.tree@1 EIO fails "fsync directory V: %EIO"
	kind "$files -b" openat.tree@1 EMFILE fails "open directory T: %EMFILE"
	for what in EINTR EINVAL ENOSYS; do
		kind "$files -b" fsync.leaf@1 $what finishes
		kind "$files -b" fsync.tree@3 $what finishes
	done

	# Links: the first name is that of the file itself.
	for e in EIO ENOSPC EDQUOT EPERM; do
		kind "$soft" symlinkat@1 $e fails "symlink L: %$e"
	done
	kind "$soft" symlinkat@4 EIO fails "symlink R: %EIO"
	for o in "$none" "$hard" "$soft"; do
		kind "$o" fstatat@2 EIO fails "stat L: %EIO"
		kind "$o" fstatat@5 EIO fails "stat S: %EIO"
		kind "$o" unlinkat@3 EIO fails "unlink L: %EIO"
	done
	picks=700
	[ -z "$deep" ] || picks='1 513 1023'
	for e in EIO ENOSPC EDQUOT EPERM; do
		kind "$hard" linkat@1 $e fails "link K: %$e"
	done
	kind "$hard" linkat@4 EIO fails "link S: %EIO"
	kind "$hard" linkat@1 EMLINK finishes
	kind "$hard" linkat@4 EMLINK finishes
	kind "$hard" linkat@1 EMLINK+ finishes

	# The tree itself: made, on the disk after each phase that changes it, and taken away.
	picks=1
	for e in EIO ENOSPC EMLINK EROFS; do
		kind "$files" mkdirat $e fails "make directory V: %$e"
	done
	kind "$files" mkdirat EEXIST finishes
	kind "$files" mkdirat EEXIST+ fails "make directory V: %EEXIST"
	kind "$files" openat EMFILE fails "open directory V: %EMFILE"
	kind "$hard" openat.leaf@1 ENOSPC fails "create L: %ENOSPC"
	for at in 1 3 4 6; do
		for e in EIO ENOSPC EDQUOT; do
			kind "$files" syncfs@$at $e fails "syncfs V: %$e"
		done
		kind "$files" syncfs@$at EINTR finishes
		kind "$flat" fsync.tree@$at EIO fails "fsync directory V: %EIO"
	done
	picks='1 2'
	for at in 1 3 4 6; do
		for e in EIO ENOSPC; do
			kind "$files" fsync.tree@$at $e fails "fsync directory T: %$e"
		done
		kind "$files" openat.tree@$at EMFILE fails "open directory T: %EMFILE"
		kind "$files" fsync.tree@$at EINVAL finishes
		kind "$files" fsync.tree@$at EINTR finishes
	done
	picks='2 3'
	for e in EIO ENOSPC EMLINK; do
		kind "$files" mkdirat $e fails "make directory V/0000[01]: %$e"
	done
	picks='3 4 5'
	kind "$files" openat.tree@6 EMFILE finishes
	picks='1025 1026 1027 1028 1029'
	kind "$files" unlinkat@6 EBUSY finishes
	picks=''
	kind "$files" malloc@6 ENOMEM either "cannot print the result: %ENOMEM"
	kind "$files" clock_gettime stuck+ finishes 1
	refuse='unlinkat:1-3:EBUSY;'
	picks=$last
	kind "$files" write.leaf@1 ENOSPC fails "write L: %ENOSPC"
	kind "$files" read.leaf@2 flip fails "read L: $wrong"
	refuse=''
	# Behind the phases of a scratch file, whose row must not be printed.
	kind "$f -n 1:3000:100:2" write.leaf@1 EIO fails "write L: %EIO"
	picks=1025
	kind "$files" unlinkat@6 EBUSY+ stays "cannot remove V: rm -r it: %EBUSY"
	picks=3
	kind "$files" openat.tree@6 EMFILE+ stays "cannot remove V: rm -r it: %EMFILE"
	picks=''
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

# The paths of -n, which are below two directories, for the n-th call.
expand_tree() {
	root="$D/Bonnie.[0-9]*.d"
	number=$(($1 - 1))
	case $pattern in
	*" K: "*) number=$1 ;;
	esac
	seven=000000$number
	while [ ${#seven} -gt 7 ]; do
		seven=${seven#0}
	done
	place=$root/0000$((number % 2))
	case $pattern in
	*" V: "*) pattern="${pattern%% V: *} $root: ${pattern#* V: }" ;;
	*" V/"*) pattern="${pattern%% V/*} $root/${pattern#* V/}" ;;
	*" T: "*) pattern="${pattern%% T: *} $place: ${pattern#* T: }" ;;
	*" L: "*) pattern="${pattern%% L: *} $place/$seven*: ${pattern#* L: }" ;;
	*" K: "*) pattern="${pattern%% K: *} $place/$seven*: ${pattern#* K: }" ;;
	*" R: "*) pattern="${pattern%% R: *} $place/*$seven: ${pattern#* R: }" ;;
	*" S: "*) pattern="${pattern%% S: *} $root/0000[01]/*[0-9]: ${pattern#* S: }" ;;
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
	expand_tree "$n"
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
