/*
 * Runs a command as a shell in the foreground would, watches it, and says how it ended:
 *
 *	group [-t seconds] [-e NAME=value] [-i signal] [-T file] [-w file text] [-a who:signal] ...
 *	    report command [arg ...]
 *
 * The command gets a process group of its own and the default action for every signal (shells start
 * background jobs with SIGINT ignored) but those of -i, which it ignores as under nohup.  With -w
 * group waits until the file holds the text, and then does what each -a says, in turn: sends the
 * signal to the command (c), to its whole group (g), to its first child (1) or to all its children
 * (a).  After a STOP it waits until the command has stopped.
 *
 * With -T stderr is a terminal, and the file gets what it shows.
 *
 * The file named report gets one line: the status as a shell shows it (or "timeout"), how many
 * processes were left a second after the command had ended (they are killed then), whether the
 * actions came in time ("acted" or "late").  Linux only for "left": it makes orphans our children.
 *
 *	group -E
 *
 * prints the errors that the tests inject as shell assignments: EIO='Input/output error', ...
 */
#if defined(__linux__)
#define _GNU_SOURCE
#include <sys/prctl.h>
#else
#define _XOPEN_SOURCE 700
#endif
#include <sys/types.h>
#include <sys/wait.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define ACTIONS	8
#define KIDS	512

static const struct {
	const char *name;
	int sig;
} names[] = {
	{ "INT", SIGINT }, { "TERM", SIGTERM }, { "HUP", SIGHUP }, { "QUIT", SIGQUIT },
	{ "KILL", SIGKILL }, { "STOP", SIGSTOP }, { "CONT", SIGCONT }, { "XCPU", SIGXCPU },
	{ "SEGV", SIGSEGV },
};

static const struct {
	const char *name;
	int err;
} errors[] = {
	{ "EIO", EIO }, { "ENOSPC", ENOSPC }, { "EDQUOT", EDQUOT }, { "EFBIG", EFBIG },
	{ "EROFS", EROFS },
	{ "ESTALE", ESTALE }, { "EMFILE", EMFILE }, { "ENFILE", ENFILE }, { "ENOMEM", ENOMEM },
	{ "EAGAIN", EAGAIN }, { "EACCES", EACCES }, { "EEXIST", EEXIST }, { "ELOOP", ELOOP },
	{ "EBUSY", EBUSY }, { "EPERM", EPERM }, { "EINVAL", EINVAL }, { "EINTR", EINTR },
	{ "ENXIO", ENXIO }, { "ENOENT", ENOENT }, { "EPIPE", EPIPE }, { "EMLINK", EMLINK },
	{ "EOPNOTSUPP", EOPNOTSUPP },
};

static int
number(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(names[i].name, name) == 0)
			return names[i].sig;
	fprintf(stderr, "group: no such signal: %s\n", name);
	exit(125);
}

