/*
 * Bonnie - how fast is this disk, as a program sees it?
 *
 *	bonnie -d /mnt/new > post.txt
 *
 * writes one big scratch file and measures six things: output with putc() and in chunks, rewrite,
 * input with getc() and in chunks, and random seeks by forked processes; then prints the one-row
 * table that Tim Bray's Bonnie has printed since 1990.  stdout carries that table and nothing else.
 *
 * What makes the figures those of the disk and not of memory:
 *	- every phase that writes ends with fsync() inside the timed region;
 *	- the page cache is emptied of the scratch file before every phase that reads;
 *	- the data cannot be compressed or deduplicated, and all that is read back is checked;
 *	- no place of the file is read twice by the seekers until all have been read.
 *
 * Nothing is left behind: the scratch file loses its name as soon as it is open.
 *
 * Assumed: POSIX.1-2008, 64-bit off_t, CHAR_BIT 8.  What a system has beyond that is used through
 * the HAVE_ islands below and nowhere else.
 *
 * The rooms, top to bottom; each uses only rooms above it, so there are no prototypes:
 *
 *	Head			this comment, feature macros, includes, HAVE_ islands
 *	Types and limits	constants with their reasons, the structs
 *	Messages		stderr: fatal, warn, the progress line		(msg_)
 *	Cleanup and signals	what must be removed, who asked us to stop	(cleanup_, signal_)
 *	Numbers			parsing, and its refusals			(num_)
 *	Clock			stamps of time, the meter of a running phase	(clock_, meter_)
 *	Data			what is written, where seeks go		(rng_, data_, order_)
 *	System			RAM, cgroups, mounts, free room			(sys_)
 *	File			every call on the scratch file			(file_)
 *	Phases			one body a phase				(phase_)
 *	Seekers			fork, barrier, reports, reaping			(seek_)
 *	Create phases		the tree of small files				(create_)
 *	Phase table and runner	phases[], the only stop-watch			(run_)
 *	Report			formats[], rates and %CPU			(out_)
 *	Options			options[], one row each				(opt_)
 *	main
 *
 * Data flow one way: argv -> struct plan (const once parsed) -> struct run -> struct result[] ->
 * a format.  Inside, everything is bytes and nanoseconds in uint64_t; units appear in Report only.
 */
#define _FILE_OFFSET_BITS 64
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE			/* O_PATH, sync_file_range() */
#elif defined(__APPLE__)
#define _DARWIN_C_SOURCE		/* _SC_PHYS_PAGES */
#elif defined(__NetBSD__)
#define _NETBSD_SOURCE			/* _SC_PHYS_PAGES */
#elif defined(__sun)
#define __EXTENSIONS__			/* _SC_PHYS_PAGES */
#endif

#include <sys/types.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/*
 * The islands: one macro each for what POSIX makes optional or does not have.  The code below asks
 * for HAVE_ names only.
 */
#ifdef POSIX_FADV_DONTNEED
#define HAVE_FADVISE 1			/* not on macOS and OpenBSD */
#endif
#ifdef O_DIRECT
#define HAVE_DIRECT 1			/* Linux, FreeBSD, NetBSD */
#endif
#ifdef SYNC_FILE_RANGE_WRITE
#define HAVE_SYNC_FILE_RANGE 1		/* Linux */
#endif
#if defined(F_FULLFSYNC)		/* macOS: fsync() ends at the cache of the drive */
#define HAVE_FULL_FSYNC(fd) fcntl(fd, F_FULLFSYNC)
#elif defined(FDISKSYNC)		/* NetBSD: the same */
#define HAVE_FULL_FSYNC(fd) fsync_range(fd, FFILESYNC | FDISKSYNC, 0, 0)
#endif
#ifdef __APPLE__			/* what initgroups() takes */
#define HAVE_GROUP_TYPE int
#else
#define HAVE_GROUP_TYPE gid_t
#endif
#ifdef __linux__
#define HAVE_SYNCFS 1
#endif
#ifdef _SC_PHYS_PAGES
#define HAVE_PHYS_PAGES 1		/* all systems we know; not in POSIX */
#endif
#ifdef CLOCK_MONOTONIC
#define HAVE_MONOTONIC 1
#endif
#if defined(O_PATH)
#define HAVE_O_SEARCH O_PATH		/* Linux's way to hold a directory one may not list */
#elif defined(O_SEARCH)
#define HAVE_O_SEARCH O_SEARCH		/* POSIX's way */
#else
#define HAVE_O_SEARCH O_RDONLY
#endif

#ifdef __GNUC__				/* clang has it too: let the compiler check our formats */
#define LIKE_PRINTF(text, first) __attribute__((format(printf, text, first)))
#define NO_RETURN __attribute__((noreturn))
#else
#define LIKE_PRINTF(text, first)
#define NO_RETURN
#endif

/* A 32-bit off_t would end the benchmark at 2 GiB: refuse to be compiled. */
typedef char off_t_has_64_bits[sizeof(off_t) == 8 ? 1 : -1];

/* ---- Types and limits ------------------------------------------------------------------------
 *
 * Owns every constant that was chosen, with the reason, and the structs that the rooms hand to
 * each other.  A field says its unit.  To add an option: a field in struct plan, a row in
 * options[].  To add a phase: a column here if the table shows it, a body in Phases, a row in
 * phases[].
 */
#define VERSION		"3.0"		/* above every relative's 1.x and 2.x */

#define KIB		UINT64_C(1024)
#define MIB		(1024 * KIB)
#define SECOND		UINT64_C(1000000000)	/* in nanoseconds */

#define SECTOR		512u		/* bytes; the unit in which data are made and checked */
#define WORDS		(SECTOR / 8)	/* 64-bit words of a sector */
#define POOL		128u		/* sectors of the random pool: 64 KiB, fits any L2 cache */

#define CHUNK_DEFAULT	(16 * KIB)	/* as in 1996 */
#define CHUNK_MIN	512
#define CHUNK_MAX	(16 * MIB)
#define SEEK_BYTES	(16 * KIB)	/* a seek reads this much, or a chunk if that is smaller */
#define SEEKERS_DEFAULT	3		/* as in 1996 */
#define SEEKERS_MAX	256
#define SEEKERS_NAMED	3		/* more than these would not fit a line of 80 columns */
#define SEEKS_LEAST	4000		/* without a number, go on for so many seeks ... */
#define SEEK_LEAST_NS	(10 * SECOND)	/* ... and so long: a disk that may start with a burst of */
					/* 0.2 s, as throttled ones do, is then 2 % off; ... */
#define SEEK_MOST_NS	(60 * SECOND)	/* ... but never longer */
#define SEEK_STOOD	600		/* readings, 1/10 s apart at most, of a clock that stands */
#define SEEK_WRITES	10		/* every tenth seek changes and writes back, as in 1996 */

#define STRETCH		(8 * MIB)	/* bytes between two hints to start writing out */
#define STRETCHES_AHEAD	4		/* stretches under way before we wait for the oldest */
					/* no disk is idle, and the progress is the disk's */
#define TICK_NS		(SECOND / 10)	/* how often seekers report and the parent looks round */
#define ALIGNMENT	4096		/* of the buffer in bytes: what direct I/O may ask for */
#define OCTAVE		32u		/* latency buckets for each doubling: 3 % wide, 1.6 % off */
#define LATENCIES	(60 * OCTAVE)	/* buckets for any time of 64 bits in nanoseconds */
#define SAMPLES		128u		/* of the progress; when full, neighbours are merged */
#define SAMPLE_NS	SECOND		/* between two of them at first */
#define LEVEL_SAMPLES	3u		/* a level of the rate lasts so many samples at least ... */
#define LEVEL_SHARE	8u		/* ... and one in so many of the phase's */
#define LEVEL_RATIO	1.4		/* between two levels that are clearly different */
#define LABEL_MOST	24		/* columns of a label in the text table */
#define NAMES_TRIED	1000		/* of Bonnie.PID, Bonnie.PID.1, ... before giving up */
#define NOWHERE		UINT64_MAX	/* a fault of the scratch file that has no offset */
#define IN_TREE		(UINT64_MAX - 2)	/* a fault of the small file named in the tree */
#define NO_FILE		(UINT64_MAX - 1)	/* a fault that does not concern the scratch file */

/* The six columns of the table, in its order; then those of the create phases, in theirs. */
enum column {
	COL_PUTC, COL_BLOCK, COL_REWRITE, COL_GETC, COL_READ, COL_SEEKS, COLUMNS,
	COL_SEQ_CREATE = COLUMNS, COL_SEQ_READ, COL_SEQ_DELETE,
	COL_RAN_CREATE, COL_RAN_READ, COL_RAN_DELETE, RESULTS
};

#define CELLS		(2 + 2 * COLUMNS)	/* of a row: label, MB, then rate and %CPU each */

/* Which contents a place of the file holds: a pass never writes what another has written. */
enum pass {
	PASS_PUTC, PASS_BLOCK, PASS_REWRITE, PASS_SEQ_CREATE, PASS_RAN_CREATE,
	PASS_SEEKS		/* + the round of the seekers */
};

/* What -n makes. */
enum kind { KIND_FILES, KIND_HARD_LINKS, KIND_SYMBOLIC_LINKS };

/* The first thing that went wrong in a run. */
struct fault {
	const char	*op;		/* what failed, a string constant: "write", "fork" */
	const char	*why;		/* a string constant: the reason, or what to do about err */
	uint64_t	 at;		/* offset in bytes, or NOWHERE, or NO_FILE */
	int		 err;		/* errno, only when a call has set it */
	unsigned	 seeker;	/* number of the seeker from 1; 0 = not one of them */
	int		 signal;	/* that killed the seeker */
};

/* Memory that could serve as a cache. */
struct ram {
	uint64_t	 bytes;		/* 0 = unknown */
	const char	*from;		/* where the figure comes from */
};

/* What the command line asks for. */
struct plan {
	const char	*dir;		/* scratch directory */
	const char	*label;		/* NULL = not given */
	bool		 size_given;
	uint64_t	 size;		/* of the scratch file in bytes; 0 = no file phases */
	size_t		 chunk;		/* bytes */
	uint64_t	 seeks;		/* in all; 0 = by time */
	unsigned	 seekers;	/* processes */
	uint64_t	 runs;
	struct ram	 ram;
	bool		 ram_given;	/* with -r */
	bool		 no_chars;	/* -f: skip putc() and getc() */
	uint64_t	 files;		/* -n: how many in all; 0 = no create phases */
	enum kind	 kind;
	uint64_t	 file_most;	/* bytes */
	uint64_t	 file_least;
	uint64_t	 dirs;		/* to spread the files over, 1 or more */
	const char	*user;		/* -u, as given, or NULL */
	const char	*group;		/* -g, the same */
	bool		 sync_each;	/* -b: fsync after every write */
	bool		 quiet;		/* -q */
	bool		 in_step;	/* -w: wait before each phase */
	bool		 direct;	/* -D */
	bool		 compare;	/* -c: compare every byte */
	bool		 latency;	/* -l */
	bool		 seed_given;
	uint64_t	 seed;
	const struct format *format;	/* a row of formats[], or NULL = not given */
	char		 type[64];	/* of the file system; "" = unknown */
	char		 device[256];	/* that it lies on; "" = unknown */
};

/* The scratch file. */
struct file {
	int		 dir;		/* descriptor of the directory, held from start to end */
	int		 fd;
	int		 direct;	/* the same file, opened for direct I/O; -1 = not */
	int		 io;		/* the one of the two that the running phase uses */
	FILE		*stream;	/* open in the per-character phases only */
	char		*path;		/* for messages */
	uint64_t	 position;	/* of io, in bytes: saves needless lseek() calls */
	uint64_t	 pushed;	/* bytes of this phase that were told to go to the disk */
	bool		 no_fsync;	/* the file system has none; said once */
	bool		 no_wait;	/* sync_file_range() is not supported */
	bool		 refused;	/* direct I/O was asked for and is not to be had */
	int		 refusal;	/* errno of the open() for it */
};

/* The tree of small files. */
struct tree {
	bool		 made;		/* and not yet removed */
	char		 root[64];	/* name of it in the scratch directory */
	int		 dir;		/* descriptor of the root; -1 = none */
	bool		 random;	/* the names and the order of the running phase */
	uint64_t	 key;		/* of names, sizes and order, one a run and kind of names */
	uint64_t	 contents;	/* key of the data */
	char		 name[64];	/* of the file in use, from the root */
	char		 target[64];	/* of the hard links, from the root */
};

/* The contents of the scratch file. */
struct data {
	uint64_t	 seed;
	uint64_t	 pool[POOL * WORDS];
};

/* The order in which the seekers visit the file. */
struct order {
	uint64_t	 places;
	uint64_t	 seekers;
	uint64_t	 key;		/* random, one a run */
};

/* How long the operations of a phase took. */
struct latency {
	uint64_t	 count[LATENCIES];	/* of operations, see lat_bucket() */
	uint64_t	 most_ns;	/* the longest */
};

/* A phase's progress over time: how much was done after each step. */
struct series {
	uint64_t	 step_ns;
	unsigned	 size;		/* samples taken */
	uint64_t	 done[SAMPLES];	/* bytes or seeks after step 1, 2, ... */
};

/* How far the running phase has come. */
struct meter {
	uint64_t	 total;		/* bytes or seeks that the phase will do; 0 = not known */
	uint64_t	 done;		/* of them, as the program sees it */
	uint64_t	 settled;	/* of them, as the disk sees it: less, while writing */
	bool		 settles;	/* meter_settle() says when, it is not simply done */
	uint64_t	 look;		/* value of done at which the clock is read again */
	uint64_t	 stride;	/* done between two looks */
	uint64_t	 start_ns;	/* clock */
	uint64_t	 looked_ns;	/* clock at the last look ... */
	uint64_t	 looked;	/* ... and what was settled then */
	uint64_t	 drawn_ns;	/* clock when the line was drawn last */
	bool		 counts;	/* seeks or files, not bytes */
	struct latency	*latency;	/* NULL = not asked for */
	uint64_t	 last_ns;	/* with latency: clock when the last operation ended */
	struct series	 series;
};

/* What a phase did. */
struct result {
	bool		 measured;	/* false = skipped */
	uint64_t	 amount;	/* bytes moved, or seeks */
	uint64_t	 wall_ns;
	uint64_t	 cpu_ns;	/* user + system; of the seekers: their sum */
	struct series	 series;
};

/* One run of all phases. */
struct run {
	const struct plan *plan;
	struct file	 file;
	struct data	 data;
	struct order	 order;
	uint64_t	*buf;		/* one chunk, aligned to a page */
	uint64_t	 written;	/* key of the pass whose data the file holds now */
	struct meter	 meter;
	struct fault	 fault;
	struct result	 result[RESULTS];
	struct tree	 tree;
	time_t		 began;		/* for json only; phases use a clock that never steps */
	uint64_t	 number;	/* from 0 */
	uint64_t	 seed;		/* of this run */
	struct latency	*latency;	/* one a column with -l, else NULL */
	int		 width[CELLS];	/* of the table printed so far, in columns; 0 = none yet */
};

/* ---- Messages --------------------------------------------------------------------------------
 *
 * Owns stderr.  All of it goes out through msg_put(), at once and in one write(2), so that a run
 * that dies has told what it knew.  The progress line of the running phase is kept in msg.line; a
 * message ends that line first and starts at column 1 as "bonnie: ".  A stderr that cannot be
 * written is no fault of the run.
 */
static struct {
	char	line[128];		/* the open progress line; "" = none */
	size_t	drawn;			/* columns on the terminal */
	bool	terminal;		/* redraw in place */
	bool	quiet;			/* no progress */
} msg;

static void
msg_put(const char *text, size_t len)
{
	ssize_t n;

	while (len > 0) {
		n = write(STDERR_FILENO, text, len);
		if (n == -1 && errno == EINTR)
			continue;
		if (n <= 0)
			return;
		text += n;
		len -= (size_t)n;
	}
}

static void
msg_open(void)
{
	msg.terminal = isatty(STDERR_FILENO) == 1;
}

/* One message line.  Control characters in it (a path may hold any) become '?'. */
LIKE_PRINTF(2, 0)
static void
msg_line(const char *kind, const char *format, va_list args, int err)
{
	char text[PATH_MAX + 512];
	size_t len, start = 0;

	if (msg.line[0] != '\0')
		text[start++] = '\n';
	msg.line[0] = '\0';
	msg.drawn = 0;
	len = start + (size_t)snprintf(text + start, sizeof(text) - start, "bonnie: %s", kind);
	(void)vsnprintf(text + len, sizeof(text) - len - 1, format, args);
	len += strlen(text + len);
	if (err != 0)
		(void)snprintf(text + len, sizeof(text) - len - 1, ": %s", strerror(err));
	for (len = start; text[len] != '\0'; len++)
		if ((unsigned char)text[len] < ' ' || text[len] == 0x7f)
			text[len] = '?';
	text[len++] = '\n';
	msg_put(text, len);
}

/* Something the user should know; changes no exit status. */
LIKE_PRINTF(1, 2)
static void
warn(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	msg_line("warning: ", format, args, 0);
	va_end(args);
}

/* Something seen in passing. */
LIKE_PRINTF(1, 2)
static void
msg_note(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	msg_line("note: ", format, args, 0);
	va_end(args);
}

/* Says what failed and goes on: the caller returns the failure. */
LIKE_PRINTF(2, 3)
static void
msg_error(int err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	msg_line("", format, args, err);
	va_end(args);
}

/* Ends the program with status 1 and the reason in errno; only while nothing has been made yet. */
LIKE_PRINTF(1, 2) NO_RETURN
static void
fatal(const char *format, ...)
{
	va_list args;
	int err = errno;

	va_start(args, format);
	msg_line("", format, args, err);
	va_end(args);
	exit(1);
}

/* The same where errno says nothing. */
LIKE_PRINTF(1, 2) NO_RETURN
static void
fatalx(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	msg_line("", format, args, 0);
	va_end(args);
	exit(1);
}

/* A command line that cannot be run: one line, status 2. */
LIKE_PRINTF(1, 2) NO_RETURN
static void
msg_usage(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	msg_line("", format, args, 0);
	va_end(args);
	exit(2);
}

/* A line of its own that is not a complaint. */
LIKE_PRINTF(1, 2)
static void
msg_info(const char *format, ...)
{
	char text[PATH_MAX + 128];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	msg_put(text, strlen(text));
}

/* Opens the progress line, or adds to it. */
LIKE_PRINTF(1, 2)
static void
msg_progress(const char *format, ...)
{
	size_t len = strlen(msg.line);
	va_list args;

	if (msg.quiet)
		return;
	va_start(args, format);
	(void)vsnprintf(msg.line + len, sizeof(msg.line) - len, format, args);
	va_end(args);
	msg_put(msg.line + len, strlen(msg.line + len));
	msg.drawn = strlen(msg.line);
}

/* Writes the progress line anew with this text behind it, over what the terminal showed. */
static void
msg_redraw(const char *behind, const char *end)
{
	char text[512];
	size_t len = strlen(msg.line) + strlen(behind);
	int blanks = msg.drawn > len ? (int)(msg.drawn - len) : 0;

	if (msg.quiet)
		return;
	(void)snprintf(text, sizeof(text), "\r%s%s%*s%s", msg.line, behind, blanks, "", end);
	msg_put(text, strlen(text));
	msg.drawn = len;
}

/* A run that a signal ends leaves no half line on stderr. */
static void
msg_break(void)
{
	if (msg.line[0] != '\0')
		msg_put("\n", 1);
	msg.line[0] = '\0';
	msg.drawn = 0;
}

