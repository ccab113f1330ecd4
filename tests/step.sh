# Drives bonnie -w from a test: sourced behind lib.sh.
#
#	start ARG...	starts bonnie -w ARG... in the background; $pid
#	ready PHASE	lets it do all up to this phase, for which it then waits
#	ready_any	waits until it is ready for any; $line is what it said
#	go		lets it do that phase
#	walk		lets it do all that is left
#	ended		reads the rest of its stderr and waits for it; $status
#
# stdout is in $T/out, stderr in $T/err.  With $RUN set to a program, that starts bonnie.
: "${T:?}"
RUN=
mkfifo "$T/go" "$T/say" || exit 1

start() {
	# Waiting for a reader or writer at the two pipes puts both sides in step.
	$RUN "$BONNIE" -w "$@" <"$T/go" >"$T/out" 2>"$T/say" &
	pid=$!
	exec 3>"$T/go" 4<"$T/say"
	: >"$T/err"
}

# The next line that says ready, in $line.
ready_any() {
	while IFS= read -r line <&4; do
		printf '%s\n' "$line" >>"$T/err"
		case $line in
		'ready '*) return 0 ;;
		esac
	done
	return 1
}

# In a process of its own: bonnie may be gone, and then this is killed.
go() {
	(echo >&3) 2>/dev/null
}

ready() {
	while ready_any; do
		[ "$line" != "ready $1" ] || return 0
		go
	done
	return 1
}

walk() {
	while ready_any; do
		go
	done
}

ended() {
	exec 3>&-
	cat <&4 >>"$T/err"
	wait "$pid"
	# shellcheck disable=SC2034 # for the test
	status=$?
	exec 4<&-
}

# A program that undoes what a shell does to its background processes: it lets INT and QUIT end
# them.  Returns 1 where it cannot be compiled.
build_plain() {
	cat >"$T/plain.c" <<-'EOT'
		#include <signal.h>
		#include <unistd.h>
		int
		main(int argc, char **argv)
		{
			(void)argc;
			signal(SIGINT, SIG_DFL);
			signal(SIGQUIT, SIG_DFL);
			signal(SIGTERM, SIG_DFL);
			signal(SIGHUP, SIG_DFL);
			execvp(argv[1], argv + 1);
			return 127;
		}
	EOT
	"$CC" -o "$T/plain" "$T/plain.c" 2>/dev/null
}