static double
now(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int
holds(const char *file, const char *text)
{
	static char buf[65536];
	FILE *f = fopen(file, "r");
	size_t n;

	if (f == NULL)
		return 0;
	n = fread(buf, 1, sizeof(buf) - 1, f);
	buf[n] = '\0';
	(void)fclose(f);
	return n > 0 && strstr(buf, text) != NULL;
}

/* The children of a process that still run, from /proc; zombies do not count. */
static int
children(pid_t parent, pid_t *kid, int most)
{
	DIR *dir = opendir("/proc");
	struct dirent *e;
	char path[300], line[512], *p, state;
	int n = 0, ppid;
	FILE *f;

	while (dir != NULL && n < most && (e = readdir(dir)) != NULL) {
		if (e->d_name[0] < '0' || e->d_name[0] > '9')
			continue;
		(void)snprintf(path, sizeof(path), "/proc/%s/stat", e->d_name);
		if ((f = fopen(path, "r")) == NULL)
			continue;
		if (fgets(line, sizeof(line), f) != NULL && (p = strrchr(line, ')')) != NULL &&
		    sscanf(p + 1, " %c %d", &state, &ppid) == 2 && ppid == (int)parent &&
		    state != 'Z')
			kid[n++] = (pid_t)atol(e->d_name);
		(void)fclose(f);
	}
	if (dir != NULL)
		(void)closedir(dir);
	return n;
}

static void
act(pid_t pid, const char *action)
{
	int sig = number(action + 2), n, i, status;
	pid_t kid[KIDS];

	switch (action[0]) {
	case 'c':
		(void)kill(pid, sig);
		break;
	case 'g':
		(void)kill(-pid, sig);
		break;
	default:
		n = children(pid, kid, KIDS);
		for (i = 0; i < n && (action[0] == 'a' || i == 0); i++)
			(void)kill(kid[i], sig);
	}
	if (sig == SIGSTOP && (action[0] == 'c' || action[0] == 'g'))
		(void)waitpid(pid, &status, WUNTRACED);
}

/* Who ends us ends the command too: an interrupted test leaves nothing running. */
static volatile pid_t command;

static void
stop(int sig)
{
	if (command > 0)
		(void)kill(-command, SIGKILL);
	_exit(128 + sig);
}

/* A terminal: returns the side that shows, and the other in *end. */
static int
terminal(int *end)
{
	int fd = posix_openpt(O_RDWR | O_NOCTTY);

	if (fd == -1 || grantpt(fd) == -1 || unlockpt(fd) == -1 ||
	    (*end = open(ptsname(fd), O_RDWR | O_NOCTTY)) == -1)
		exit(125);
	(void)fcntl(fd, F_SETFL, O_NONBLOCK);
	(void)fcntl(fd, F_SETFD, FD_CLOEXEC);
	return fd;
}

static void
copy(int fd, FILE *to)
{
	char buf[4096];
	ssize_t n;

	while (fd != -1 && (n = read(fd, buf, sizeof(buf))) > 0)
		(void)fwrite(buf, 1, (size_t)n, to);
}

static void
become(char **argv, char **set, int sets, int *ignore, int ignores)
{
	sigset_t none;
	int i;

	(void)setpgid(0, 0);
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	for (i = 1; i < 32; i++)
		(void)signal(i, SIG_DFL);
	for (i = 0; i < ignores; i++)
		(void)signal(ignore[i], SIG_IGN);
	for (i = 0; i < sets; i++)
		(void)putenv(set[i]);
	(void)execvp(argv[0], argv);
	perror(argv[0]);
	_exit(127);
}

int
main(int argc, char **argv)
{
	char *set[16], *action[ACTIONS], *file = NULL, *text = NULL;
	int ignore[8], sets = 0, ignores = 0, actions = 0, c, status = 0, left = 0, late, ended = 0;
	int shows = -1, end_of_it = -1;
	FILE *screen = NULL;
	double limit = 5, end;
	size_t i;
	FILE *report;
	pid_t pid, got;

	while ((c = getopt(argc, argv, "+Et:e:i:w:a:T:")) != -1)
		if (c == 'E') {
			for (i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
				printf("%s='%s'\n", errors[i].name, strerror(errors[i].err));
			return 0;
		} else if (c == 't')
			limit = atof(optarg);
		else if (c == 'e' && sets < 16)
			set[sets++] = optarg;
		else if (c == 'i' && ignores < 8)
			ignore[ignores++] = number(optarg);
		else if (c == 'a' && actions < ACTIONS)
			action[actions++] = optarg;
		else if (c == 'T') {
			screen = fopen(optarg, "w");
			shows = terminal(&end_of_it);
		} else if (c == 'w') {
			file = optarg;
			text = argv[optind++];
		} else
			return 125;
	if (argc - optind < 2 || (report = fopen(argv[optind], "w")) == NULL)
		return 125;
#ifdef PR_SET_CHILD_SUBREAPER
	(void)prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
#endif
	(void)signal(SIGINT, stop);
	(void)signal(SIGTERM, stop);
	(void)signal(SIGHUP, stop);
	if ((pid = fork()) == 0) {
		if (end_of_it != -1)
			(void)dup2(end_of_it, 2);
		become(argv + optind + 1, set, sets, ignore, ignores);
	}
	(void)setpgid(pid, pid);
	command = pid;
	late = actions > 0;
	end = now() + limit;
	while ((got = waitpid(-1, &status, WNOHANG)) != pid && now() < end) {
		if (late && (file == NULL || holds(file, text))) {
			for (c = 0; c < actions; c++)
				act(pid, action[c]);
			late = 0;
			end = now() + limit;	/* from the fault on */
		}
		copy(shows, screen);
		if (got <= 0)
			(void)poll(NULL, 0, 2);
	}
	ended = got == pid;
	copy(shows, screen);
	if (screen != NULL)
		(void)fclose(screen);
	/* What is left becomes ours; a second is given to go. */
	for (end = now() + 1; ended && (got = waitpid(-1, &c, WNOHANG)) != -1 && now() < end;)
		if (got == 0)
			(void)poll(NULL, 0, 2);
	if (ended && got != -1)
		left = children(getpid(), (pid_t[KIDS]){ 0 }, KIDS);
	(void)kill(-pid, SIGKILL);
	if (!ended)
		fprintf(report, "timeout ");
	else
		fprintf(report, "%d ", WIFSIGNALED(status) ? 128 + WTERMSIG(status) :
		    WEXITSTATUS(status));
	fprintf(report, "%d %s\n", left, late ? "late" : "acted");
	(void)fclose(report);
	while (waitpid(-1, &c, 0) > 0)
		continue;
	return 0;
}