/* Ends the progress line with what the phase came to. */
LIKE_PRINTF(1, 2)
static void
msg_done(const char *format, ...)
{
	char text[256];
	va_list args;

	if (msg.quiet)
		return;
	va_start(args, format);
	(void)vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (msg.terminal)
		msg_redraw(text, "\n");
	else {
		(void)strncat(text, "\n", sizeof(text) - strlen(text) - 1);
		msg_put(text, strlen(text));
	}
	msg.line[0] = '\0';
	msg.drawn = 0;
}

/* ---- Cleanup and signals ---------------------------------------------------------------------
 *
 * Owns the one name that a run may have to remove on its way out (only where the file system would
 * not let an open file go nameless), and the signals that end a run.  The handler sets a flag; the
 * loops see it at the next chunk, the run unwinds, and main dies of the same signal, so that the
 * shell learns the truth.  A second signal of the same kind ends the program at once.
 */
static volatile sig_atomic_t signal_caught;	/* 0, or the first signal that asked us to end */

static struct {
	int	dir;			/* descriptor */
	char	name[64];		/* "" = nothing to remove */
	dev_t	dev;			/* what it named when we made it */
	ino_t	ino;
} cleanup;

static const int signal_ends[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU };

#define SIGNAL_ENDS	(sizeof(signal_ends) / sizeof(signal_ends[0]))

static void
cleanup_later(int dir, const char *name, int fd)
{
	struct stat st;

	memset(&st, 0, sizeof(st));
	(void)fstat(fd, &st);
	cleanup.dir = dir;
	cleanup.dev = st.st_dev;
	cleanup.ino = st.st_ino;
	(void)snprintf(cleanup.name, sizeof(cleanup.name), "%s", name);
}

/* Returns 0, or -1 with errno when something of ours is still there.  What took its name stays. */
static int
cleanup_now(void)
{
	struct stat st;
	int rc = 0;

	if (cleanup.name[0] != '\0' &&
	    fstatat(cleanup.dir, cleanup.name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	    st.st_dev == cleanup.dev && st.st_ino == cleanup.ino)
		rc = unlinkat(cleanup.dir, cleanup.name, 0);
	cleanup.name[0] = '\0';
	return rc;
}

static void
signal_handler(int sig)
{
	if (signal_caught == 0)
		signal_caught = sig;
}

/* These become errors of the call; from the first message on, for nobody may read stderr. */
static void
signal_ignore(void)
{
	(void)signal(SIGXFSZ, SIG_IGN);	/* become EFBIG ... */
	(void)signal(SIGPIPE, SIG_IGN);	/* ... and EPIPE */
}

/* Who ignored a signal before us (nohup) goes on ignoring it. */
static void
signal_setup(void)
{
	struct sigaction now, act;
	size_t i;

	memset(&act, 0, sizeof(act));
	(void)sigemptyset(&act.sa_mask);
	act.sa_handler = SIG_DFL;
	(void)sigaction(SIGCHLD, &act, NULL);	/* if ignored, seekers could not be waited for */
	act.sa_handler = signal_handler;
	act.sa_flags = (int)SA_RESTART | (int)SA_RESETHAND;	/* stdio cannot resume from EINTR */
	for (i = 0; i < SIGNAL_ENDS; i++)
		if (sigaction(signal_ends[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
			(void)sigaction(signal_ends[i], &act, NULL);
}

/* Holds back the signals that end a run, or lets them through again. */
static void
signal_hold(int how)
{
	sigset_t set;
	size_t i;

	(void)sigemptyset(&set);
	for (i = 0; i < SIGNAL_ENDS; i++)
		(void)sigaddset(&set, signal_ends[i]);
	(void)sigprocmask(how, &set, NULL);
}

/* In a seeker, signals held: they end it at once, it has nothing to clean up. */
static void
signal_default(void)
{
	struct sigaction now;
	size_t i;

	for (i = 0; i < SIGNAL_ENDS; i++)
		if (sigaction(signal_ends[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
			(void)signal(signal_ends[i], SIG_DFL);
	if (signal_caught != 0)
		_exit(1);
	signal_hold(SIG_UNBLOCK);
}

/* Dies of the signal that was caught, so that a shell says 128+n. */
NO_RETURN
static void
signal_die(void)
{
	int sig = (int)signal_caught;	/* FreeBSD: sig_atomic_t is a long */

	msg_break();
	(void)signal(sig, SIG_DFL);
	signal_hold(SIG_UNBLOCK);
	(void)raise(sig);
	_exit(128 + sig);
}

/* ---- Numbers ---------------------------------------------------------------------------------
 *
 * Owns the reading of numbers from the command line.  A number is digits and nothing else: no sign,
 * no blank, no 0x, no fraction; a size may have one suffix of num_suffixes[].  What cannot be read
 * ends the program with one line that shows the text, the range and the reason.
 */
static const struct {
	char		letter;		/* either case */
	unsigned	shift;		/* bytes = number << shift */
} num_suffixes[] = {
	{ 'k', 10 }, { 'm', 20 }, { 'g', 30 }, { 't', 40 },
};

#define NUM_SUFFIXES	(sizeof(num_suffixes) / sizeof(num_suffixes[0]))

/*
 * Reads digits from *text and moves it behind them.  Returns 0, or -1 when there are none or too
 * many.
 */
static int
num_digits(const char **text, uint64_t *value)
{
	const char *p = *text;
	uint64_t v = 0;

	for (; *p >= '0' && *p <= '9'; p++) {
		if (v > (UINT64_MAX - (uint64_t)(*p - '0')) / 10)
			return -1;
		v = v * 10 + (uint64_t)(*p - '0');
	}
	if (p == *text)
		return -1;
	*text = p;
	*value = v;
	return 0;
}

/*
 * Reads k, kb, KiB, ... from *text and moves it behind; returns the shift, or plain if there is
 * none.
 */
static unsigned
num_suffix(const char **text, unsigned plain)
{
	const char *p = *text;
	size_t i;

	for (i = 0; i < NUM_SUFFIXES; i++)
		if ((*p | 0x20) == num_suffixes[i].letter)
			break;
	if (i == NUM_SUFFIXES)
		return plain;
	p++;
	if ((p[0] == 'i' || p[0] == 'I') && (p[1] == 'b' || p[1] == 'B'))
		p += 2;
	else if (p[0] == 'b' || p[0] == 'B')
		p++;
	*text = p;
	return num_suffixes[i].shift;
}

/* Whether text is a whole number. */
static bool
num_is_count(const char *text)
{
	uint64_t v;

	return num_digits(&text, &v) == 0 && *text == '\0';
}

/* A whole number from least to most. */
static uint64_t
num_count(const char *option, const char *text, uint64_t least, uint64_t most)
{
	const char *p = text;
	uint64_t v;

	if (num_digits(&p, &v) == -1 || *p != '\0' || v < least || v > most)
		msg_usage("%s: '%s' is not a whole number from %" PRIu64 " to %" PRIu64, option,
		    text, least, most);
	return v;
}

/* A size in bytes; without a suffix the number is in units of 1 << plain bytes. */
static uint64_t
num_size(const char *option, const char *text, unsigned plain, uint64_t least, uint64_t most)
{
	const char *p = text, *unit = plain == 0 ? "bytes" : "MiB";
	unsigned shift = 0;
	uint64_t v;
	int rc = num_digits(&p, &v);

	if (rc == 0)
		shift = num_suffix(&p, plain);
	if (rc == -1 || *p != '\0')
		msg_usage("%s: '%s' is not a size (a whole number of %s, or with suffix k, m, g "
		    "or t)", option, text, unit);
	if (v > most >> shift || v << shift < least)
		msg_usage("%s: '%s' is out of range (%" PRIu64 " to %" PRIu64 " %s)", option, text,
		    least >> plain, most >> plain, unit);
	return v << shift;
}

/* ---- Clock -----------------------------------------------------------------------------------
 *
 * Owns every reading of the time, the arithmetic from amounts and times to rates (once, for the
 * table and for the progress line), and the meter that a phase feeds while it runs.  The meter
 * reads the clock seldom enough to cost nothing: its stride grows until a look comes about every
 * hundredth of a second.
 */
struct stamp {
	uint64_t	wall_ns;
	uint64_t	cpu_ns;
};

static uint64_t
clock_wall(void)
{
	struct timespec t = { 0, 0 };
#ifdef HAVE_MONOTONIC
	(void)clock_gettime(CLOCK_MONOTONIC, &t);
#else
	struct timeval v = { 0, 0 };

	(void)gettimeofday(&v, NULL);
	t.tv_sec = v.tv_sec;
	t.tv_nsec = (long)v.tv_usec * 1000;
#endif
	return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec;
}

static struct stamp
clock_stamp(void)
{
	struct stamp s;
	struct rusage u;

	memset(&u, 0, sizeof(u));
	(void)getrusage(RUSAGE_SELF, &u);
	s.cpu_ns = (uint64_t)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * SECOND +
	    (uint64_t)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1000;
	s.wall_ns = clock_wall();
	return s;
}

/* From a to b; 0 where a clock went backwards, which no rate is made of. */
static uint64_t
clock_between(uint64_t a, uint64_t b)
{
	return b > a ? b - a : 0;
}

/* How many units of amount a second; -1 where no time has passed. */
static double
clock_rate(uint64_t amount, uint64_t unit, uint64_t ns)
{
	if (ns == 0)
		return -1;
	return (double)amount / (double)unit / ((double)ns / (double)SECOND);
}

/* Per cent of one CPU; over 100 where several seekers ran at once.  -1 where no time has passed. */
static double
clock_cpu(uint64_t cpu_ns, uint64_t wall_ns)
{
	if (wall_ns == 0)
		return -1;
	return 100 * ((double)cpu_ns / (double)wall_ns);
}

/* A figure as the reader sees it; what cannot be measured is none ("+++++"), never inf or nan. */
static void
clock_figure(char *text, size_t size, double value, int decimals, const char *none)
{
	if (value < 0)
		(void)snprintf(text, size, "%s", none);
	else
		(void)snprintf(text, size, "%.*f", decimals, value);
}

/*
 * Latency buckets: below OCTAVE nanoseconds one each, above that OCTAVE of them for each doubling,
 * so that none is wider than 1/32 of its times.  Histograms of several seekers add up exactly.
 */
static unsigned
lat_bucket(uint64_t ns)
{
	unsigned shift = 0;

	while (ns >> shift >= 2 * OCTAVE)
		shift++;
	return shift * OCTAVE + (unsigned)(ns >> shift);
}

/* The time in the middle of a bucket. */
static double
lat_middle(unsigned bucket)
{
	unsigned shift = bucket < 2 * OCTAVE ? 0 : bucket / OCTAVE - 1;
	uint64_t first = (uint64_t)(bucket - shift * OCTAVE) << shift;

	return (double)first + ((double)(UINT64_C(1) << shift) - 1) / 2;
}

static void
lat_add(struct latency *l, uint64_t ns)
{
	l->count[lat_bucket(ns)]++;
	if (ns > l->most_ns)
		l->most_ns = ns;
}

/* The time in nanoseconds that so many per cent of the operations did not exceed; -1 if none. */
static double
lat_percentile(const struct latency *l, unsigned percent)
{
	uint64_t all = 0, seen = 0;
	unsigned i;

	for (i = 0; i < LATENCIES; i++)
		all += l->count[i];
	for (i = 0; i < LATENCIES; i++) {
		seen += l->count[i];
		if (seen > 0 && seen >= all / 100 * percent + (all % 100 * percent + 99) / 100)
			break;
	}
	if (i == LATENCIES)
		return -1;
	return lat_middle(i) < (double)l->most_ns ? lat_middle(i) : (double)l->most_ns;
}

static void
meter_start(struct meter *m, uint64_t total, bool counts, struct latency *latency)
{
	memset(m, 0, sizeof(*m));
	m->total = total;
	m->stride = 1;
	m->counts = counts;
	m->latency = latency;
	m->series.step_ns = SAMPLE_NS;
	m->start_ns = m->looked_ns = m->drawn_ns = m->last_ns = clock_wall();
}

/* Shows per cent, rate so far and time left behind the progress line. */
static void
meter_draw(struct meter *m, uint64_t now)
{
	uint64_t done = m->settled > 0 ? m->settled : m->done, s;
	double rate = clock_rate(done, m->counts ? 1 : KIB, clock_between(m->start_ns, now));
	char text[80], part[16] = "", left[32] = "";

	m->drawn_ns = now;
	if (rate <= 0)
		return;
	if (m->total > done) {
		s = (uint64_t)((double)(m->total - done) / rate) / (m->counts ? 1 : KIB);
		(void)snprintf(left, sizeof(left), " %" PRIu64 ":%02u left", s / 60,
		    (unsigned)(s % 60));
	}
	if (m->total > 0)
		(void)snprintf(part, sizeof(part), " %.0f %%",
		    100 * ((double)done / (double)m->total));
	(void)snprintf(text, sizeof(text), "%s %.0f %s%s", part, rate,
	    m->counts ? "/sec" : "K/sec", left);
	msg_redraw(text, "");
}

/*
 * Takes the samples that have come due since the last look, on a straight line between the looks.
 */
static void
meter_sample(struct meter *m, uint64_t now)
{
	struct series *s = &m->series;
	double share;
	uint64_t due;
	unsigned i;

	for (due = m->start_ns + (s->size + 1) * s->step_ns; due <= now;
	    due = m->start_ns + (s->size + 1) * s->step_ns) {
		if (s->size == SAMPLES) {
			for (i = 0; i < SAMPLES / 2; i++)
				s->done[i] = s->done[2 * i + 1];
			s->size = SAMPLES / 2;
			s->step_ns *= 2;
			continue;
		}
		share = (double)clock_between(m->looked_ns, due) /
		    (double)clock_between(m->looked_ns, now);
		s->done[s->size++] = m->looked +
		    (uint64_t)(share * (double)(m->settled - m->looked));
	}
}

static void
meter_look(struct meter *m)
{
	uint64_t now = clock_wall(), gone = clock_between(m->looked_ns, now);

	if (gone < SECOND / 100)
		m->stride += m->stride;
	else if (gone > SECOND / 10 && m->stride > 1)
		m->stride /= 2;
	m->look = m->done + m->stride;
	if (!m->settles)
		m->settled = m->done;
	if (gone > 0)
		meter_sample(m, now);
	m->looked_ns = now;
	m->looked = m->settled;
	if (msg.terminal && clock_between(m->drawn_ns, now) >= SECOND)
		meter_draw(m, now);
}

/* One more operation has ended, which did n bytes or seeks. */
static void
meter_add(struct meter *m, uint64_t n)
{
	uint64_t now;

	m->done += n;
	if (m->latency != NULL) {
		now = clock_wall();
		lat_add(m->latency, clock_between(m->last_ns, now));
		m->last_ns = now;
	}
	if (m->done >= m->look)
		meter_look(m);
}

/* All up to here is on the disk. */
static void
meter_settle(struct meter *m, uint64_t done)
{
	m->settled = done;
	meter_look(m);
}

/* The phase is over: all that was done has settled. */
static void
meter_end(struct meter *m)
{
	m->settles = false;
	meter_look(m);
}

/* Bytes or seeks done in step i of the series. */
static double
meter_step(const struct series *s, unsigned i)
{
	return (double)(s->done[i] - (i == 0 ? 0 : s->done[i - 1]));
}

static int
meter_compare(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/*
 * Does the series fall into two levels?  The split is the one that leaves the least squares; the
 * levels are the medians of its sides.  It counts only if both last for a good part of the phase,
 * are clearly different, and do not overlap but for a tenth of their samples: a rate that merely
 * swings has no levels.  Returns the number of steps before the split, or 0.
 */
static unsigned
meter_levels(const struct series *s, double level[2])
{
	double sorted[SAMPLES], sum = 0, left = 0, gain, best = 0, low, high;
	unsigned i, split = 0, least = s->size / LEVEL_SHARE, n, skip;

	least = least < LEVEL_SAMPLES ? LEVEL_SAMPLES : least;
	for (i = 0; i < s->size; i++)
		sum += meter_step(s, i);
	for (i = 1; i < s->size; i++) {
		left += meter_step(s, i - 1);
		gain = left * left / i + (sum - left) * (sum - left) / (s->size - i);
		if (i >= least && s->size - i >= least && gain > best) {
			best = gain;
			split = i;
		}
	}
	if (split == 0)
		return 0;
	for (i = 0; i < s->size; i++)
		sorted[i] = meter_step(s, i);
	qsort(sorted, split, sizeof(sorted[0]), meter_compare);
	qsort(sorted + split, s->size - split, sizeof(sorted[0]), meter_compare);
	level[0] = sorted[split / 2];
	level[1] = sorted[split + (s->size - split) / 2];
	n = level[0] > level[1] ? split : s->size - split;	/* samples of the higher level */
	skip = n / 10;
	low = level[0] > level[1] ? sorted[skip] : sorted[split + skip];
	n = s->size - n;
	skip = n / 10;
	high = level[0] > level[1] ? sorted[s->size - 1 - skip] : sorted[split - 1 - skip];
	if (low <= high * (1 + (LEVEL_RATIO - 1) / 2))
		return 0;
	if (level[0] < level[1] * LEVEL_RATIO && level[1] < level[0] * LEVEL_RATIO)
		return 0;
	return split;
}

/* Says so if the rate of the phase that has ended settled at another level on its way. */
static void
meter_tell(const struct meter *m, const char *name)
{
	const struct series *s = &m->series;
	double level[2];
	unsigned split = meter_levels(s, level);
	uint64_t unit = m->counts ? 1 : KIB;

	if (split != 0)
		msg_note("%s %s from %.0f to %.0f %s after %" PRIu64 " s", name,
		    level[1] < level[0] ? "fell" : "rose",
		    clock_rate((uint64_t)level[0], unit, s->step_ns),
		    clock_rate((uint64_t)level[1], unit, s->step_ns), m->counts ? "/sec" : "K/sec",
		    split * s->step_ns / SECOND);
}

/* ---- Data ------------------------------------------------------------------------------------
 *
 * Owns what is written, how it is recognised, and where the seekers go.
 *
 * The file is made of sectors of 512 bytes.  A sector is a sector of the random pool, every 64-bit
 * word of it XORed with one number that depends on the pass and on the sector's place.  The number
 * comes from a bijection, so no two sectors of a pass that share a pool sector are equal, and
 * different passes and runs have different keys.  To a compressor or a deduplicator that is noise
 * over any window; to us it is one XOR a word, a few per cent of a write to RAM.  A sector that is
 * stale, misplaced or damaged does not match what its pass and place ask for.
 */

/* The finaliser of splitmix64 (Steele, Lea, Flood 2014): a bijection that scatters every bit. */
static uint64_t
rng_mix(uint64_t z)
{
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* The n-th number of the stream that belongs to seed. */
static uint64_t
rng_nth(uint64_t seed, uint64_t n)
{
	return rng_mix(seed + (n + 1) * UINT64_C(0x9e3779b97f4a7c15));
}

/* A seed that differs each time, also for two runs with the same PID in the same second. */
static uint64_t
rng_fresh(void)
{
	uint64_t seed = 0;
	ssize_t n = -1;
	int fd;

	fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
	if (fd != -1) {
		n = read(fd, &seed, sizeof(seed));
		(void)close(fd);
	}
	if (n != (ssize_t)sizeof(seed))
		seed = rng_mix(clock_wall() ^ rng_mix((uint64_t)getpid() ^
		    rng_mix((uint64_t)time(NULL) ^ (uint64_t)(uintptr_t)&seed)));
	return seed;
}

static void
data_seed(struct data *d, uint64_t seed)
{
	size_t i;

	d->seed = seed;
	for (i = 0; i < POOL * WORDS; i++)
		d->pool[i] = rng_nth(seed, i);
}

/* What tells the data of this pass from all others. */
static uint64_t
data_key(const struct data *d, uint64_t pass)
{
	return rng_nth(rng_mix(~d->seed), pass);
}

/*
 * One sector.  Eight words at a time so that any compiler makes vector instructions of it at -O2.
 */
static void
data_sector(uint64_t *restrict to, const uint64_t *restrict from, uint64_t number)
{
	size_t i;

	for (i = 0; i < WORDS; i += 8) {
		to[i + 0] = from[i + 0] ^ number;
		to[i + 1] = from[i + 1] ^ number;
		to[i + 2] = from[i + 2] ^ number;
		to[i + 3] = from[i + 3] ^ number;
		to[i + 4] = from[i + 4] ^ number;
		to[i + 5] = from[i + 5] ^ number;
		to[i + 6] = from[i + 6] ^ number;
		to[i + 7] = from[i + 7] ^ number;
	}
}

/* Fills buf with what the pass of this key has at offset at; both in whole sectors. */
static void
data_fill(const struct data *d, uint64_t key, uint64_t at, uint64_t *buf, size_t len)
{
	uint64_t sector = at / SECTOR, end = sector + len / SECTOR;

	for (; sector < end; sector++, buf += WORDS)
		data_sector(buf, d->pool + sector % POOL * WORDS, rng_mix(key ^ sector));
}

/* Whether a sector differs anywhere; eight words at a time like data_sector(). */
static bool
data_differs(const uint64_t *a, const uint64_t *b, uint64_t number)
{
	uint64_t d = 0;
	size_t i;

	for (i = 0; i < WORDS; i += 8)
		d |= (a[i + 0] ^ b[i + 0] ^ number) | (a[i + 1] ^ b[i + 1] ^ number) |
		    (a[i + 2] ^ b[i + 2] ^ number) | (a[i + 3] ^ b[i + 3] ^ number) |
		    (a[i + 4] ^ b[i + 4] ^ number) | (a[i + 5] ^ b[i + 5] ^ number) |
		    (a[i + 6] ^ b[i + 6] ^ number) | (a[i + 7] ^ b[i + 7] ^ number);
	return d != 0;
}

/*
 * Looks at one word of each sector, another one in each, so that data moved by any distance are
 * seen.  Returns the offset in buf of the first sector that is not what it should be, or len.
 */
static size_t
data_check(const struct data *d, uint64_t key, uint64_t at, const uint64_t *buf, size_t len)
{
	uint64_t sector = at / SECTOR, number;
	size_t i, word;

	for (i = 0; i < len; i += SECTOR, sector++) {
		number = rng_mix(key ^ sector);
		word = (size_t)(number >> 58);
		if (buf[i / 8 + word] != (d->pool[sector % POOL * WORDS + word] ^ number))
			return i;
	}
	return len;
}

/* The same check of every byte. */
static size_t
data_check_all(const struct data *d, uint64_t key, uint64_t at, const uint64_t *buf, size_t len)
{
	uint64_t sector = at / SECTOR;
	size_t i;

	for (i = 0; i < len; i += SECTOR, sector++)
		if (data_differs(buf + i / 8, d->pool + sector % POOL * WORDS,
		    rng_mix(key ^ sector)))
			return i;
	return len;
}

/*
 * A permutation of 0..n-1: a Feistel network of four rounds on the smallest square that holds n,
 * walked until it lands inside.  So places come in random order, each once, without a list.
 */
static uint64_t
order_permute(uint64_t key, uint64_t n, uint64_t i)
{
	unsigned half = 1, r;
	uint64_t left, right, next;

	while (half < 32 && UINT64_C(1) << 2 * half < n)
		half++;
	do {
		left = i >> half;
		right = i & ((UINT64_C(1) << half) - 1);
		for (r = 0; r < 4; r++) {
			next = left ^ rng_mix(key + r + (right << 3)) >> (64 - half);
			left = right;
			right = next;
		}
		i = left << half | right;
	} while (i >= n);
	return i;
}

/*
 * Seeker (ticket % seekers) takes its tickets in turn; every tenth of them is changed and written
 * back.
 */
static bool
order_changes(const struct order *o, uint64_t ticket)
{
	return ticket / o->seekers % SEEK_WRITES == SEEK_WRITES - 1;
}

/* Counts the tickets below n that change (or that do not), which also numbers them. */
static uint64_t
order_count(const struct order *o, uint64_t n, bool changes)
{
	uint64_t row = n / o->seekers, tens = row / SEEK_WRITES, count = tens * o->seekers;

	if (row % SEEK_WRITES == SEEK_WRITES - 1)
		count += n % o->seekers;
	return changes ? count : n - count;
}

/* The i-th ticket that changes (or that does not): order_count() backwards. */
static uint64_t
order_ticket(const struct order *o, uint64_t i, bool changes)
{
	uint64_t row = i / o->seekers;

	row = changes ? row * SEEK_WRITES + SEEK_WRITES - 1 : row + row / (SEEK_WRITES - 1);
	return row * o->seekers + i % o->seekers;
}

/*
 * The place that this ticket of this round visits.  Each round visits every place once.  A later
 * round shuffles those that change among themselves and the rest among themselves: so the same
 * places change in each round, and what a place must hold is known without keeping a list.
 */
static uint64_t
order_place(const struct order *o, uint64_t round, uint64_t ticket)
{
	bool changes = order_changes(o, ticket);
	uint64_t i;

	if (round > 0) {
		i = order_permute(rng_nth(o->key, round), order_count(o, o->places, changes),
		    order_count(o, ticket, changes));
		ticket = order_ticket(o, i, changes);
	}
	return order_permute(o->key, o->places, ticket);
}

/* ---- System ----------------------------------------------------------------------------------
 *
 * Owns what is asked of the system before a run: how much memory could serve as a cache, what kind
 * of file system lies under the directory, how much room it has.  Linux tells in /proc; where a
 * file is missing the question is left open, silently.
 */
#define SYS_CGROUP	"/proc/self/cgroup"
#define SYS_MOUNTS	"/proc/self/mountinfo"

/* A line of mountinfo, taken apart; the strings point into line. */
struct mount {
	char		*line;
	size_t		 size;		/* of line, as getline() wants it */
	const char	*root;		/* part of the file system that is mounted */
	const char	*point;		/* where */
	const char	*type;
	const char	*device;
	const char	*options;	/* of the file system */
};

/* File systems whose cache posix_fadvise() does not empty, and what their figures are instead. */
static const struct {
	const char	*type;
	bool		 prefix;	/* also fuse.sshfs and fuseblk */
	const char	*instead;
} sys_cached[] = {
	{ "tmpfs", false, "the figures are those of memory, not of a disk" },
	{ "ramfs", false, "the figures are those of memory, not of a disk" },
	{ "zfs", false, "reads may come from its ARC: use -s with at least twice the RAM" },
	{ "fuse", true, "reads may come from the memory of its daemon" },
};

#define SYS_CACHED	(sizeof(sys_cached) / sizeof(sys_cached[0]))

/* Opens 0, 1 and 2 where they are closed: else the scratch file could become one of them. */
static void
sys_descriptors(void)
{
	bool closed = fcntl(STDOUT_FILENO, F_GETFD) == -1;
	int fd;

	do
		fd = open("/dev/null", O_RDWR);
	while (fd != -1 && fd <= STDERR_FILENO);
	if (fd != -1)
		(void)close(fd);
	if (closed)
		fatalx("standard output is closed, there is nowhere to print the result");
}

/* Undoes the \ooo by which mountinfo hides blanks. */
static void
sys_unescape(char *s)
{
	char *to = s;

	while (*s != '\0') {
		if (s[0] == '\\' && s[1] >= '0' && s[1] <= '3' && s[2] >= '0' && s[2] <= '7' &&
		    s[3] >= '0' && s[3] <= '7') {
			*to++ = (char)((s[1] - '0') * 64 + (s[2] - '0') * 8 + (s[3] - '0'));
			s += 4;
		} else
			*to++ = *s++;
	}
	*to = '\0';
}

/* Cuts the text up to the next mark off *rest and returns it; NULL when nothing is left. */
static char *
sys_field(char **rest, char mark)
{
	char *field = *rest, *end = field == NULL ? NULL : strchr(field, mark);

	*rest = end == NULL ? NULL : end + 1;
	if (end != NULL)
		*end = '\0';
	return field;
}

/* Reads the next mount that can be read.  Returns false at the end. */
static bool
sys_next_mount(FILE *f, struct mount *m)
{
	char *field[10], *rest, *p;
	int i;

	while (getline(&m->line, &m->size, f) > 0) {
		m->line[strcspn(m->line, "\n")] = '\0';
		if ((rest = strstr(m->line, " - ")) == NULL)
			continue;
		*rest = '\0';
		for (i = 0, p = m->line; i < 5 && p != NULL; i++)
			field[i] = sys_field(&p, ' ');
		for (p = rest + 3; i >= 5 && i < 8 && p != NULL; i++)
			field[i] = sys_field(&p, ' ');
		if (i < 8)
			continue;
		sys_unescape(field[3]);
		sys_unescape(field[4]);
		sys_unescape(field[6]);
		m->root = field[3];
		m->point = field[4];
		m->type = field[5];
		m->device = field[6];
		m->options = field[7];
		return true;
	}
	return false;
}

/* Whether path is dir or lies below it. */
static bool
sys_below(const char *path, const char *dir)
{
	size_t len = strlen(dir);

	while (len > 0 && dir[len - 1] == '/')
		len--;
	return strncmp(path, dir, len) == 0 && (path[len] == '/' || path[len] == '\0');
}

/* Whether word is one of list, which commas divide. */
static bool
sys_listed(const char *list, const char *word)
{
	size_t len = strlen(word);

	for (;;) {
		if (strncmp(list, word, len) == 0 && (list[len] == ',' || list[len] == '\0'))
			return true;
		if ((list = strchr(list, ',')) == NULL)
			return false;
		list++;
	}
}

/* The number that a file holds, or UINT64_MAX: no file, no limit ("max"). */
static uint64_t
sys_limit(const char *dir, const char *name)
{
	char path[PATH_MAX], text[32] = "";
	const char *p = text;
	uint64_t v;
	FILE *f;

	if (snprintf(path, sizeof(path), "%s/%s", dir, name) >= (int)sizeof(path) ||
	    (f = fopen(path, "r")) == NULL)
		return UINT64_MAX;
	if (fgets(text, sizeof(text), f) == NULL || num_digits(&p, &v) == -1)
		v = UINT64_MAX;
	(void)fclose(f);
	return v;
}

/* The least limit of the memory cgroup at path and of all above it, as mounted by m. */
static uint64_t
sys_group_limit(const struct mount *m, const char *path, bool two)
{
	const char *name = two ? "memory.max" : "memory.limit_in_bytes";
	uint64_t least = UINT64_MAX, v;
	size_t top = strlen(m->point), skip = strlen(m->root);
	char dir[PATH_MAX], *slash;

	while (skip > 0 && m->root[skip - 1] == '/')
		skip--;			/* as sys_below() does */
	path = sys_below(path, m->root) ? path + skip : "";
	if (snprintf(dir, sizeof(dir), "%s%s", m->point, path) >= (int)sizeof(dir))
		return UINT64_MAX;
	for (;;) {
		v = sys_limit(dir, name);
		least = v < least ? v : least;
		slash = strrchr(dir, '/');
		if (slash == NULL || (size_t)(slash - dir) < top)
			return least;
		*slash = '\0';
	}
}

/* The path of our memory cgroup of version 1 or 2, from a file like SYS_CGROUP; "" if none. */
static void
sys_group(const char *file, bool two, char *path, size_t size)
{
	char *line = NULL, *rest, *id, *list;
	size_t room = 0;
	FILE *f;

	path[0] = '\0';
	if ((f = fopen(file, "r")) == NULL)
		return;
	while (getline(&line, &room, f) > 0) {
		line[strcspn(line, "\n")] = '\0';
		rest = line;
		id = sys_field(&rest, ':');
		list = sys_field(&rest, ':');
		if (list != NULL && rest != NULL &&
		    (two ? strcmp(id, "0") == 0 && *list == '\0' : sys_listed(list, "memory")))
			(void)snprintf(path, size, "%s", rest);
	}
	free(line);
	(void)fclose(f);
}

/* The memory limit of the cgroups we are in, or UINT64_MAX. */
static uint64_t
sys_cgroup_limit(const char *cgroups, const char *mounts)
{
	char one[PATH_MAX], two[PATH_MAX];
	uint64_t least = UINT64_MAX, v = UINT64_MAX;
	struct mount m = { .line = NULL };
	FILE *f;

	sys_group(cgroups, false, one, sizeof(one));
	sys_group(cgroups, true, two, sizeof(two));
	if ((f = fopen(mounts, "r")) == NULL)
		return least;
	while (sys_next_mount(f, &m)) {
		if (two[0] != '\0' && strcmp(m.type, "cgroup2") == 0)
			v = sys_group_limit(&m, two, true);
		else if (one[0] != '\0' && strcmp(m.type, "cgroup") == 0 &&
		    sys_listed(m.options, "memory"))
			v = sys_group_limit(&m, one, false);
		least = v < least ? v : least;
	}
	free(m.line);
	(void)fclose(f);
	return least;
}

/* The memory that could cache our file: the smaller of the machine's and the cgroup's. */
static struct ram
sys_ram(void)
{
	struct ram ram = { 0, "unknown" };
	uint64_t limit = sys_cgroup_limit(SYS_CGROUP, SYS_MOUNTS);
#ifdef HAVE_PHYS_PAGES
	long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);

	if (pages > 0 && page > 0) {
		ram.bytes = (uint64_t)pages * (uint64_t)page;
		ram.from = "the machine";
	}
#endif
	if (limit != UINT64_MAX && (ram.bytes == 0 || limit < ram.bytes)) {
		ram.bytes = limit;
		ram.from = "the cgroup";
	}
	return ram;
}

/* The type and device of the file system that dir lies on, from a file like SYS_MOUNTS. */
static void
sys_type(const char *mounts, const char *dir, struct plan *plan)
{
	struct mount m = { .line = NULL };
	char *path = realpath(dir, NULL);
	size_t best = 0, len;
	FILE *f;

	if (path != NULL && (f = fopen(mounts, "r")) != NULL) {
		while (sys_next_mount(f, &m)) {
			len = strlen(m.point);
			if (len < best || !sys_below(path, m.point))
				continue;
			best = len;
			(void)snprintf(plan->type, sizeof(plan->type), "%s", m.type);
			(void)snprintf(plan->device, sizeof(plan->device), "%s", m.device);
		}
		free(m.line);
		(void)fclose(f);
	}
	free(path);
}

/* Says once which figures cannot be the disk's on a file system of this type. */
static void
sys_warn_type(const char *dir, const char *type)
{
	size_t i, len;

	for (i = 0; i < SYS_CACHED; i++) {
		len = strlen(sys_cached[i].type);
		if (strcmp(type, sys_cached[i].type) == 0 ||
		    (sys_cached[i].prefix && strncmp(type, sys_cached[i].type, len) == 0))
			warn("%s is on %s, whose cache cannot be emptied: %s", dir, type,
			    sys_cached[i].instead);
	}
}

/*
 * Refuses a file that would not fit, before anything is written.  f_bavail also for root: filling
 * the reserve of a server is not our business.  Some file systems tell nothing (0 blocks).
 */
static void
sys_room(const char *dir, uint64_t size, const struct plan *plan)
{
	/* Links share an inode; the tree has a root, and directories in it if they are several. */
	uint64_t dirs = plan->files == 0 ? 0 : plan->dirs > 1 ? plan->dirs + 1 : 1;
	uint64_t files = plan->kind == KIND_HARD_LINKS ? plan->files > 0 : plan->files;
	struct statvfs v;
	struct rlimit limit;
	uint64_t room, fits, need = size + size / 64;	/* + 1.6 % for the file system's blocks */
	int rc = statvfs(dir, &v);

	if (rc == 0 && v.f_files > 0 && v.f_favail < files + dirs)
		fatalx("%s has room for %" PRIu64 " more files and directories, and -n wants %"
		    PRIu64, dir, (uint64_t)v.f_favail, files + dirs);
	if (rc == 0 && v.f_blocks > 0) {
		room = (uint64_t)v.f_bavail * (v.f_frsize != 0 ? v.f_frsize : v.f_bsize);
		fits = room / 65 * 64;
		if (room < need && fits < CHUNK_DEFAULT)
			fatalx("%s is full", dir);
		if (room < need)
			fatalx("%s has %" PRIu64 " MiB free and the file needs %" PRIu64
			    " MiB: the largest that fits is -s %" PRIu64 "%s", dir, room / MIB,
			    (need + MIB - 1) / MIB, fits < MIB ?
			    fits / CHUNK_DEFAULT * (CHUNK_DEFAULT / KIB) : fits / MIB,
			    fits < MIB ? "k" : "");
	}
	if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
	    (uint64_t)limit.rlim_cur < size)
		fatalx("files may have %" PRIu64 " bytes at most here and %" PRIu64
		    " are needed (see ulimit -f)", (uint64_t)limit.rlim_cur, size);
}

/* The number of a user or group given as a number, or -1. */
static long
sys_id(const char *text)
{
	uint64_t id;

	return num_digits(&text, &id) == 0 && *text == '\0' && id < INT_MAX ? (long)id : -1;
}

/* Finds user[:group] and -g in the system's lists, or ends with status 2. */
static void
sys_find_user(const struct plan *plan, const char **name, uid_t *uid, gid_t *gid)
{
	const char *colon = plan->user == NULL ? NULL : strchr(plan->user, ':');
	const char *group = plan->group;
	char user[256];
	struct passwd *pw = NULL;
	struct group *gr;

	*uid = geteuid();
	*gid = getegid();
	*name = NULL;
	if (plan->user != NULL) {
		(void)snprintf(user, sizeof(user), "%.*s",
		    colon == NULL ? 255 : (int)(colon - plan->user), plan->user);
		pw = getpwnam(user);
		if (pw == NULL && sys_id(user) != -1)
			pw = getpwuid((uid_t)sys_id(user));
		if (pw == NULL && sys_id(user) == -1)
			msg_usage("-u: there is no user '%s'", user);
		*uid = pw != NULL ? pw->pw_uid : (uid_t)sys_id(user);
		*gid = pw != NULL ? pw->pw_gid : (gid_t)sys_id(user);
		*name = pw != NULL ? pw->pw_name : NULL;
		group = group == NULL && colon != NULL ? colon + 1 : group;
	}
	if (group != NULL) {
		gr = getgrnam(group);
		if (gr == NULL && sys_id(group) == -1)
			msg_usage("%s: there is no group '%s'", plan->group == NULL ? "-u" : "-g",
			    group);
		*gid = gr != NULL ? gr->gr_gid : (gid_t)sys_id(group);
	}
}

/* Becomes the user and group asked for, for good: root must not be had again. */
static void
sys_become(const struct plan *plan)
{
	const char *name;
	uid_t uid;
	gid_t gid;

	sys_find_user(plan, &name, &uid, &gid);
	if (geteuid() == 0 && (name != NULL ? initgroups(name, (HAVE_GROUP_TYPE)gid) :
	    setgroups(1, &gid)) == -1)
		fatal("cannot set the supplementary groups");
	if (setgid(gid) == -1)
		fatal("cannot become group %ld", (long)gid);
	if (setuid(uid) == -1)
		fatal("cannot become user %ld", (long)uid);
	if (getuid() != uid || geteuid() != uid || getgid() != gid || getegid() != gid ||
	    (uid != 0 && setuid(0) == 0))
		fatalx("user %ld could become root again, so nothing is run", (long)uid);
}

/* The path of name in dir, which may end in a slash. */
static void
sys_path(char *to, size_t size, const char *dir, const char *name)
{
	size_t len = strlen(dir);

	(void)snprintf(to, size, "%s%s%s", dir, len > 0 && dir[len - 1] == '/' ? "" : "/", name);
}

/* Names what an earlier run that was killed has left, so that somebody can remove it. */
static void
sys_warn_left(const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *e;
	char path[PATH_MAX];
	const char *p;
	uint64_t pid, n;

	while (d != NULL && (e = readdir(d)) != NULL) {
		p = e->d_name;
		if (strncmp(p, "Bonnie.", 7) != 0)
			continue;
		p += 7;
		if (num_digits(&p, &pid) == -1 || pid >= INT_MAX)
			continue;
		if (p[0] == '.' && p[1] != 'd' && (p++, num_digits(&p, &n) == -1))
			continue;
		sys_path(path, sizeof(path), dir, e->d_name);
		if (strcmp(p, ".d") == 0 && ((pid_t)pid == getpid() ||
		    (kill((pid_t)pid, 0) == -1 && errno == ESRCH)))
			warn("%s was left by a run that was killed (or is in use by one in "
			    "another container or machine): rm -r it", path);
	}
	if (d != NULL)
		(void)closedir(d);
}

/*
 * With -w: says that this phase is ready and waits for a line.  Returns 0, or -1 at the end of
 * stdin.
 */
static int
sys_wait_line(const char *phase)
{
	struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };
	ssize_t n;
	char c;

	msg_info("ready %s\n", phase);
	while (signal_caught == 0) {
		if (poll(&in, 1, (int)(TICK_NS / 1000000)) < 1)
			continue;
		n = read(STDIN_FILENO, &c, 1);
		if (n == 0 || (n == -1 && errno != EINTR))
			return -1;
		if (n == 1 && c == '\n')
			return 0;
	}
	return -1;
}

/* ---- File ------------------------------------------------------------------------------------
 *
 * Owns every call on the scratch file.  Each helper returns 0, or -1 with the struct fault filled
 * in; short counts go on, EINTR is tried again unless a signal has asked us to end.
 */
enum transfer { FILE_READ, FILE_WRITE, FILE_PREAD, FILE_PWRITE };

static const char *const file_names[] = { "read", "write", "read", "write" };

/* Keeps the first fault of a run and returns -1. */
static int
file_fault(struct fault *fault, const char *op, uint64_t at, int err, const char *why)
{
	if (fault->op == NULL) {
		fault->op = op;
		fault->at = at;
		fault->err = err;
		fault->why = why;
	}
	return -1;
}

static ssize_t
file_call(int fd, enum transfer how, void *buf, size_t len, uint64_t at)
{
	switch (how) {
	case FILE_READ:
		return read(fd, buf, len);
	case FILE_WRITE:
		return write(fd, buf, len);
	case FILE_PREAD:
		return pread(fd, buf, len, (off_t)at);
	default:
		return pwrite(fd, buf, len, (off_t)at);
	}
}

/* The next phase uses direct I/O, if there is any, or not. */
static void
file_use(struct file *f, bool direct)
{
	f->io = direct && f->direct != -1 ? f->direct : f->fd;
	f->position = NOWHERE;
	f->pushed = 0;
}

/* The file is on the disk, not in its cache, as far as the system can order that. */
static int
file_fsync(int fd)
{
#ifdef HAVE_FULL_FSYNC
	int rc = HAVE_FULL_FSYNC(fd);

	/* Network and FAT file systems may refuse it. */
	if (rc == 0 || (errno != EINVAL && errno != ENOTSUP && errno != EOPNOTSUPP &&
	    errno != ENOTTY))
		return rc;
#endif
	return fsync(fd);
}

/* Calls fsync() or a relative of it.  Returns 0, -1 with errno, or 1: it cannot be done there. */
static int
file_flush(int fd, int (*flush)(int))
{
	int rc;

	do
		rc = flush(fd);
	while (rc == -1 && errno == EINTR && signal_caught == 0);
	return rc == -1 && (errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP ||
	    errno == ENOTSUP) ? 1 : rc;
}

/* All that was written is on the disk.  A file system that has no fsync is told of once. */
static int
file_sync(struct run *run)
{
	int rc;

	if (run->file.no_fsync)
		return 0;
	rc = file_flush(run->file.io, file_fsync);
	if (rc == -1)
		return file_fault(&run->fault, "fsync", NOWHERE, errno, NULL);
	if (rc == 0)
		return 0;
	run->file.no_fsync = true;
	warn("%s: the file system has no fsync, what was written may still be in memory",
	    run->file.path);
	return 0;
}

/* Moves exactly len bytes between buf and offset at. */
static int
file_move(struct run *run, enum transfer how, void *buf, size_t len, uint64_t at)
{
	struct file *f = &run->file;
	size_t moved = 0;
	ssize_t n;

	if ((how == FILE_READ || how == FILE_WRITE) && f->position != at) {
		if (lseek(f->io, (off_t)at, SEEK_SET) == -1)
			return file_fault(&run->fault, "lseek", at, errno, NULL);
		f->position = at;
	}
	while (moved < len) {
		if (signal_caught != 0)
			return file_fault(&run->fault, file_names[how], at + moved, EINTR, NULL);
		n = file_call(f->io, how, (char *)buf + moved, len - moved, at + moved);
		if (n > 0)
			moved += (size_t)n;
		else if (n == 0)
			return file_fault(&run->fault, file_names[how], at + moved, 0,
			    how == FILE_READ || how == FILE_PREAD ? "unexpected end of file" :
			    "nothing was written, and no reason given");
		else if (errno != EINTR)
			return file_fault(&run->fault, file_names[how], at + moved, errno, NULL);
	}
	if (how == FILE_READ || how == FILE_WRITE)
		f->position = at + len;
	if (run->plan->sync_each && (how == FILE_WRITE || how == FILE_PWRITE))
		return file_sync(run);
	return 0;
}

/* The buffer holds what was read at offset at: compares it with the data of this key. */
static int
file_check(struct run *run, uint64_t key, uint64_t at, size_t len)
{
	size_t good = (run->plan->compare ? data_check_all : data_check)(&run->data, key, at,
	    run->buf, len);

	if (good < len)
		return file_fault(&run->fault, "read", at + good, 0,
		    "the data are not those that were written");
	return 0;
}

static int
file_read_checked(struct run *run, enum transfer how, uint64_t key, uint64_t at, size_t len)
{
	if (file_move(run, how, run->buf, len, at) == -1)
		return -1;
	return file_check(run, key, at, len);
}

/* Fills the buffer with the data of this key and writes it at offset at. */
static int
file_write_fresh(struct run *run, enum transfer how, uint64_t key, uint64_t at, size_t len)
{
	data_fill(&run->data, key, at, run->buf, len);
	return file_move(run, how, run->buf, len, at);
}

/* Tells the system that we shall not need this part again: Linux starts to write it out. */
static void
file_hint(const struct file *f, uint64_t from, uint64_t len)
{
#ifdef HAVE_FADVISE
	(void)posix_fadvise(f->fd, (off_t)from, (off_t)len, POSIX_FADV_DONTNEED);
#else
	(void)f, (void)from, (void)len;
#endif
}

/* Waits until this part has been written out, where the system can do that. */
static int
file_wait(struct run *run, uint64_t from, uint64_t len)
{
#ifdef HAVE_SYNC_FILE_RANGE
	if (run->file.no_wait || sync_file_range(run->file.fd, (off_t)from, (off_t)len,
	    SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER) == 0)
		return 0;
	if (errno != ENOSYS && errno != EINVAL && errno != EOPNOTSUPP && errno != ESPIPE)
		return file_fault(&run->fault, "sync_file_range", from, errno, NULL);
#else
	(void)from, (void)len;
#endif
	run->file.no_wait = true;
	return 0;
}

/*
 * Called as a phase writes on, with the offset reached.  Every stretch is hinted as soon as it is
 * complete: else the file may sit in RAM until the fsync while the disk is idle.  Then we wait for
 * the stretch written some time before: so never more than a few stretches are under way, whatever
 * the RAM, and the progress seen is the disk's own.
 */
static int
file_push(struct run *run, uint64_t end)
{
	struct file *f = &run->file;
	uint64_t from = f->pushed, len = end - from;

	if (len < STRETCH || f->io == f->direct)
		return 0;
	file_hint(f, from, len);
	f->pushed = end;
	if (from < STRETCHES_AHEAD * len)
		return 0;
	from -= STRETCHES_AHEAD * len;
	if (file_wait(run, from, len) == -1)
		return -1;
	if (f->no_wait)
		run->meter.settles = false;	/* nobody will say when */
	else
		meter_settle(&run->meter, from + len);
	return 0;
}

/* Empties the page cache of the file, as far as the file system obeys. */
static int
file_drop(struct run *run)
{
	if (file_sync(run) == -1)
		return -1;
	file_hint(&run->file, 0, 0);
	return 0;
}

/* Cuts the file to nothing, so that the next phase makes its blocks anew. */
static int
file_empty(struct run *run)
{
	if (ftruncate(run->file.fd, 0) == -1)
		return file_fault(&run->fault, "truncate", 0, errno, NULL);
	return file_sync(run);
}

/* No read-ahead for the seekers, the usual one for all others. */
static void
file_random(const struct file *f, bool random)
{
#ifdef HAVE_FADVISE
	(void)posix_fadvise(f->fd, 0, 0, random ? POSIX_FADV_RANDOM : POSIX_FADV_NORMAL);
#else
	(void)f, (void)random;
#endif
}

/* Opens a stdio stream at the start of the file, with the buffer that stdio gives it. */
static int
file_stream_open(struct run *run)
{
	int fd;

	if (lseek(run->file.fd, 0, SEEK_SET) == -1)
		return file_fault(&run->fault, "lseek", 0, errno, NULL);
	if ((fd = dup(run->file.fd)) == -1)
		return file_fault(&run->fault, "dup", NO_FILE, errno, NULL);
	if ((run->file.stream = fdopen(fd, "r+")) == NULL) {
		(void)file_fault(&run->fault, "fdopen", NO_FILE, errno, NULL);
		(void)close(fd);
		return -1;
	}
	return 0;
}

/* The stream moved the position that fd shares with it. */
static int
file_stream_close(struct run *run)
{
	FILE *stream = run->file.stream;

	run->file.stream = NULL;
	run->file.position = NOWHERE;
	if (stream != NULL && fclose(stream) == EOF)
		return file_fault(&run->fault, "close", NOWHERE, errno, NULL);
	return 0;
}

/* A file system that stores less than was written compresses: its figures are not the disk's. */
static void
file_warn_sparse(const struct run *run)
{
	struct stat st;

	if (fstat(run->file.fd, &st) == 0 && st.st_blocks > 0 &&
	    (uint64_t)st.st_blocks * 512 < run->plan->size - run->plan->size / 10)
		warn("%s: only %" PRIu64 " of %" PRIu64 " bytes take room on the disk, so the file "
		    "system stores less than it is given", run->file.path,
		    (uint64_t)st.st_blocks * 512, run->plan->size);
}

/* Holds the directory by a descriptor: a link put in its place later does not move our file. */
static void
file_open_dir(struct run *run)
{
	run->file.fd = run->file.direct = run->file.io = -1;
	run->file.dir = open(run->plan->dir, HAVE_O_SEARCH | O_DIRECTORY | O_CLOEXEC);
	if (run->file.dir == -1)
		fatal("%s", run->plan->dir);
}

/* Opens the file that was just made under this name once more, for direct I/O. */
static void
file_open_direct(struct file *f, const char *name)
{
#ifdef HAVE_DIRECT
	(void)fchmod(f->fd, 0600);	/* a umask may have taken our own rights away */
	f->direct = openat(f->dir, name, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_DIRECT);
	f->refusal = f->direct == -1 ? errno : 0;
#else
	(void)name;
	f->refusal = ENOTSUP;
#endif
}

/* With -D: is direct I/O really taken?  If not, says so once and goes on without. */
static void
file_try_direct(struct run *run)
{
	size_t len = run->plan->chunk < SEEK_BYTES ? run->plan->chunk : SEEK_BYTES;
	struct file *f = &run->file;
	int err = f->refusal;
	ssize_t n = 0;

	memset(run->buf, 0, len);
	if (f->direct != -1) {
		do
			n = pwrite(f->direct, run->buf, len, 0);
		while (n == -1 && errno == EINTR && signal_caught == 0);
		if (n == (ssize_t)len)
			return;
		err = n == -1 ? errno : 0;
	}
	warn("%s: direct I/O is refused (%s), the run is buffered", f->path,
	    err != 0 ? strerror(err) : "it was cut short");
	if (f->direct != -1)
		(void)close(f->direct);
	f->direct = -1;
	f->refused = true;
}

/*
 * Makes the scratch file and takes its name away at once.  A name that exists is somebody else's:
 * another suffix is tried.  Signals are held between the two calls.
 */
static int
file_open(struct run *run)
{
	const char *dir = run->plan->dir;
	struct file *f = &run->file;
	size_t len = strlen(dir);
	char name[64];
	int i;

	(void)snprintf(name, sizeof(name), "Bonnie.%ld", (long)getpid());
	signal_hold(SIG_BLOCK);
	for (i = 1; i < NAMES_TRIED; i++) {
		f->fd = openat(f->dir, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		    0600);
		if (f->fd != -1 || errno != EEXIST)
			break;
		(void)snprintf(name, sizeof(name), "Bonnie.%ld.%d", (long)getpid(), i);
	}
	if (f->fd == -1)
		(void)file_fault(&run->fault, "create", NOWHERE, errno, NULL);
	if (f->fd != -1 && run->plan->direct)
		file_open_direct(f, name);
	if (f->fd != -1 && unlinkat(f->dir, name, 0) == -1)
		cleanup_later(f->dir, name, f->fd);	/* refused: it goes on the way out */
	signal_hold(SIG_UNBLOCK);
	free(f->path);
	f->path = malloc(len + sizeof(name) + 1);
	if (f->path == NULL)
		return file_fault(&run->fault, "allocate memory", NO_FILE, ENOMEM, NULL);
	sys_path(f->path, len + sizeof(name) + 1, dir, name);
	if (f->fd == -1)
		return -1;
	file_use(f, false);
	if (run->plan->direct)
		file_try_direct(run);
	return 0;
}

/*
 * Lets go of the scratch file, which ends it.  Its blocks are freed first, not at an unknown time.
 */
static int
file_close(struct run *run)
{
	int rc = 0;

	(void)file_stream_close(run);
	if (run->file.fd == -1)
		return 0;
	if (run->fault.op == NULL)
		rc = file_empty(run);
	if (run->file.direct != -1)
		(void)close(run->file.direct);
	if (close(run->file.fd) == -1 && errno != EINTR)
		rc = file_fault(&run->fault, "close", NOWHERE, errno, NULL);
	run->file.fd = run->file.direct = run->file.io = -1;
	if (cleanup_now() == -1)
		rc = file_fault(&run->fault, "remove", NOWHERE, errno, NULL);
	return rc;
}

/* ---- Phases ----------------------------------------------------------------------------------
 *
 * Owns the timed bodies: the loop of each phase, to its fsync, and nothing else.  The runner has
 * opened, emptied and dropped what it must before; it reads the clock.  A body returns 0, or -1
 * with run->fault.
 */

/* What is timed is putc(): one call a byte, the buffering that of this system's stdio. */
static int
phase_putc(struct run *run)
{
	const unsigned char *bytes = (const unsigned char *)run->buf;
	size_t i, chunk = run->plan->chunk;
	FILE *stream = run->file.stream;
	uint64_t at;

	for (at = 0; at < run->plan->size; at += chunk) {
		if (signal_caught != 0)
			return -1;
		data_fill(&run->data, run->written, at, run->buf, chunk);
		for (i = 0; i < chunk; i++)
			if (putc(bytes[i], stream) == EOF)
				return file_fault(&run->fault, "putc", at + i, errno, NULL);
		if (run->plan->sync_each && (fflush(stream) == EOF || file_sync(run) == -1))
			return file_fault(&run->fault, "fflush", at + i, errno, NULL);
		if (file_push(run, at + chunk) == -1)
			return -1;
		meter_add(&run->meter, chunk);
	}
	if (fflush(stream) == EOF)
		return file_fault(&run->fault, "fflush", at, errno, NULL);
	return file_sync(run);
}

static int
phase_write(struct run *run)
{
	size_t chunk = run->plan->chunk;
	uint64_t at;

	for (at = 0; at < run->plan->size; at += chunk) {
		if (file_write_fresh(run, FILE_WRITE, run->written, at, chunk) == -1 ||
		    file_push(run, at + chunk) == -1)
			return -1;
		meter_add(&run->meter, chunk);
	}
	return file_sync(run);
}

/*
 * Each chunk is read, changed and written back where it was.  All of it is changed, so that a disk
 * that compares or deduplicates must store all of it.
 */
static int
phase_rewrite(struct run *run)
{
	uint64_t at, fresh = data_key(&run->data, PASS_REWRITE);
	size_t chunk = run->plan->chunk;

	for (at = 0; at < run->plan->size; at += chunk) {
		if (file_read_checked(run, FILE_READ, run->written, at, chunk) == -1 ||
		    file_write_fresh(run, FILE_WRITE, fresh, at, chunk) == -1 ||
		    file_push(run, at + chunk) == -1)
			return -1;
		meter_add(&run->meter, chunk);
	}
	run->written = fresh;
	return file_sync(run);
}

/* What is timed is getc(), one call a byte. */
static int
phase_getc(struct run *run)
{
	unsigned char *bytes = (unsigned char *)run->buf;
	size_t i, chunk = run->plan->chunk;
	FILE *stream = run->file.stream;
	uint64_t at;
	int c;

	for (at = 0; at < run->plan->size; at += chunk) {
		if (signal_caught != 0)
			return -1;
		for (i = 0; i < chunk; i++) {
			if ((c = getc(stream)) == EOF)
				return file_fault(&run->fault, "getc", at + i,
				    ferror(stream) ? errno : 0,
				    ferror(stream) ? NULL : "unexpected end of file");
			bytes[i] = (unsigned char)c;
		}
		if (file_check(run, run->written, at, chunk) == -1)
			return -1;
		meter_add(&run->meter, chunk);
	}
	return 0;
}

static int
phase_read(struct run *run)
{
	size_t chunk = run->plan->chunk;
	uint64_t at;

	for (at = 0; at < run->plan->size; at += chunk) {
		if (file_read_checked(run, FILE_READ, run->written, at, chunk) == -1)
			return -1;
		meter_add(&run->meter, chunk);
	}
	return 0;
}

/* ---- Seekers ---------------------------------------------------------------------------------
 *
 * Owns the forked processes of the seek phase.  Pipes join them with their parent:
 *
 *	gates	parent -> seekers.  A seeker that is ready reads one byte, so that all start
 *		together; the parent lets a round begin by writing one byte for each.  Rounds use
 *		two gates in turn: at one gate a fast seeker, back for the next round, could take
 *		the byte of one that has not started yet.  When the gates close, because enough has
 *		been done or because the parent is gone, a seeker ends its round.
 *	reports	seekers -> parent, struct seek_report, small enough to be written whole.
 *
 * A round visits every place of the file once.  Between rounds the cache is emptied, and that time
 * does not count: a round lasts from its first start to its last end.
 */
enum seek_kind { SEEK_READY, SEEK_PROGRESS, SEEK_ROUND, SEEK_LATENCY, SEEK_FAULT };

#define SEEK_BUCKETS	20u		/* latency buckets in one report */

struct seek_report {
	enum seek_kind	kind;
	unsigned	seeker;		/* from 1 */
	uint64_t	seeks;		/* since the last report */
	uint64_t	start_ns;	/* SEEK_ROUND: clock at start and end of it ... */
	uint64_t	end_ns;
	uint64_t	cpu_ns;		/* ... and CPU time between */
	struct fault	fault;		/* SEEK_FAULT; its strings are constants, the same here */
	uint64_t	most_ns;	/* SEEK_LATENCY: the longest of all, and some buckets: */
	uint64_t	count[SEEK_BUCKETS];
	uint16_t	bucket[SEEK_BUCKETS];
};

typedef char seek_report_is_written_whole[sizeof(struct seek_report) <= _POSIX_PIPE_BUF ? 1 : -1];

/* One seeker, inside its own process. */
struct seeker {
	struct run	*run;
	unsigned	 number;	/* from 1 */
	int		 gate[2];	/* descriptors; a round uses gate[round % 2] */
	int		 reports;
	uint64_t	 told_ns;	/* clock at the last report */
	uint64_t	 untold;	/* seeks since */
	bool		 closed;	/* the gates are closed: finish */
};

/* All seekers, as the parent sees them. */
struct seek_team {
	pid_t		 pid[SEEKERS_MAX];	/* 0 = ended and reaped */
	unsigned	 size;		/* how many were forked */
	unsigned	 ready;		/* how many wait at the gate */
	int		 gate[2];	/* -1 = closed */
	uint64_t	 round;		/* number of the next round */
	int		 reports;
	uint64_t	 first_ns;	/* of this round: first start, last end */
	uint64_t	 last_ns;
	uint64_t	 looked_ns;	/* clock when we last looked after the seekers */
	uint64_t	 seen_ns;	/* clock when it was last read */
	unsigned	 stood;		/* how often it was read since it last went on */
	uint64_t	 begun_ns;	/* clock when the first round began */
	unsigned	 failed;	/* number of a seeker that ended badly; 0 = none */
};

/* A seeker that cannot report has no parent any more. */
static void
seek_send(struct seeker *s, struct seek_report *r)
{
	ssize_t n;

	r->seeker = s->number;
	r->seeks = s->untold;
	s->untold = 0;
	do
		n = write(s->reports, r, sizeof(*r));
	while (n == -1 && errno == EINTR);
	if (n != (ssize_t)sizeof(*r))
		_exit(1);
}

/* Ten times a second: tell how many, and see whether the gate has closed. */
static void
seek_tell(struct seeker *s, uint64_t now)
{
	/* Both close together.  POLLIN too, else macOS does not look at the descriptor at all. */
	struct pollfd gate = { .fd = s->gate[0], .events = POLLIN };
	struct seek_report r = { .kind = SEEK_PROGRESS };

	seek_send(s, &r);
	s->told_ns = now;
	if (poll(&gate, 1, 0) == 1 && (gate.revents & (POLLHUP | POLLERR)) != 0)
		s->closed = true;
}

/* One seek: read a place, check it, and if its turn has come change it and write it back. */
static int
seek_place(struct seeker *s, uint64_t round, uint64_t ticket)
{
	struct run *run = s->run;
	size_t len = run->plan->chunk < SEEK_BYTES ? run->plan->chunk : SEEK_BYTES;
	uint64_t at = order_place(&run->order, round, ticket) * len, key = run->written;
	bool changes = order_changes(&run->order, ticket);

	if (changes && round > 0)
		key = data_key(&run->data, PASS_SEEKS + round - 1);
	if (file_read_checked(run, FILE_PREAD, key, at, len) == -1)
		return -1;
	if (!changes)
		return 0;
	key = data_key(&run->data, PASS_SEEKS + round);
	if (file_write_fresh(run, FILE_PWRITE, key, at, len) == -1)
		return -1;
	file_hint(&run->file, at, len);	/* start it now, not all of them in the fsync */
	return 0;
}

/* Sends the latencies of the round and forgets them. */
static void
seek_send_latency(struct seeker *s, struct latency *l)
{
	struct seek_report r = { .kind = SEEK_LATENCY, .most_ns = l->most_ns };
	unsigned i, n = 0;

	for (i = 0; i < LATENCIES; i++) {
		if (l->count[i] != 0) {
			r.bucket[n] = (uint16_t)i;
			r.count[n++] = l->count[i];
		}
		if (n == SEEK_BUCKETS || (n > 0 && i == LATENCIES - 1)) {
			seek_send(s, &r);
			memset(r.count, 0, sizeof(r.count));
			n = 0;
		}
	}
	memset(l, 0, sizeof(*l));
}

/*
 * The timed part: this seeker's share of the first n tickets of a round, and the fsync.  It tells
 * also when the clock stands or went backwards (an unsigned difference is large then): only so it
 * learns that the gates are closed.
 */
static int
seek_round(struct seeker *s, uint64_t round, uint64_t n)
{
	struct seek_report r = { .kind = SEEK_ROUND };
	struct latency *latency = s->run->meter.latency;
	struct stamp start = clock_stamp(), end;
	uint64_t ticket, now, last = start.wall_ns;

	s->told_ns = start.wall_ns;
	for (ticket = s->number - 1; ticket < n && !s->closed; ticket += s->run->plan->seekers) {
		if (seek_place(s, round, ticket) == -1)
			return -1;
		s->untold++;
		now = clock_wall();
		if (latency != NULL)
			lat_add(latency, clock_between(last, now));
		last = now;
		if (now - s->told_ns >= TICK_NS || s->untold >= SEEKS_LEAST)
			seek_tell(s, now);
	}
	if (file_sync(s->run) == -1)
		return -1;
	end = clock_stamp();
	r.start_ns = start.wall_ns;
	r.end_ns = end.wall_ns;
	r.cpu_ns = clock_between(start.cpu_ns, end.cpu_ns);
	seek_send(s, &r);
	if (latency != NULL)
		seek_send_latency(s, latency);
	return 0;
}

/* Waits at the gate of a round.  Returns 0 or -1; ends the seeker when the gates are closed. */
static int
seek_wait(struct seeker *s, uint64_t round)
{
	char byte;
	ssize_t n;

	do
		n = read(s->gate[round % 2], &byte, 1);
	while (n == -1 && errno == EINTR);
	if (n == 0)
		_exit(0);
	return n == 1 ? 0 : file_fault(&s->run->fault, "wait for the start", NO_FILE, errno, NULL);
}

/* The life of a seeker. */
NO_RETURN
static void
seek_live(struct seeker *s)
{
	uint64_t places = s->run->order.places, round, n;
	uint64_t todo = s->run->plan->seeks == 0 ? UINT64_MAX : s->run->plan->seeks;
	struct seek_report ready = { .kind = SEEK_READY }, failed = { .kind = SEEK_FAULT };

	for (round = 0; todo > 0 && !s->closed; round++) {
		seek_send(s, &ready);
		n = todo < places ? todo : places;
		if (seek_wait(s, round) == -1 || seek_round(s, round, n) == -1) {
			failed.fault = s->run->fault;
			seek_send(s, &failed);
			_exit(1);
		}
		todo -= n;
	}
	_exit(0);
}

/* The pipes: two gates, then the reports.  Returns 0, or -1 with what was made closed again. */
static int
seek_pipes(struct run *run, int pipes[3][2])
{
	int i;

	for (i = 0; i < 3; i++)
		if (pipe(pipes[i]) == -1) {
			(void)file_fault(&run->fault, "pipe", NO_FILE, errno, NULL);
			while (i-- > 0) {
				(void)close(pipes[i][0]);
				(void)close(pipes[i][1]);
			}
			return -1;
		}
	return 0;
}

/*
 * Forks them.  Each keeps its own ends of the pipes only, so that closed gates are seen as closed.
 */
static int
seek_fork(struct run *run, struct seek_team *team)
{
	struct seeker s = { .run = run };
	int pipes[3][2], i;
	pid_t pid = 0;

	if (seek_pipes(run, pipes) == -1)
		return -1;
	signal_hold(SIG_BLOCK);
	while (team->size < run->plan->seekers && (pid = fork()) > 0)
		team->pid[team->size++] = pid;
	if (pid == -1) {
		(void)file_fault(&run->fault, "fork", NO_FILE, errno,
		    errno == EAGAIN ? "see ulimit -u and pids.max of the cgroup" : NULL);
		run->fault.seeker = team->size + 1;
	} else if (pid == 0)
		signal_default();
	for (i = 0; i < 3; i++)
		(void)close(pipes[i][(i == 2) == (pid == 0) ? 0 : 1]);
	if (pid == 0) {
		s.number = team->size + 1;
		s.gate[0] = pipes[0][0];
		s.gate[1] = pipes[1][0];
		s.reports = pipes[2][1];
		seek_live(&s);
	}
	signal_hold(SIG_UNBLOCK);
	team->gate[0] = pipes[0][1];
	team->gate[1] = pipes[1][1];
	team->reports = pipes[2][0];
	return pid == -1 ? -1 : 0;
}

static void
seek_close_gates(struct seek_team *team)
{
	int i;

	for (i = 0; i < 2; i++) {
		if (team->gate[i] != -1)
			(void)close(team->gate[i]);
		team->gate[i] = -1;
	}
}

/* Takes one report into the result. */
static int
seek_hear(struct run *run, struct seek_team *team, const struct seek_report *r)
{
	struct result *result = &run->result[COL_SEEKS];
	struct latency *l = run->meter.latency;
	unsigned i;

	result->amount += r->seeks;
	run->meter.done += r->seeks;
	meter_look(&run->meter);
	switch (r->kind) {
	case SEEK_READY:
		team->ready++;
		break;
	case SEEK_ROUND:
		team->first_ns = r->start_ns < team->first_ns ? r->start_ns : team->first_ns;
		team->last_ns = r->end_ns > team->last_ns ? r->end_ns : team->last_ns;
		result->cpu_ns += r->cpu_ns;
		break;
	case SEEK_LATENCY:
		for (i = 0; l != NULL && i < SEEK_BUCKETS; i++)
			l->count[r->bucket[i]] += r->count[i];
		if (l != NULL && r->most_ns > l->most_ns)
			l->most_ns = r->most_ns;
		break;
	case SEEK_FAULT:
		run->fault = r->fault;
		run->fault.seeker = r->seeker;
		return -1;
	case SEEK_PROGRESS:
		break;
	}
	return 0;
}

/* Adds the time of the round that has ended, from its first start to its last end. */
static void
seek_end_round(struct run *run, struct seek_team *team)
{
	run->result[COL_SEEKS].wall_ns += clock_between(team->first_ns, team->last_ns);
	team->first_ns = UINT64_MAX;
	team->last_ns = 0;
}

/* All wait at the gate: empties the cache and lets them through. */
static int
seek_begin_round(struct run *run, struct seek_team *team)
{
	char bytes[SEEKERS_MAX] = "";
	ssize_t n;

	team->ready = 0;
	if (team->gate[0] == -1)
		return 0;
	if (team->round == 0) {
		msg_progress("start 'em...");
		team->begun_ns = clock_wall();
	} else {
		seek_end_round(run, team);
		if (file_drop(run) == -1)
			return -1;
	}
	do
		n = write(team->gate[team->round % 2], bytes, team->size);
	while (n == -1 && errno == EINTR);
	team->round++;
	if (n == (ssize_t)team->size || (n == -1 && errno == EPIPE))
		return 0;	/* EPIPE: all are gone, and seek_reap() will learn why */
	return file_fault(&run->fault, "start the seekers", NO_FILE, n == -1 ? errno : 0,
	    n == -1 ? NULL : "not all of them could be told");
}

/*
 * Without a number of seeks: 4000 and 10 seconds, but never over 60 seconds.  A clock that stands
 * or went backwards will not tell when that is.
 */
static bool
seek_enough(const struct run *run, const struct seek_team *team, uint64_t now)
{
	uint64_t gone;

	if (run->plan->seeks != 0 || team->begun_ns == 0)
		return false;
	if (team->stood >= SEEK_STOOD || now < team->begun_ns)
		return true;
	gone = now - team->begun_ns;
	return gone >= SEEK_MOST_NS ||
	    (gone >= SEEK_LEAST_NS && run->result[COL_SEEKS].amount >= SEEKS_LEAST);
}

/*
 * Reaps the seekers that have ended, with the flags of waitpid().  One that died of a signal is a
 * fault at once.  One that failed may have a report under way that says why: it is remembered.
 */
static int
seek_reap(struct run *run, struct seek_team *team, int flags)
{
	int status, rc = 0;
	unsigned i;
	pid_t pid;

	for (i = 0; i < team->size; i++) {
		if (team->pid[i] == 0)
			continue;
		do
			pid = waitpid(team->pid[i], &status, flags);
		while (pid == -1 && errno == EINTR);
		if (pid != team->pid[i])
			continue;
		team->pid[i] = 0;
		if (WIFSIGNALED(status) && run->fault.op == NULL) {
			run->fault.seeker = i + 1;
			run->fault.signal = WTERMSIG(status);
			rc = file_fault(&run->fault, "seek", NO_FILE, 0, NULL);
		} else if (WIFEXITED(status) && WEXITSTATUS(status) != 0)
			team->failed = i + 1;
	}
	return rc;
}

/* Called when the reports are read up: has a seeker failed without one? */
static int
seek_silent(struct run *run, const struct seek_team *team)
{
	if (team->failed == 0 || run->fault.op != NULL)
		return 0;
	run->fault.seeker = team->failed;
	return file_fault(&run->fault, "seek", NO_FILE, 0, "it ended and did not say why");
}

/* Waits a moment for a report and takes it in.  Returns 1, 0 when all seekers have ended, or -1. */
static int
seek_listen(struct run *run, struct seek_team *team)
{
	struct pollfd reports = { .fd = team->reports, .events = POLLIN };
	struct seek_report r;
	ssize_t got;
	int n;

	n = poll(&reports, 1, (int)(TICK_NS / 1000000));
	if (signal_caught != 0)
		return file_fault(&run->fault, "seek", NO_FILE, EINTR, NULL);
	if (n == -1 && errno != EINTR)
		return file_fault(&run->fault, "poll", NO_FILE, errno, NULL);
	if (n == 0 && seek_silent(run, team) == -1)
		return -1;
	if (n <= 0)
		return 1;
	do
		got = read(team->reports, &r, sizeof(r));
	while (got == -1 && errno == EINTR);
	if (got == 0)
		return 0;
	if (got != (ssize_t)sizeof(r))
		return file_fault(&run->fault, "read a seeker's report", NO_FILE,
		    got == -1 ? errno : 0, got == -1 ? NULL : "it was cut short");
	return seek_hear(run, team, &r) == -1 ? -1 : 1;
}

/* Leads the seekers through their rounds until all have ended. */
static int
seek_lead(struct run *run, struct seek_team *team)
{
	uint64_t now;
	int rc;

	while ((rc = seek_listen(run, team)) == 1) {
		if (team->ready == team->size && seek_begin_round(run, team) == -1)
			return -1;
		now = clock_wall();
		team->stood = now > team->seen_ns ? 0 : team->stood + 1;
		team->seen_ns = now;
		if (team->stood == 0 && now - team->looked_ns < TICK_NS)
			continue;
		team->looked_ns = now;
		if (seek_reap(run, team, WNOHANG) == -1)
			return -1;
		if (seek_enough(run, team, now))
			seek_close_gates(team);
	}
	if (rc == 0)
		seek_close_gates(team);
	if (rc == -1 || seek_reap(run, team, 0) == -1 || seek_silent(run, team) == -1)
		return -1;
	if (run->result[COL_SEEKS].amount < run->plan->seeks)
		return file_fault(&run->fault, "seek", NO_FILE, 0, "the seekers ended too early");
	seek_end_round(run, team);
	return 0;
}

/*
 * Something failed: ends the seekers and gives them a second to go (a bad disk may hold them
 * longer).
 */
static void
seek_kill(struct run *run, struct seek_team *team)
{
	unsigned i, left, tries;

	for (tries = 0; tries < 100; tries++) {
		for (i = left = 0; i < team->size; i++)
			if (team->pid[i] != 0) {
				left++;
				(void)kill(team->pid[i], SIGKILL);
			}
		if (left == 0)
			return;
		(void)poll(NULL, 0, 10);
		(void)seek_reap(run, team, WNOHANG);
	}
}

/* The body of the seek phase.  It has a stop-watch of its own: the clocks are in the seekers. */
static int
seek_all(struct run *run)
{
	struct seek_team team = { .first_ns = UINT64_MAX, .gate = { -1, -1 }, .reports = -1 };
	unsigned i;
	int rc;

	if (run->plan->seekers > SEEKERS_NAMED)
		msg_progress("Seekers 1 to %u...", run->plan->seekers);
	else
		for (i = 1; i <= run->plan->seekers; i++)
			msg_progress("Seeker %u...", i);
	rc = seek_fork(run, &team);
	if (rc == 0)
		rc = seek_lead(run, &team);
	if (rc == -1)
		seek_kill(run, &team);
	seek_close_gates(&team);
	if (team.reports != -1)
		(void)close(team.reports);
	for (i = 1; rc == 0 && i < run->plan->seekers && i < SEEKERS_NAMED; i++)
		msg_progress("done...");
	return rc;
}

/* ---- Create phases ---------------------------------------------------------------------------
 *
 * Owns the tree of small files that -n asks for, Bonnie.PID.d in the scratch directory, and its
 * phases: create, read and delete, first with names that begin with the number of the file, in
 * order, then with names that end with it, in random order.  That is what bonnie++ 1.03 measures.
 *
 * Name, size, directory and contents of a file follow from its number, so a million files need no
 * list.  All calls go through the descriptor of the root: a link put in its place leads nowhere.
 */
#define CREATE_DIR_FLAGS	(O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

/* A fault of the small file in use. */
static int
create_fault(struct run *run, const char *op, int err, const char *why)
{
	return file_fault(&run->fault, op, IN_TREE, err, why);
}

/*
 * Writes n with at least so many digits and returns their end: printf() would cost as much as a
 * stat().
 */
static char *
create_digits(char *to, uint64_t n, int least)
{
	char digits[20];
	int len = 0;

	do
		digits[len++] = (char)('0' + n % 10);
	while ((n /= 10) > 0 || len < least);
	while (len > 0)
		*to++ = digits[--len];
	return to;
}

/*
 * The name of file n: the number and up to twelve letters or digits, in this order or the other,
 * below one of the directories if there are several.
 */
static void
create_name(struct tree *t, uint64_t dirs, uint64_t n)
{
	static const char letters[] = "0123456789abcdefghijklmnopqrstuv";
	uint64_t bits = rng_nth(t->key, n);	/* the length from its top, 5 bits a letter */
	size_t len = (size_t)(bits >> 60) % 13;
	char *to = t->name;

	if (dirs > 1) {
		to = create_digits(to, n % dirs, 5);
		*to++ = '/';
	}
	if (!t->random)
		to = create_digits(to, n, 7);
	for (; len > 0; len--, bits >>= 5)
		*to++ = letters[bits % 32];
	if (t->random)
		to = create_digits(to, n, 7);
	*to = '\0';
}

/* The size of file n in bytes, anything from the least to the most. */
static uint64_t
create_size(const struct run *run, uint64_t n)
{
	uint64_t least = run->plan->file_least;

	return least + rng_nth(~run->tree.key, n) % (run->plan->file_most - least + 1);
}

/* All entries of directory n of the tree are on the disk. */
static int
create_sync_dir(struct run *run, uint64_t n)
{
	struct tree *t = &run->tree;
	bool root = run->plan->dirs == 1;
	int fd = t->dir, rc;

	t->name[0] = '\0';		/* a message names the directory, not the last file */
	if (!root) {
		(void)snprintf(t->name, sizeof(t->name), "%05" PRIu64, n);
		if ((fd = openat(t->dir, t->name, CREATE_DIR_FLAGS)) == -1)
			return create_fault(run, "open directory", errno, NULL);
	}
	rc = file_flush(fd, fsync) == -1 ? create_fault(run, "fsync directory", errno, NULL) : 0;
	if (!root)
		(void)close(fd);
	return rc;
}

/*
 * The same for all directories of the tree, at the end of a phase that changed them; and for the
 * data of the files, which no fsync of a directory writes out.  bonnie++ calls sync() here.
 */
static int
create_sync(struct run *run)
{
	uint64_t n;

#ifdef HAVE_SYNCFS
	run->tree.name[0] = '\0';
	if (run->plan->file_most > 0 && !run->plan->sync_each &&
	    file_flush(run->tree.dir, syncfs) == -1)
		return create_fault(run, "syncfs", errno, NULL);
#endif
	for (n = 0; n < run->plan->dirs; n++)
		if (signal_caught != 0 || create_sync_dir(run, n) == -1)
			return -1;
	return 0;
}

/*
 * Writes the data of file n, or reads and checks them.  The files lie one behind the other in an
 * imaginary large file, each from a whole sector on, whose contents are those of the pass.
 */
static int
create_transfer(struct run *run, int fd, uint64_t n, bool writing)
{
	uint64_t most = run->plan->file_most, left = create_size(run, n);
	uint64_t at = n * ((most + SECTOR - 1) / SECTOR) * SECTOR;
	size_t len, whole, done;
	uint64_t tail[WORDS];
	ssize_t got;

	for (; left > 0; left -= len, at += len) {
		len = left < run->plan->chunk ? (size_t)left : run->plan->chunk;
		whole = len / SECTOR * SECTOR;
		if (writing)
			data_fill(&run->data, run->tree.contents, at, run->buf,
			    whole < len ? whole + SECTOR : whole);
		for (done = 0; done < len; done += (size_t)got) {
			got = writing ? write(fd, (char *)run->buf + done, len - done) :
			    read(fd, (char *)run->buf + done, len - done);
			if (got == -1 && errno == EINTR && signal_caught == 0)
				got = 0;
			else if (got <= 0)
				return create_fault(run, writing ? "write" : "read",
				    got == -1 ? errno : 0, got == -1 ? NULL : writing ?
				    "nothing was written, and no reason given" :
				    "unexpected end of file");
		}
		if (writing)
			continue;
		if (whole < len)
			data_fill(&run->data, run->tree.contents, at + whole, tail, SECTOR);
		if ((run->plan->compare ? data_check_all : data_check)(&run->data,
		    run->tree.contents, at, run->buf, whole) < whole ||
		    memcmp((char *)run->buf + whole, tail, len - whole) != 0)
			return create_fault(run, "read", 0,
			    "the data are not those that were written");
	}
	return 0;
}

/* Makes the file or link of this name. */
static int
create_one(struct run *run, uint64_t n)
{
	struct tree *t = &run->tree;
	int fd, rc;

	switch (run->plan->kind) {
	case KIND_HARD_LINKS:
		if (n > 0 && linkat(t->dir, t->target, t->dir, t->name, 0) == 0)
			return 0;
		if (n > 0 && errno != EMLINK)
			return create_fault(run, "link", errno, NULL);
		break;			/* the first, or one more: this one is full of links */
	case KIND_SYMBOLIC_LINKS:
		if (symlinkat("target", t->dir, t->name) == 0)
			return 0;
		return create_fault(run, "symlink", errno, NULL);
	case KIND_FILES:
		break;
	}
	fd = openat(t->dir, t->name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd == -1)
		return create_fault(run, "create", errno, NULL);
	rc = create_transfer(run, fd, n, true);
	if (rc == 0 && run->plan->sync_each && file_flush(fd, file_fsync) == -1)
		rc = create_fault(run, "fsync", errno, NULL);
	if (close(fd) == -1 && errno != EINTR && rc == 0)
		rc = create_fault(run, "close", errno, NULL);
	if (rc == 0 && run->plan->kind == KIND_HARD_LINKS)
		memcpy(t->target, t->name, sizeof(t->target));
	return rc;
}

/* Reads the file of this name, or asks for its status where there is nothing to read. */
static int
create_look(struct run *run, uint64_t n)
{
	struct tree *t = &run->tree;
	struct stat st;
	int fd, rc;

	if (run->plan->file_most == 0) {
		if (fstatat(t->dir, t->name, &st,
		    run->plan->kind == KIND_SYMBOLIC_LINKS ? AT_SYMLINK_NOFOLLOW : 0) == -1)
			return create_fault(run, "stat", errno, NULL);
		return 0;
	}
	if ((fd = openat(t->dir, t->name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)) == -1)
		return create_fault(run, "open", errno, NULL);
	rc = create_transfer(run, fd, n, false);
	(void)close(fd);
	return rc;
}

static int
create_delete(struct run *run, uint64_t n)
{
	(void)n;
	if (unlinkat(run->tree.dir, run->tree.name, 0) == -1)
		return create_fault(run, "unlink", errno, NULL);
	return 0;
}

/* Does one thing to every file: in the order of their numbers, or shuffled. */
static int
create_each(struct run *run, bool shuffled, bool changes, int (*one)(struct run *, uint64_t))
{
	struct tree *t = &run->tree;
	uint64_t i, n;

	for (i = 0; i < run->plan->files; i++) {
		n = shuffled ? order_permute(t->key, run->plan->files, i) : i;
		if (signal_caught != 0)
			return -1;
		create_name(t, run->plan->dirs, n);
		if (one(run, n) == -1)
			return -1;
		if (changes && run->plan->sync_each &&
		    create_sync_dir(run, n % run->plan->dirs) == -1)
			return -1;
		meter_add(&run->meter, 1);
	}
	return changes ? create_sync(run) : 0;
}

/* Random names are made in the order of their numbers: it is the names that look random. */
static int
create_all(struct run *run)
{
	return create_each(run, false, true, create_one);
}

static int
create_look_all(struct run *run)
{
	return create_each(run, run->tree.random, false, create_look);
}

static int
create_delete_all(struct run *run)
{
	return create_each(run, run->tree.random, true, create_delete);
}

/* Makes the tree: its root, under a name that nobody has, and its directories. */
static int
create_begin(struct run *run)
{
	struct tree *t = &run->tree;
	uint64_t n;
	int rc = -1;

	t->dir = -1;
	t->name[0] = '\0';
	for (n = 0; rc == -1 && n < NAMES_TRIED; n++) {
		(void)snprintf(t->root, sizeof(t->root), n == 0 ? "Bonnie.%ld.d" :
		    "Bonnie.%ld.%" PRIu64 ".d", (long)getpid(), n);
		rc = mkdirat(run->file.dir, t->root, 0700);
		if (rc == -1 && errno != EEXIST)
			break;
	}
	if (rc == -1)
		return create_fault(run, "make directory", errno, NULL);
	t->made = true;
	if ((t->dir = openat(run->file.dir, t->root, CREATE_DIR_FLAGS)) == -1)
		return create_fault(run, "open directory", errno, NULL);
	for (n = 0; run->plan->dirs > 1 && n < run->plan->dirs && signal_caught == 0; n++) {
		(void)snprintf(t->name, sizeof(t->name), "%05" PRIu64, n);
		if (mkdirat(t->dir, t->name, 0700) == -1)
			return create_fault(run, "make directory", errno, NULL);
	}
	return 0;
}

/*
 * Removes all that is in a directory of the tree, and the directories in it if asked to.  Returns 0
 * or the errno of the first thing refused: rmdir() only knows that the directory is not empty then.
 */
static int
create_clear(int fd, bool deeper)
{
	DIR *d = fd == -1 ? NULL : fdopendir(fd);
	int err = d == NULL ? errno : 0, why, below;
	struct dirent *e;

	while (d != NULL && (e = readdir(d)) != NULL) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		if (unlinkat(dirfd(d), e->d_name, 0) == 0)
			continue;
		why = errno;
		if (deeper) {
			below = create_clear(openat(dirfd(d), e->d_name, CREATE_DIR_FLAGS), false);
			if (unlinkat(dirfd(d), e->d_name, AT_REMOVEDIR) == 0)
				continue;
			/* Is it no directory?  Then the first call told more. */
			if (below != ENOTDIR && below != ELOOP && below != EMLINK)
				why = below != 0 ? below : errno;
		}
		if (err == 0)
			err = why;
	}
	if (d != NULL)
		(void)closedir(d);
	else if (fd != -1)
		(void)close(fd);
	return err;
}

/* Takes the tree away, whatever is left of it.  Signals are held: they have been heard already. */
static int
create_end(struct run *run)
{
	struct tree *t = &run->tree;
	int rc = 0, err = 0, tries;
	char path[PATH_MAX];

	if (!t->made)
		return 0;
	t->made = false;
	if (t->dir != -1)
		(void)close(t->dir);
	t->dir = -1;
	signal_hold(SIG_BLOCK);
	/* Some file systems leave entries out while others are removed: look again. */
	for (tries = 0; tries < 10; tries++) {
		err = create_clear(openat(run->file.dir, t->root, CREATE_DIR_FLAGS), true);
		if (unlinkat(run->file.dir, t->root, AT_REMOVEDIR) == 0)
			break;
		err = err != 0 ? err : errno;
	}
	if (tries == 10) {
		sys_path(path, sizeof(path), run->plan->dir, t->root);
		msg_error(err, "cannot remove %s: rm -r it", path);
		rc = -1;
	}
	signal_hold(SIG_UNBLOCK);
	return rc;
}

/* ---- Phase table and runner ------------------------------------------------------------------
 *
 * Owns the order of the phases and the only stop-watch around them.  To add a phase: its body in
 * Phases, its row here.  Rows run from top to bottom; the column says where a figure is shown.
 */
enum {
	RUN_CHARS = 1, RUN_FRESH = 2, RUN_PUSHES = 4, RUN_SEEKS = 8, RUN_TREE = 16, RUN_RANDOM = 32
};

static const struct phase {
	const char	*title;		/* of its progress line */
	const char	*name;		/* in a sentence */
	const char	*id;		/* in json, and for -w */
	enum column	 column;
	unsigned	 flags;		/* CHARS: through stdio.  FRESH: from an empty file, the */
					/* others from an empty cache.  PUSHES: file_push() tells */
					/* what has settled.  SEEKS: its own clock.  TREE: small */
					/* files.  RANDOM: their random names */
	uint64_t	 pass;		/* which data a FRESH or TREE phase writes */
	int		(*body)(struct run *);
} phases[] = {
	{ "Writing with putc()...", "per-char output", "putc", COL_PUTC,
	    RUN_CHARS | RUN_FRESH | RUN_PUSHES, PASS_PUTC, phase_putc },
	{ "Writing intelligently...", "block output", "block", COL_BLOCK,
	    RUN_FRESH | RUN_PUSHES, PASS_BLOCK, phase_write },
	{ "Rewriting...", "rewrite", "rewrite", COL_REWRITE,
	    RUN_PUSHES, 0, phase_rewrite },
	{ "Reading with getc()...", "per-char input", "getc", COL_GETC, RUN_CHARS, 0, phase_getc },
	{ "Reading intelligently...", "block input", "read", COL_READ, 0, 0, phase_read },
	{ "", "seeks", "seeks", COL_SEEKS, RUN_SEEKS, 0, seek_all },
	{ "Create files in sequential order...", "sequential create", "seq_create",
	    COL_SEQ_CREATE, RUN_TREE, PASS_SEQ_CREATE, create_all },
	{ "Read files in sequential order...", "sequential read of files", "seq_read",
	    COL_SEQ_READ, RUN_TREE, PASS_SEQ_CREATE, create_look_all },
	{ "Delete files in sequential order...", "sequential delete", "seq_delete",
	    COL_SEQ_DELETE, RUN_TREE, PASS_SEQ_CREATE, create_delete_all },
	{ "Create files in random order...", "random create", "ran_create",
	    COL_RAN_CREATE, RUN_TREE | RUN_RANDOM, PASS_RAN_CREATE, create_all },
	{ "Read files in random order...", "random read of files", "ran_read",
	    COL_RAN_READ, RUN_TREE | RUN_RANDOM, PASS_RAN_CREATE, create_look_all },
	{ "Delete files in random order...", "random delete", "ran_delete",
	    COL_RAN_DELETE, RUN_TREE | RUN_RANDOM, PASS_RAN_CREATE, create_delete_all },
};

#define PHASES	(sizeof(phases) / sizeof(phases[0]))

/* What the figures of a phase count: bytes, or seeks and files. */
static uint64_t
run_unit(enum column column)
{
	return column < COL_SEEKS ? KIB : 1;
}

/* All that must be done before the clock starts. */
static int
run_prepare(struct run *run, const struct phase *p)
{
	if ((p->flags & RUN_TREE) != 0) {
		run->tree.random = (p->flags & RUN_RANDOM) != 0;
		run->tree.key = data_key(&run->data, ~(uint64_t)p->pass);
		run->tree.contents = data_key(&run->data, p->pass);
		return 0;
	}
	file_use(&run->file, (p->flags & RUN_CHARS) == 0);
	file_random(&run->file, (p->flags & RUN_SEEKS) != 0);
	if ((p->flags & RUN_FRESH) != 0)
		run->written = data_key(&run->data, p->pass);
	if (((p->flags & RUN_FRESH) != 0 ? file_empty(run) : file_drop(run)) == -1)
		return -1;
	return (p->flags & RUN_CHARS) != 0 ? file_stream_open(run) : 0;
}

/* Ends the progress line with the figures of the phase. */
static void
run_tell(const struct phase *p, const struct result *r)
{
	bool bytes = run_unit(p->column) == KIB;
	char rate[32], cpu[32];

	clock_figure(rate, sizeof(rate), clock_rate(r->amount, run_unit(p->column), r->wall_ns),
	    !bytes, "+++++");
	clock_figure(cpu, sizeof(cpu), clock_cpu(r->cpu_ns, r->wall_ns), 1, "+++");
	msg_done("done: %s %s %s %%CPU", rate, bytes ? "K/sec" : "/sec", cpu);
}

/* How much a phase will do, in bytes or operations; 0 = by time. */
static uint64_t
run_total(const struct plan *plan, const struct phase *p)
{
	if ((p->flags & RUN_TREE) != 0)
		return plan->files;
	return (p->flags & RUN_SEEKS) != 0 ? plan->seeks : plan->size;
}

static int
run_phase(struct run *run, const struct phase *p)
{
	bool latency = run->latency != NULL && (p->flags & (RUN_CHARS | RUN_TREE)) == 0;
	struct result *r = &run->result[p->column];
	struct stamp start, end;
	int rc;

	if (run->plan->in_step && sys_wait_line(p->id) == -1)
		return file_fault(&run->fault, "wait for the start", NO_FILE, 0,
		    "standard input has ended");
	msg_progress("%s", p->title);
	if (run_prepare(run, p) == -1)
		return -1;
	meter_start(&run->meter, run_total(run->plan, p), run_unit(p->column) == 1,
	    latency ? &run->latency[p->column] : NULL);
	run->meter.settles = (p->flags & RUN_PUSHES) != 0 && !run->file.no_wait &&
	    run->file.io != run->file.direct;
	start = clock_stamp();
	rc = p->body(run);
	end = clock_stamp();
	meter_end(&run->meter);
	if (signal_caught != 0 || rc == -1 || file_stream_close(run) == -1)
		return -1;
	if ((p->flags & RUN_SEEKS) == 0) {
		r->amount = run->meter.done;
		r->wall_ns = clock_between(start.wall_ns, end.wall_ns);
		r->cpu_ns = clock_between(start.cpu_ns, end.cpu_ns);
	}
	r->measured = true;
	r->series = run->meter.series;
	run_tell(p, r);
	meter_tell(&run->meter, p->name);
	return 0;
}

/* What one run needs and no other: its data, its order of seeks. */
static void
run_begin(struct run *run, uint64_t number)
{
	uint64_t place = run->plan->chunk < SEEK_BYTES ? run->plan->chunk : SEEK_BYTES;

	run->number = number;
	run->began = time(NULL);
	run->seed = number == 0 ? run->plan->seed : rng_nth(run->plan->seed, number);
	memset(&run->fault, 0, sizeof(run->fault));
	memset(run->result, 0, sizeof(run->result));
	if (run->latency != NULL)
		memset(run->latency, 0, COLUMNS * sizeof(*run->latency));
	data_seed(&run->data, run->seed);
	run->order.places = run->plan->size / place;
	run->order.seekers = run->plan->seekers;
	run->order.key = rng_mix(run->seed ^ SEEKERS_MAX);
}

/*
 * Says what went wrong: the operation, the path, the offset, the cause.  A signal needs no words.
 */
static void
run_complain(const struct run *run)
{
	const struct fault *f = &run->fault;
	char who[32] = "", path[PATH_MAX], where[PATH_MAX + 128] = "";

	if (f->op == NULL || signal_caught != 0)
		return;
	if (f->seeker != 0)
		(void)snprintf(who, sizeof(who), "seeker %u: ", f->seeker);
	if (f->at == IN_TREE) {
		sys_path(path, sizeof(path), run->plan->dir, run->tree.root);
		(void)snprintf(where, sizeof(where), " %s%s%s", path,
		    *run->tree.name == '\0' ? "" : "/", run->tree.name);
	} else if (f->at == NOWHERE && run->file.path != NULL)
		(void)snprintf(where, sizeof(where), " %s", run->file.path);
	else if (f->at < IN_TREE)
		(void)snprintf(where, sizeof(where), " %s at %" PRIu64, run->file.path, f->at);
	if (f->signal != 0)
		msg_error(0, "%skilled by signal %d (%s)", who, f->signal, strsignal(f->signal));
	else if (f->err != 0 && f->why != NULL)
		msg_error(0, "%s%s%s: %s (%s)", who, f->op, where, strerror(f->err), f->why);
	else
		msg_error(0, "%s%s%s: %s", who, f->op, where,
		    f->why != NULL ? f->why : strerror(f->err));
}

/* The phases of the scratch file, or those of the tree. */
static int
run_phases(struct run *run, bool tree)
{
	int rc = 0;
	size_t i;

	for (i = 0; rc == 0 && i < PHASES; i++) {
		if (((phases[i].flags & RUN_TREE) != 0) != tree ||
		    (run->plan->no_chars && (phases[i].flags & RUN_CHARS) != 0))
			continue;
		rc = run_phase(run, &phases[i]);
		if (rc == 0 && phases[i].column == COL_BLOCK)
			file_warn_sparse(run);
	}
	return rc;
}

/* All phases once.  Returns 0 with every result filled in, or -1 when the run has failed. */
static int
run_all(struct run *run, uint64_t number)
{
	int rc = 0;

	run_begin(run, number);
	if (run->plan->size > 0) {
		rc = file_open(run);
		if (rc == 0 && !msg.quiet)
			msg_info("File '%s', size: %" PRIu64 "\n", run->file.path, run->plan->size);
	}
	if (rc == 0 && number == 0 && !msg.quiet)
		msg_info("Seed: %" PRIu64 "\n", run->seed);
	if (rc == 0 && run->plan->size > 0)
		rc = run_phases(run, false);
	if (file_close(run) == -1)
		rc = -1;
	if (rc == 0 && run->plan->files > 0) {
		rc = create_begin(run);
		if (rc == 0)
			rc = run_phases(run, true);
		if (create_end(run) == -1)
			rc = -1;
	}
	if (rc == -1)
		run_complain(run);
	return rc;
}

/* ---- Report ----------------------------------------------------------------------------------
 *
 * Owns stdout.  A printer writes one run to a stream; the whole text then goes to stdout at once
 * and is checked.  To add a format: a printer, a row in formats[].
 *
 * The text table is that of 1996.  Its cells are made first, as strings; a column is as wide as in
 * 1996, or as its widest cell, and the header grows with it.
 */
#define CELL_SIZE	(4 * LABEL_MOST + 1)	/* bytes: a label of UTF-8, or any number */

/* The widths of 1996, and the words above the columns. */
static const struct {
	int		 width;
	const char	*word;
} out_columns[CELLS] = {
	{ 8, "Machine" }, { 4, "MB" },
	{ 5, "K/sec" }, { 4, "%CPU" }, { 5, "K/sec" }, { 4, "%CPU" }, { 5, "K/sec" }, { 4, "%CPU" },
	{ 5, "K/sec" }, { 4, "%CPU" }, { 5, "K/sec" }, { 4, "%CPU" }, { 5, "/sec" }, { 4, "%CPU" },
};

/* A rule above the words. */
struct rule {
	const char	*text;
	int		 columns;	/* that it spans */
	bool		 last;		/* on its line */
};

static const struct rule out_rules[] = {
	{ "-------Sequential Output--------", 6, false },
	{ "---Sequential Input--", 4, false },
	{ "--Random--", 2, true },
	{ "-Per Char-", 2, false }, { "--Block---", 2, false }, { "-Rewrite--", 2, false },
	{ "-Per Char-", 2, false }, { "--Block---", 2, false }, { "--Seeks---", 2, true },
};

#define OUT_RULES	(sizeof(out_rules) / sizeof(out_rules[0]))

/* Those of the second table, that of bonnie++ 1.03. */
static const struct rule out_create_rules[] = {
	{ "------Sequential Create------", 6, false },
	{ "--------Random Create--------", 6, true },
	{ "-Create--", 2, false }, { "--Read---", 2, false }, { "-Delete--", 2, false },
	{ "-Create--", 2, false }, { "--Read---", 2, false }, { "-Delete--", 2, true },
};

#define OUT_CREATE_RULES	(sizeof(out_create_rules) / sizeof(out_create_rules[0]))

struct row {
	char		 cell[CELLS][CELL_SIZE];
};

/* Columns that text takes on a terminal: bytes that do not continue a character. */
static int
out_width(const char *text)
{
	int width = 0;

	for (; *text != '\0'; text++)
		width += ((unsigned char)*text & 0xc0) != 0x80;
	return width;
}

/* The length of the UTF-8 character at text if it is a whole and printable one, else 0. */
static size_t
out_character(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t len, i;

	if (s[0] < 0x80)
		return s[0] >= ' ' && s[0] != 0x7f;
	len = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
	if (s[0] < 0xc2 || s[0] > 0xf4)
		return 0;
	for (i = 1; i < len; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	if ((s[0] == 0xc2 && s[1] < 0xa0) ||	/* C1 controls */
	    (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
	    (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
		return 0;
	return len;
}

/* Copies at most so many columns of a label; what could harm a terminal or a parser becomes '?'. */
static void
out_label(char *to, size_t size, const char *label, int most)
{
	char *end = to + size - 5;	/* room for the longest character */
	size_t len;

	for (; *label != '\0' && most > 0 && to < end; most--) {
		len = out_character(label);
		if (len == 0)
			*to++ = '?';
		else
			memcpy(to, label, len);
		label += len == 0 ? 1 : len;
		to += len;
	}
	*to = '\0';
}

/* The figures of a run as cells, ready for text and html. */
static void
out_cells(struct row *row, const struct run *run, const char *label)
{
	const struct result *r = run->result;
	const struct plan *plan = run->plan;
	int i, cell = 2;
	uint64_t unit;

	out_label(row->cell[0], CELL_SIZE, label, LABEL_MOST);
	if (plan->size % MIB == 0)
		(void)snprintf(row->cell[1], CELL_SIZE, "%" PRIu64, plan->size / MIB);
	else
		(void)snprintf(row->cell[1], CELL_SIZE, "%" PRIu64 "k", plan->size / KIB);
	for (i = 0; i < COLUMNS; i++, r++) {
		unit = run_unit((enum column)i);
		clock_figure(row->cell[cell++], CELL_SIZE, r->measured ?
		    clock_rate(r->amount, unit, r->wall_ns) : -1, i == COL_SEEKS, "+++++");
		clock_figure(row->cell[cell++], CELL_SIZE, r->measured ?
		    clock_cpu(r->cpu_ns, r->wall_ns) : -1, 1, "+++");
	}
}

/* Widens the columns for this row.  Returns whether the header must be printed (anew). */
static bool
out_widen(int width[CELLS], const struct row *row)
{
	bool wider = false;
	int i, w;

	for (i = 0; i < CELLS; i++) {
		w = out_width(row->cell[i]);
		w = w > out_columns[i].width ? w : out_columns[i].width;
		if (w > width[i]) {
			width[i] = w;
			wider = true;
		}
	}
	return wider;
}

/* The lines of rules over columns of these widths; each rule grows by dashes on both sides. */
static void
out_rule_lines(FILE *f, const struct rule *rule, size_t rules, int indent, const int *width)
{
	int i, w, first = 0, more;

	for (; rules > 0; rules--, rule++) {
		if (first == 0)
			(void)fprintf(f, "%*s", indent, "");
		for (i = 0, w = -1; i < rule->columns; i++)
			w += 1 + width[first++];
		(void)fputc(' ', f);
		more = w - (int)strlen(rule->text);
		for (i = 0; i < more / 2; i++)
			(void)fputc('-', f);
		(void)fputs(rule->text, f);
		for (; i < more; i++)
			(void)fputc('-', f);
		if (rule->last) {
			(void)fputc('\n', f);
			first = 0;
		}
	}
}

/* One line of cells: the label to the left, all others to the right. */
static void
out_line(FILE *f, const int width[CELLS], const struct row *row)
{
	int i;

	(void)fprintf(f, "%s%*s", row->cell[0], width[0] - out_width(row->cell[0]), "");
	for (i = 1; i < CELLS; i++)
		(void)fprintf(f, " %*s", width[i], row->cell[i]);
	(void)fputc('\n', f);
}

/* With -l: a line a phase under the row. */
static void
out_latency(FILE *f, const struct run *run)
{
	const struct latency *l;
	size_t i;

	for (i = 0; i < PHASES; i++) {
		if (phases[i].column >= COLUMNS)
			continue;
		l = &run->latency[phases[i].column];
		if (lat_percentile(l, 50) >= 0)
			(void)fprintf(f, "Latency %-12s  p50 %10.1f us  p99 %10.1f us"
			    "  max %10.1f us\n", phases[i].name, lat_percentile(l, 50) / 1000,
			    lat_percentile(l, 99) / 1000, (double)l->most_ns / 1000);
	}
}

/* What -n made, as bonnie++ 1.03 writes it: files[:max[:min][/dirs]], files in units of 1024. */
static void
out_files(char *to, size_t size, const struct plan *plan)
{
	char most[32] = "", least[32] = "", dirs[32] = "";

	if (plan->kind != KIND_FILES)
		(void)snprintf(most, sizeof(most), ":%s",
		    plan->kind == KIND_HARD_LINKS ? "link" : "symlink");
	else if (plan->file_most > 0 || plan->dirs > 1)
		(void)snprintf(most, sizeof(most), ":%" PRIu64, plan->file_most);
	if (plan->file_least > 0 || plan->dirs > 1)
		(void)snprintf(least, sizeof(least), ":%" PRIu64, plan->file_least);
	if (plan->dirs > 1)
		(void)snprintf(dirs, sizeof(dirs), "/%" PRIu64, plan->dirs);
	(void)snprintf(to, size, "%" PRIu64 "%s%s%s", plan->files / 1024, most, least, dirs);
}

/* A rate or a %CPU as bonnie++ prints them, whole; empty where there is none. */
static void
out_whole(char *to, size_t size, const struct run *run, enum column column, bool cpu,
    const char *none)
{
	const struct result *r = &run->result[column];
	double value = !r->measured ? -1 : cpu ? clock_cpu(r->cpu_ns, r->wall_ns) :
	    clock_rate(r->amount, run_unit(column), r->wall_ns);

	clock_figure(to, size, value, !cpu && column == COL_SEEKS, none);
}

/* The create phases, as the second table of bonnie++ 1.03; its columns grow like those above. */
static void
out_create(FILE *f, const struct run *run)
{
	enum { CREATE_CELLS = 2 * (RESULTS - COL_SEQ_CREATE) };
	char files[128], cell[CREATE_CELLS][32];
	int i, width[CREATE_CELLS], indent, w;

	out_files(files, sizeof(files), run->plan);
	indent = (int)strlen(files) > 19 ? (int)strlen(files) : 19;
	for (i = 0; i < CREATE_CELLS; i++) {
		out_whole(cell[i], sizeof(cell[i]), run, (enum column)(COL_SEQ_CREATE + i / 2),
		    i % 2 == 1, i % 2 == 1 ? "+++" : "+++++");
		w = (int)strlen(cell[i]);
		width[i] = i % 2 == 1 ? (w > 3 ? w : 3) : (w > 5 ? w : 5);
	}
	out_rule_lines(f, out_create_rules, OUT_CREATE_RULES, indent, width);
	(void)fprintf(f, strchr(files, ':') != NULL ? "%-*s" : "%*s", indent,
	    strchr(files, ':') != NULL ? "files:max:min" : "files");
	for (i = 0; i < CREATE_CELLS; i++)
		(void)fprintf(f, " %*s", width[i], i % 2 == 1 ? "%CP" : "/sec");
	(void)fprintf(f, "\n%*s", indent, files);
	for (i = 0; i < CREATE_CELLS; i++)
		(void)fprintf(f, " %*s", width[i], cell[i]);
	(void)fputc('\n', f);
}

/*
 * The table of 1996; for a later run the row alone, unless it needs more room than the header has.
 */
static void
out_text(FILE *f, struct run *run)
{
	struct row row, words;
	int i;

	out_cells(&row, run, run->plan->label == NULL ? "" : run->plan->label);
	if ((out_widen(run->width, &row) || run->plan->files > 0) && run->plan->size > 0) {
		out_rule_lines(f, out_rules, OUT_RULES, run->width[0] + 1 + run->width[1],
		    run->width + 2);
		for (i = 0; i < CELLS; i++)
			(void)snprintf(words.cell[i], CELL_SIZE, "%s", out_columns[i].word);
		out_line(f, run->width, &words);
	}
	if (run->plan->size > 0)
		out_line(f, run->width, &row);
	if (run->latency != NULL)
		out_latency(f, run);
	if (run->plan->direct && run->file.refused)
		(void)fprintf(f, "Buffered: direct I/O was refused\n");
	if (run->plan->files > 0)
		out_create(f, run);
}

/* The label, or the node name where none was given. */
static const char *
out_host(const struct run *run, struct utsname *host)
{
	if (run->plan->label != NULL)
		return run->plan->label;
	return uname(host) >= 0 ? host->nodename : "?";
}

/* One table row, as bonnie -html printed it in 1996. */
static void
out_html(FILE *f, struct run *run)
{
	struct utsname host;
	struct row row;
	const char *c;
	int i;

	out_cells(&row, run, out_host(run, &host));
	(void)fputs("<TR>", f);
	for (i = 0; i < CELLS; i++) {
		(void)fputs("<TD>", f);
		for (c = row.cell[i]; *c != '\0'; c++)
			if (*c == '&' || *c == '<' || *c == '>' || *c == '"')
				(void)fputs(*c == '&' ? "&amp;" : *c == '<' ? "&lt;" :
				    *c == '>' ? "&gt;" : "&quot;", f);
			else
				(void)fputc(*c, f);
		(void)fputs("</TD>", f);
	}
	(void)fputs("</TR>\n", f);
}

/* The size as bonnie++ 1.03 writes it: in G, M or k, then the chunk if it is not the default. */
static void
out_size(char *to, size_t size, const struct plan *plan)
{
	char chunk[32] = "";
	size_t i = NUM_SUFFIXES - 2;		/* from g downwards */

	if (plan->chunk != CHUNK_DEFAULT)
		(void)snprintf(chunk, sizeof(chunk), plan->chunk % KIB == 0 ? ":%" PRIu64 "k" :
		    ":%" PRIu64, plan->chunk % KIB == 0 ? plan->chunk / KIB : plan->chunk);
	while (i > 0 && plan->size % (UINT64_C(1) << num_suffixes[i].shift) != 0)
		i--;
	(void)snprintf(to, size, "%" PRIu64 "%c%s", plan->size >> num_suffixes[i].shift,
	    i == 0 ? 'k' : num_suffixes[i].letter - 'a' + 'A', chunk);
}

/* The 27 fields of bonnie++ 1.03: what was not measured is empty.  A header where rows follow. */
static void
out_csv(FILE *f, struct run *run)
{
	char label[4 * PATH_MAX], text[128] = "";
	struct utsname host;
	const char *c;
	int i;

	if (run->number == 0 && run->plan->runs > 1)
		(void)fputs("name,file_size,putc,putc_cpu,put_block,put_block_cpu,rewrite,"
		    "rewrite_cpu,getc,getc_cpu,get_block,get_block_cpu,seeks,seeks_cpu,num_files,"
		    "seq_create,seq_create_cpu,seq_stat,seq_stat_cpu,seq_del,seq_del_cpu,"
		    "ran_create,ran_create_cpu,ran_stat,ran_stat_cpu,ran_del,ran_del_cpu\n", f);
	out_label(label, sizeof(label), out_host(run, &host), INT_MAX);
	if (strpbrk(label, ",\"") == NULL)
		(void)fputs(label, f);
	else {
		(void)fputc('"', f);
		for (c = label; *c != '\0'; c++)
			(void)fprintf(f, *c == '"' ? "\"%c" : "%c", *c);
		(void)fputc('"', f);
	}
	if (run->plan->size > 0)
		out_size(text, sizeof(text), run->plan);
	(void)fprintf(f, ",%s", text);
	for (i = 0; i < RESULTS; i++) {
		if (i == COL_SEQ_CREATE) {
			text[0] = '\0';
			if (run->plan->files > 0)
				out_files(text, sizeof(text), run->plan);
			(void)fprintf(f, ",%s", text);
		}
		out_whole(text, sizeof(text), run, (enum column)i, false, "");
		(void)fprintf(f, ",%s", text);
		out_whole(text, sizeof(text), run, (enum column)i, true, "");
		(void)fprintf(f, ",%s", text);
	}
	(void)fputc('\n', f);
}

/* A json string: UTF-8 as it is, all that json or UTF-8 does not allow escaped or replaced. */
static void
out_string(FILE *f, const char *key, const char *text)
{
	const char *escape;
	size_t len;

	(void)fprintf(f, ",\"%s\":\"", key);
	for (; *text != '\0'; text += len) {
		len = out_character(text);
		escape = strchr("\"\\", *text);
		if (escape != NULL)
			(void)fprintf(f, "\\%c", *text);
		else if (len > 0)
			(void)fwrite(text, 1, len, f);
		else if ((unsigned char)*text < 0x80)
			(void)fprintf(f, "\\u%04x", (unsigned)*text);
		else
			(void)fputs("\\ufffd", f);
		len = len == 0 ? 1 : len;
	}
	(void)fputc('"', f);
}

/* A json number in full precision; null for what could not be measured. */
static void
out_number(FILE *f, const char *key, double value)
{
	if (value < 0)
		(void)fprintf(f, ",\"%s\":null", key);
	else
		(void)fprintf(f, ",\"%s\":%.15g", key, value);
}

static void
out_bool(FILE *f, const char *key, bool value)
{
	(void)fprintf(f, ",\"%s\":%s", key, value ? "true" : "false");
}

/* The rate in each step of a phase: [seconds since its start, rate in that step]. */
static void
out_series(FILE *f, const struct series *s, uint64_t unit)
{
	unsigned i;

	(void)fputs(",\"over_time\":[", f);
	for (i = 0; i < s->size; i++)
		(void)fprintf(f, "%s[%.15g,%.15g]", i == 0 ? "" : ",",
		    (double)((i + 1) * s->step_ns) / (double)SECOND,
		    clock_rate((uint64_t)meter_step(s, i), unit, s->step_ns));
	(void)fputc(']', f);
}

/* One phase. */
static void
out_phase(FILE *f, const struct run *run, const struct phase *p)
{
	const struct latency *l = run->latency == NULL || p->column >= COLUMNS ? NULL :
	    &run->latency[p->column];
	const struct result *r = &run->result[p->column];
	uint64_t unit = run_unit(p->column);

	(void)fprintf(f, "{\"phase\":\"%s\",\"%s\":%" PRIu64, p->id,
	    unit == KIB ? "bytes" : "operations", r->amount);
	(void)fprintf(f, ",\"seconds\":%" PRIu64 ".%09" PRIu64 ",\"cpu_seconds\":%" PRIu64 ".%09"
	    PRIu64, r->wall_ns / SECOND, r->wall_ns % SECOND, r->cpu_ns / SECOND,
	    r->cpu_ns % SECOND);
	out_number(f, unit == KIB ? "kib_per_sec" : "per_sec",
	    clock_rate(r->amount, unit, r->wall_ns));
	out_number(f, "cpu_percent", clock_cpu(r->cpu_ns, r->wall_ns));
	if (l != NULL && lat_percentile(l, 50) >= 0)
		(void)fprintf(f,
		    ",\"latency\":{\"p50_us\":%.15g,\"p99_us\":%.15g,\"max_us\":%.15g}",
		    lat_percentile(l, 50) / 1000, lat_percentile(l, 99) / 1000,
		    (double)l->most_ns / 1000);
	out_series(f, &r->series, unit);
	(void)fputc('}', f);
}

/* What was asked for and where. */
static void
out_plan(FILE *f, const struct run *run)
{
	const struct plan *plan = run->plan;
	struct utsname host;

	out_string(f, "label", out_host(run, &host));
	out_string(f, "directory", plan->dir);
	out_string(f, "file_system", plan->type);
	out_string(f, "device", plan->device);
	(void)fprintf(f, ",\"ram_bytes\":%" PRIu64, plan->ram.bytes);
	out_string(f, "ram_from", plan->ram.from);
	(void)fprintf(f, ",\"size_bytes\":%" PRIu64 ",\"chunk_bytes\":%zu,\"seeks\":", plan->size,
	    plan->chunk);
	(void)fprintf(f, plan->seeks == 0 ? "null" : "%" PRIu64, plan->seeks);
	(void)fprintf(f,
	    ",\"seekers\":%u,\"seed\":%" PRIu64 ",\"run\":%" PRIu64 ",\"runs\":%" PRIu64,
	    plan->seekers, run->seed, run->number + 1, plan->runs);
	(void)fprintf(f, ",\"files\":%" PRIu64 ",\"file_max_bytes\":%" PRIu64
	    ",\"file_min_bytes\":%" PRIu64 ",\"directories\":%" PRIu64, plan->files,
	    plan->file_most, plan->file_least, plan->dirs);
	out_string(f, "file_kind", plan->kind == KIND_FILES ? "file" :
	    plan->kind == KIND_HARD_LINKS ? "hard_link" : "symbolic_link");
	if (plan->user != NULL)
		out_string(f, "user", plan->user);
	if (plan->group != NULL)
		out_string(f, "group", plan->group);
	(void)fprintf(f, ",\"options\":{\"skip_per_char\":%s", plan->no_chars ? "true" : "false");
	out_bool(f, "direct", plan->direct && !run->file.refused);
	out_bool(f, "direct_refused", run->file.refused);
	out_bool(f, "fsync_each_write", plan->sync_each);
	out_bool(f, "fsync_supported", !run->file.no_fsync);
	out_bool(f, "compare_all", plan->compare);
	out_bool(f, "latency", plan->latency);
	out_bool(f, "in_step", plan->in_step);
	(void)fputc('}', f);
}

/* One object on one line. */
static void
out_json(FILE *f, struct run *run)
{
	char start[64] = "";
	struct tm *utc = gmtime(&run->began);
	bool first = true;
	size_t i;

	if (utc != NULL)
		(void)strftime(start, sizeof(start), "%Y-%m-%dT%H:%M:%SZ", utc);
	(void)fputs("{\"format\":1", f);
	out_string(f, "version", VERSION);
	out_string(f, "start", start);
	out_plan(f, run);
	(void)fputs(",\"phases\":[", f);
	for (i = 0; i < PHASES; i++) {
		if (!run->result[phases[i].column].measured)
			continue;
		if (!first)
			(void)fputc(',', f);
		first = false;
		out_phase(f, run, &phases[i]);
	}
	(void)fputs("]}\n", f);
}

enum { FORMAT_TEXT, FORMAT_HTML, FORMAT_CSV, FORMAT_JSON };

static const struct format {
	const char	*name;
	void		(*print)(FILE *, struct run *);
} formats[] = {
	[FORMAT_TEXT] = { "text", out_text },
	[FORMAT_HTML] = { "html", out_html },
	[FORMAT_CSV] = { "csv", out_csv },
	[FORMAT_JSON] = { "json", out_json },
};

#define FORMATS	(sizeof(formats) / sizeof(formats[0]))

/* Makes the text of a run in memory.  Returns it, to be freed, or NULL with errno. */
static char *
out_make(struct run *run, const struct format *format)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);

	if (f == NULL)
		return NULL;
	format->print(f, run);
	if (fclose(f) == 0)
		return text;
	free(text);
	return NULL;
}

/* Prints a run that has ended well.  When stdout cannot take it, stderr gets it, and -1 returns. */
static int
out_result(struct run *run)
{
	char *text = out_make(run, run->plan->format), *table;
	int rc = 0;

	if (msg.quiet && (table = out_make(run, &formats[FORMAT_TEXT])) != NULL) {
		msg_info("%s", table);
		free(table);
	}
	if (text == NULL) {
		msg_error(errno, "cannot print the result");
		return -1;
	}
	if (fputs(text, stdout) == EOF || fflush(stdout) == EOF) {
		msg_error(errno, "cannot write the result to standard output, so here it is");
		msg_put(text, strlen(text));
		rc = -1;
	}
	free(text);
	return rc;
}

/* ---- Options ---------------------------------------------------------------------------------
 *
 * Owns the command line: options[] has a row each, from which the getopt string, the usage and the
 * help are made.  To add an option: a setter (or a flag in the plan), a row, an .It in bonnie.1.
 */
static void
opt_dir(struct plan *plan, const char *value)
{
	if (*value == '\0')
		msg_usage("-d: the name of the directory is empty");
	plan->dir = value;
}

static void
opt_label(struct plan *plan, const char *value)
{
	plan->label = value;
}

static void
opt_format(struct plan *plan, const char *value)
{
	size_t i;

	for (i = 0; i < FORMATS; i++)
		if (strcmp(value, formats[i].name) == 0) {
			plan->format = &formats[i];
			return;
		}
	msg_usage("-o: '%s' is not a format (text, html, csv or json)", value);
}

static void
opt_user(struct plan *plan, const char *value)
{
	plan->user = value;
}

static void
opt_group(struct plan *plan, const char *value)
{
	plan->group = value;
}

/* Cuts text at its colons, into count parts at the most.  Returns how many there are, or 0. */
static size_t
opt_parts(char *text, char **part, size_t count)
{
	size_t n = 0;

	while (text != NULL && n < count)
		part[n++] = sys_field(&text, ':');
	return text == NULL ? n : 0;
}

/* files[:max[:min[:dirs]]]; max -1 or -2 asks for links. */
static void
opt_files(struct plan *plan, const char *value)
{
	char text[128], *part[4] = { NULL, NULL, NULL, NULL };
	bool links;

	(void)snprintf(text, sizeof(text), "%s", value);
	if (*value == '\0' || strlen(value) >= sizeof(text) || opt_parts(text, part, 4) == 0)
		msg_usage("-n: '%s' is not files[:max[:min[:dirs]]]", value);
	plan->files = 1024 * num_count("-n files", part[0], 0, UINT64_C(1000000000));
	plan->kind = KIND_FILES;
	plan->file_most = plan->file_least = 0;
	plan->dirs = 1;
	links = part[1] != NULL && (strcmp(part[1], "-1") == 0 || strcmp(part[1], "-2") == 0);
	if (links)
		plan->kind = part[1][1] == '1' ? KIND_HARD_LINKS : KIND_SYMBOLIC_LINKS;
	else if (part[1] != NULL && *part[1] != '\0')
		plan->file_most = num_size("-n max", part[1], 0, 0, UINT64_C(1) << 40);
	if (part[2] != NULL && *part[2] != '\0')
		plan->file_least = num_size("-n min", part[2], 0, 0, UINT64_C(1) << 40);
	if (part[3] != NULL && *part[3] != '\0')
		plan->dirs = num_count("-n dirs", part[3], 0, 99999);
	if (links)
		plan->file_least = 0;
	if (plan->file_least > plan->file_most)
		msg_usage("-n: min %s is more than max %s", part[2], part[1]);
	if (plan->dirs == 0)
		plan->dirs = 1;
}

static void
opt_html(struct plan *plan, const char *value)
{
	(void)value;
	opt_format(plan, "html");
}

static void
opt_ram(struct plan *plan, const char *value)
{
	/* Twice as much, rounded up to chunks, must fit a size. */
	plan->ram.bytes = num_size("-r", value, 20, 0, INT64_MAX / 4);
	plan->ram.from = "-r";
	plan->ram_given = true;
}

static void
opt_runs(struct plan *plan, const char *value)
{
	plan->runs = num_count("-x", value, 1, 1000000);
}

static void
opt_seed(struct plan *plan, const char *value)
{
	plan->seed = num_count("-z", value, 0, UINT64_MAX);
	plan->seed_given = true;
}

/* size[:chunk[:seeks[:seekers]]], each of which may be left out. */
static void
opt_size(struct plan *plan, const char *value)
{
	char text[128], *part[4] = { NULL, NULL, NULL, NULL };

	(void)snprintf(text, sizeof(text), "%s", value);
	if (*value == '\0' || strlen(value) >= sizeof(text) || opt_parts(text, part, 4) == 0)
		msg_usage("-s: '%s' is not size[:chunk[:seeks[:seekers]]]", value);
	if (*part[0] != '\0') {
		plan->size = num_size("-s", part[0], 20, 0, INT64_MAX);
		plan->size_given = true;
	}
	if (part[1] != NULL && *part[1] != '\0')
		plan->chunk = (size_t)num_size("-s chunk", part[1], 0, CHUNK_MIN, CHUNK_MAX);
	if (part[2] != NULL && *part[2] != '\0')
		plan->seeks = num_count("-s seeks", part[2], 1, UINT64_C(1000000000000));
	if (part[3] != NULL && *part[3] != '\0')
		plan->seekers = (unsigned)num_count("-s seekers", part[3], 1, SEEKERS_MAX);
	if ((plan->chunk & (plan->chunk - 1)) != 0)
		msg_usage("-s chunk: '%s' is not a power of two", part[1]);
}

static void opt_help(struct plan *, const char *);	/* it prints the table that it stands in */

static void
opt_version(struct plan *plan, const char *value)
{
	(void)plan, (void)value;
	(void)printf("bonnie %s\n", VERSION);
	exit(fflush(stdout) == EOF ? 1 : 0);
}

static const struct option {
	const char	*name;		/* a letter, or a word that getopt does not see */
	const char	*value;		/* what its argument is, or NULL: it has none */
	const char	*help;
	void		(*set)(struct plan *, const char *);	/* NULL: sets a flag */
	size_t		 flag;		/* where it stands in the plan */
} options[] = {
	{ "b", NULL, "fsync after every single write",
	    NULL, offsetof(struct plan, sync_each) },
	{ "c", NULL, "compare every byte read, not one word in 512 bytes",
	    NULL, offsetof(struct plan, compare) },
	{ "D", NULL, "direct I/O in the block, rewrite and seek phases",
	    NULL, offsetof(struct plan, direct) },
	{ "d", "dir", "scratch directory (default: .)", opt_dir, 0 },
	{ "f", NULL, "fast: skip the two per-character phases",
	    NULL, offsetof(struct plan, no_chars) },
	{ "g", "group", "become this group before anything is written", opt_group, 0 },
	{ "html", NULL, "the same as -o html", opt_html, 0 },
	{ "l", NULL, "latency of the block phases and seeks, in lines under the row",
	    NULL, offsetof(struct plan, latency) },
	{ "m", "label", "label of the machine in the result", opt_label, 0 },
	{ "n", "files[:max[:min[:dirs]]]",
	    "also create, read and delete so many x 1024 files; their largest\n"
	    "and least size in bytes (-1: hard links, -2: symbolic links); in\n"
	    "so many directories (default: 0, no files)", opt_files, 0 },
	{ "o", "format", "of the result: text (default), html, csv or json", opt_format, 0 },
	{ "q", NULL, "quiet: no progress; csv on stdout, the table on stderr",
	    NULL, offsetof(struct plan, quiet) },
	{ "r", "ram", "RAM in MiB instead of what the system says; 0: do not check",
	    opt_ram, 0 },
	{ "s", "size[:chunk[:seeks[:seekers]]]",
	    "file size in MiB or with k, m, g, t (default: twice the RAM; 0: no\n"
	    "file, only -n); chunk in bytes or with k, m (16k); seeks in all\n"
	    "(4000 and 10 seconds at least); seeking processes (3)", opt_size, 0 },
	{ "u", "user[:group]", "become this user before anything is written", opt_user, 0 },
	{ "w", NULL, "before each phase print 'ready PHASE' and wait for a line on stdin",
	    NULL, offsetof(struct plan, in_step) },
	{ "x", "runs", "run the whole test so many times (1)", opt_runs, 0 },
	{ "z", "seed", "repeat the data and seek positions of the run with this seed",
	    opt_seed, 0 },
	{ "h", NULL, "print this and exit", opt_help, 0 },
	{ "V", NULL, "print the version and exit", opt_version, 0 },
};

#define OPTIONS	(sizeof(options) / sizeof(options[0]))

/*
 * Words that stand for an option; they are looked for before getopt, which would take them apart.
 */
static const struct {
	const char	*word;
	const char	*name;		/* of the row */
} opt_words[] = {
	{ "-html", "html" }, { "--help", "h" }, { "--version", "V" },
};

#define OPT_WORDS	(sizeof(opt_words) / sizeof(opt_words[0]))

/* Options of relatives that are not here, and what does their job. */
static const struct {
	const char	*word;		/* as it begins */
	const char	*instead;
} opt_foreign[] = {
	{ "-o_direct", "direct I/O is -D" },
	{ "-p", "copies are driven in step with -w" },
	{ "-y", "copies are driven in step with -w, and every phase ends with fsync" },
	{ "-S", "the number of seeks is -s size::seeks" },
	{ "-Z", "the data are random always, -z repeats them" },
};

#define OPT_FOREIGN	(sizeof(opt_foreign) / sizeof(opt_foreign[0]))

/*
 * Prints an option as the usage shows it, on a new line if this one is full.  Returns its columns.
 */
static int
opt_usage(const struct option *o, int width)
{
	char text[80];
	int len = snprintf(text, sizeof(text), "[-%s%s%s]", o->name, o->value == NULL ? "" : " ",
	    o->value == NULL ? "" : o->value);
	bool full = width % 80 + 1 + len >= 80;

	(void)printf(full ? "\n       %s" : " %s", text);
	return full ? 80 - width % 80 + 7 + len : 1 + len;
}

/* Lists the options: letters without an argument together, then the others, then what each does. */
static void
opt_help(struct plan *plan, const char *value)
{
	const char *c;
	size_t i;
	int width;

	(void)plan, (void)value;
	width = printf("usage: bonnie [-");
	for (i = 0; i < OPTIONS; i++)
		if (options[i].value == NULL && options[i].name[1] == '\0')
			width += printf("%s", options[i].name);
	width += printf("]");
	for (i = 0; i < OPTIONS; i++)
		if (options[i].value != NULL || options[i].name[1] != '\0')
			width += opt_usage(&options[i], width);
	(void)printf("\n\nMeasures a disk with one big scratch file and prints the classic Bonnie "
	    "table.\n\n");
	for (i = 0; i < OPTIONS; i++) {
		(void)printf("  -%-5s", options[i].name);
		for (c = options[i].help; *c != '\0'; c++)
			(void)printf(*c == '\n' ? "\n        " : "%c", *c);
		(void)printf("\n");
	}
	(void)printf("\nThe manual page, bonnie(1), says how to read each column.\n");
	exit(fflush(stdout) == EOF ? 1 : 0);
}

/* Finds the row of a word or a letter; NULL if there is none. */
static const struct option *
opt_find(const char *name)
{
	size_t i;

	for (i = 0; i < OPTIONS; i++)
		if (strcmp(options[i].name, name) == 0)
			return &options[i];
	return NULL;
}

static void
opt_apply(struct plan *plan, const struct option *o, const char *value)
{
	if (o->set != NULL)
		o->set(plan, value);
	else
		*(bool *)((char *)plan + o->flag) = true;
}

/* Takes argv[optind] if it is one of opt_words[]. */
static bool
opt_take_word(struct plan *plan, const char *word)
{
	size_t i;

	for (i = 0; i < OPT_WORDS; i++)
		if (strcmp(word, opt_words[i].word) == 0) {
			opt_apply(plan, opt_find(opt_words[i].name), NULL);
			optind++;
			return true;
		}
	return false;
}

/* Refuses a word or letter that a relative of ours takes. */
static void
opt_refuse_foreign(const char *word)
{
	size_t i;

	for (i = 0; i < OPT_FOREIGN; i++)
		if (strcmp(word, opt_foreign[i].word) == 0)
			msg_usage("%s: no such option: %s", word, opt_foreign[i].instead);
}

/* Takes one option with getopt. */
static void
opt_take(struct plan *plan, int argc, char **argv, const char *letters)
{
	const char *word = argv[optind];
	char name[2] = "", dashed[3] = "-";
	int c = getopt(argc, argv, letters);

	name[0] = (char)(c == '?' || c == ':' ? optopt : c);
	(void)strcat(dashed, name);
	if (c == ':')
		msg_usage("-%s: its argument is missing (see bonnie -h)", name);
	if (c == '?' && optopt == '-')
		msg_usage("%s: no such option (see bonnie -h)", word);
	if (c == '?') {
		opt_refuse_foreign(dashed);
		msg_usage("-%s: no such option (see bonnie -h)", name);
	}
	opt_apply(plan, opt_find(name), optarg);
}

/* Reads the command line into the plan, or ends with status 2. */
static void
opt_parse(struct plan *plan, int argc, char **argv)
{
	char letters[2 * OPTIONS + 2] = ":";
	const char *word;
	size_t i;

	for (i = 0; i < OPTIONS; i++)
		if (options[i].name[1] == '\0') {
			(void)strcat(letters, options[i].name);
			(void)strcat(letters, options[i].value == NULL ? "" : ":");
		}
	opterr = 0;
	while (optind < argc) {
		word = argv[optind];
		opt_refuse_foreign(word);
		if (optind > 1 && strcmp(argv[optind - 1], "-c") == 0 && num_is_count(word))
			msg_usage("-c %s: -c takes no number; seeking processes are -s :::%s", word,
			    word);
		if (word[0] != '-' || word[1] == '\0' || strcmp(word, "--") == 0)
			msg_usage("'%s': bonnie takes options only (a directory goes behind -d)",
			    word);
		if (!opt_take_word(plan, word))
			opt_take(plan, argc, argv, letters);
	}
}

/* Fills in what was not given, and refuses what cannot be run; nothing has been written yet. */
static void
opt_settle(struct plan *plan)
{
	uint64_t whole = plan->chunk > MIB ? plan->chunk : MIB;

	if (plan->format == NULL)
		plan->format = &formats[plan->quiet ? FORMAT_CSV : FORMAT_TEXT];
	if (!plan->seed_given)
		plan->seed = rng_fresh();
	if (!plan->ram_given || (plan->ram.bytes == 0 && !plan->size_given))
		plan->ram = sys_ram();
	if (!plan->size_given && plan->ram.bytes == 0)
		fatalx("the system does not say how much RAM it has: give the size with -s");
	if (plan->size_given && plan->size == 0 && plan->files == 0)
		msg_usage("-s: with size 0 there is nothing to do without -n");
	if (!plan->size_given)
		plan->size = (2 * plan->ram.bytes + whole - 1) / whole * whole;
	else if (plan->size % plan->chunk != 0)
		msg_usage("-s: the size (%" PRIu64 " KiB) is not a whole number of chunks (%" PRIu64
		    " KiB)", plan->size / KIB, plan->chunk / KIB);
	sys_room(plan->dir, plan->size, plan);
	sys_type(SYS_MOUNTS, plan->dir, plan);
	sys_warn_left(plan->dir);
	if (plan->size == 0)
		return;
	if (plan->ram.bytes > 0 && plan->size < 2 * plan->ram.bytes)
		warn("the file (%" PRIu64 " MiB) is smaller than twice the RAM (%" PRIu64 " MiB, "
		    "as %s says): where the cache cannot be emptied, the figures are memory's",
		    plan->size / MIB, plan->ram.bytes / MIB, plan->ram.from);
	sys_warn_type(plan->dir, plan->type);
}

int
main(int argc, char **argv)
{
	struct plan plan = { .dir = ".", .chunk = CHUNK_DEFAULT, .seekers = SEEKERS_DEFAULT,
	    .runs = 1, .dirs = 1 };
	struct run *run;
	uint64_t i;
	int rc = 0;

	signal_ignore();
	sys_descriptors();
	msg_open();
	opt_parse(&plan, argc, argv);
	msg.quiet = plan.quiet;
	if (plan.user != NULL || plan.group != NULL)
		sys_become(&plan);
	run = calloc(1, sizeof(*run));
	if (run == NULL)
		fatalx("out of memory");
	run->plan = &plan;
	file_open_dir(run);
	opt_settle(&plan);
	if (posix_memalign((void **)&run->buf, ALIGNMENT, plan.chunk) != 0 ||
	    (plan.latency && (run->latency = calloc(COLUMNS, sizeof(*run->latency))) == NULL))
		fatalx("no memory for a chunk of %zu bytes", plan.chunk);
	signal_setup();
	for (i = 0; rc == 0 && i < plan.runs; i++) {
		rc = run_all(run, i);
		if (rc == 0)
			rc = out_result(run);
	}
	(void)cleanup_now();
	free(run->file.path);
	free(run->latency);
	free(run->buf);
	free(run);
	if (signal_caught != 0)
		signal_die();
	if (fclose(stdout) == EOF && rc == 0) {
		msg_error(errno, "cannot write the result to standard output");
		rc = -1;
	}
	return rc == 0 ? 0 : 1;
}
