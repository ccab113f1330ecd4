/*
 * A library to be preloaded (LD_PRELOAD) that makes chosen calls of the program fail:
 *
 *	cc -shared -fPIC -o inject.so tests/inject.c -ldl
 *	INJECT="RULE;RULE..." INJECT_LOG=file LD_PRELOAD=./inject.so bonnie ...
 *
 *	RULE	CALL[.CLASS][/WHO][@PHASE]:N[+|-M]:WHAT[=ARG]
 *	CALL	read write pread pwrite fsync sync_file_range close open openat fork pipe unlinkat
 *		statvfs posix_fadvise posix_memalign malloc calloc ftruncate lseek dup poll waitpid
 *		clock_gettime fstat fstatat mkdirat linkat symlinkat syncfs
 *	CLASS	of a descriptor: file = the scratch file (the default), other = pipes, devices, the
 *		directory; std = 0, 1 and 2; leaf = a small file of -n; tree = a directory of its
 *		tree.  Of openat: what it opens; only leaf and tree tell it from all others there.
 *	WHO	p = the parent only, c = the seekers only
 *	PHASE	counts only the calls in it: p = putc, b = block output, w = rewrite, g = getc,
 *		r = block input, s = before the seekers start, t = after; 1 to 3 = create, read
 *		and delete of small files in sequential order, 4 to 6 = in random order
 *	N	the N-th call; N+ = all from there on; N-M = from N to M.  Seekers are forked: all
 *		processes count together.
 *	WHAT	E... = this errno; short = half of it (or ARG bytes) is moved; zero = nothing is
 *		moved and no error told; done = the call does its work, and then fails with EIO
 *		flip = a whole sector is wrong; byte = one byte is (number ARG, or a middle one)
 *		stale = what the place held before it was written last; moved = what another
 *		place holds
 *		back, fwd = the clock is ARG seconds behind, ahead; stuck = it stands
 *		hold = waits for a signal; raise = dies of signal ARG
 *		wait = until there is a file INJECT_LOG.ARG, 10 s at most
 *		cut = the file is cut to half first
 *		rot, rotmoved = the sector at offset ARG of the file on the disk is damaged, or is
 *		that from 16 KiB before; for fstat: short = the file takes no room on the disk
 *
 * A byte is added to INJECT_LOG when a rule strikes.  Nothing is printed.  stdio's own calls do not
 * come through here: strace reaches them.
 */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define RULES	8
#define FDS	1024
#define SHADOW	(8 << 20)		/* bytes of the file whose old contents are kept */

enum what { ERROR, SHORT, ZERO, DONE, FLIP, BYTE, STALE, MOVED, BACK, FWD, STUCK, HOLD, RAISE, CUT,
	WAIT, ROT, ROTMOVED };
enum class { FILE_CLASS, OTHER, STD, NONE, LEAF, TREE };

struct rule {
	char call[20];
	enum class class;
	char who, phase;
	unsigned long first, last;
	enum what what;
	int err;
	long arg;
};

static struct shared {			/* by all processes of the run */
	unsigned long count[RULES];
	char phase;
	struct timespec stuck;
	unsigned char old[SHADOW];
} *shared;

static struct rule rule[RULES];
static int rules, keep, ready;
static pid_t parent;
static char scratch[FDS];		/* descriptors: 1 = of the scratch file, LEAF, TREE */

static const struct {
	const char *name;
	int err;
} errors[] = {
	{ "EIO", EIO }, { "ENOSPC", ENOSPC }, { "EDQUOT", EDQUOT }, { "EFBIG", EFBIG },
	{ "EINTR", EINTR },
	{ "EINVAL", EINVAL }, { "ENOSYS", ENOSYS }, { "EOPNOTSUPP", EOPNOTSUPP },
	{ "EAGAIN", EAGAIN },
	{ "ENOMEM", ENOMEM }, { "EMFILE", EMFILE }, { "ENFILE", ENFILE }, { "EROFS", EROFS },
	{ "EACCES", EACCES }, { "EPERM", EPERM }, { "EBUSY", EBUSY }, { "ESTALE", ESTALE },
	{ "EEXIST", EEXIST }, { "ENOENT", ENOENT }, { "ECHILD", ECHILD }, { "ENXIO", ENXIO },
	{ "EPIPE", EPIPE }, { "ESPIPE", ESPIPE }, { "ENODEV", ENODEV }, { "EBADF", EBADF },
	{ "EUCLEAN", EUCLEAN }, { "ELOOP", ELOOP }, { "EMLINK", EMLINK },
};

static const char *const whats[] = { "error", "short", "zero", "done", "flip", "byte", "stale",
	"moved", "back", "fwd", "stuck", "hold", "raise", "cut", "wait",
	"rot", "rotmoved" };

static void
parse_what(struct rule *r, char *text)
{
	char *arg = strchr(text, '=');
	size_t i;

	if (arg != NULL) {
		*arg++ = '\0';
		r->arg = strtol(arg, NULL, 10);
	} else
		r->arg = -1;
	for (i = 0; i < sizeof(whats) / sizeof(whats[0]); i++)
		if (strcmp(text, whats[i]) == 0)
			r->what = (enum what)i;
	for (i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
		if (strcmp(text, errors[i].name) == 0)
			r->err = errors[i].err;
	if (r->what == DONE)
		r->err = EIO;
	if (r->what == ERROR && r->err == 0)
		abort();		/* a typing error in a test */
}

static void
parse(char *text)
{
	struct rule *r = &rule[rules];
	char *n = strchr(text, ':'), *what = n == NULL ? NULL : strchr(n + 1, ':'), *p, *end;
	size_t len = strcspn(text, "./@:");

	if (what == NULL || rules == RULES || len >= sizeof(r->call))
		abort();
	*n++ = *what++ = '\0';
	memcpy(r->call, text, len);
	if ((p = strchr(text, '.')) != NULL)
		r->class = p[1] == 'o' ? OTHER : p[1] == 's' ? STD : p[1] == 'l' ? LEAF :
		    p[1] == 't' ? TREE : FILE_CLASS;
	if ((p = strchr(text, '/')) != NULL)
		r->who = p[1];
	if ((p = strchr(text, '@')) != NULL)
		r->phase = p[1];
	r->first = r->last = strtoul(n, &end, 10);
	if (*end == '+')
		r->last = (unsigned long)-1;
	else if (*end == '-')
		r->last = strtoul(end + 1, NULL, 10);
	parse_what(r, what);
	keep |= r->what == STALE;
	rules++;
}

__attribute__((constructor))
static void
start(void)
{
	static char text[512];
	const char *env = getenv("INJECT");
	char *save = NULL, *p;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (shared == MAP_FAILED || env == NULL || strlen(env) >= sizeof(text))
		return;
	strcpy(text, env);
	for (p = strtok_r(text, ";", &save); p != NULL; p = strtok_r(NULL, ";", &save))
		parse(p);
	parent = getpid();
	ready = 1;
}

/* For scripts/coverage: its own calls are not counted. */
void
inject_stop(void)
{
	ready = 0;
}

static void
strike(const struct rule *r)
{
	const char *file = getenv("INJECT_LOG");
	sigset_t all, old;
	long fd;

	(void)sigfillset(&all);
	if (r->what == HOLD)		/* a signal that comes at once must not be lost */
		(void)sigprocmask(SIG_SETMASK, &all, &old);
	if (file != NULL) {
		fd = syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_APPEND |
		    O_CLOEXEC, 0600);
		(void)syscall(SYS_write, fd, "!", 1);
		(void)syscall(SYS_close, fd);
	}
	if (r->what == HOLD) {
		(void)sigsuspend(&old);
		(void)sigprocmask(SIG_SETMASK, &old, NULL);
	} else if (r->what == WAIT && file != NULL) {
		static char go[4096];
		int tries;

		(void)snprintf(go, sizeof(go), "%s.%ld", file, r->arg);
		for (tries = 0; tries < 1000 && access(go, F_OK) == -1; tries++)
			(void)usleep(10000);
	} else if (r->what == ROT || r->what == ROTMOVED) {
		unsigned char sector[512] = "rotten";

		for (fd = 0; fd < FDS && scratch[fd] != 1; fd++)
			continue;
		if (r->what == ROTMOVED)
			(void)!syscall(SYS_pread64, fd, sector, sizeof(sector), r->arg - 16384);
		(void)!syscall(SYS_pwrite64, fd, sector, sizeof(sector), r->arg);
	} else if (r->what == RAISE) {
		(void)signal((int)r->arg, SIG_DFL);
		(void)raise((int)r->arg);
	}
}

static enum class
class_of(int fd)
{
	if (fd >= 0 && fd <= 2)
		return STD;
	if (fd < 0 || fd >= FDS || !scratch[fd])
		return OTHER;
	return scratch[fd] == 1 ? FILE_CLASS : (enum class)scratch[fd];
}

/* Counts this call; returns the rule that strikes it, or NULL. */
static const struct rule *
due(const char *call, enum class class)
{
	const struct rule *r, *hit = NULL;
	int saved = errno, i;
	unsigned long n;

	if (!ready)
		return NULL;
	for (i = 0, r = rule; i < rules; i++, r++) {
		if (strcmp(r->call, call) != 0 || (class != NONE && r->class != class &&
		    (r->class != FILE_CLASS || strcmp(call, "openat") != 0)) ||
		    (r->phase != 0 && r->phase != shared->phase) ||
		    (r->who != 0 && (r->who == 'p') != (getpid() == parent)))
			continue;
		n = __sync_add_and_fetch(&shared->count[i], 1);
		if (n >= r->first && n <= r->last && hit == NULL)
			hit = r;
	}
	if (hit != NULL)
		strike(hit);
	errno = saved;
	return hit;
}

#define REAL(name) \
	static __typeof__(&name) real; \
	if (real == NULL) \
		real = (__typeof__(&name))(uintptr_t)dlsym(RTLD_NEXT, #name)

/* Calls that either fail or do what they always do. */
#define FAILS(r) ((r) != NULL && ((r)->what == ERROR || (r)->what == DONE))
#define FAIL(r, value) do { errno = (r)->err; return value; } while (0)

/* ---- reading and writing ---- */

static size_t
portion(const struct rule *r, size_t len)
{
	size_t some = r->arg > 0 ? (size_t)r->arg : len / 2;

	return some > 0 && some < len ? some : len;
}

static off_t
elsewhere(int fd, off_t at, size_t len)
{
	struct stat st;

	if (fstat(fd, &st) == -1 || st.st_size < (off_t)(2 * len))
		return at;
	return at + (off_t)(2 * len) <= st.st_size ? at + (off_t)len : at - (off_t)len;
}

/* Spoils what was read from offset at. */
static void
spoil(const struct rule *r, int fd, unsigned char *buf, size_t len, off_t at)
{
	size_t i, where = len / 2 / 512 * 512;

	if (r->what == FLIP)
		for (i = where; i < where + 512 && i < len; i++)
			buf[i] ^= 0xff;
	else if (r->what == BYTE)
		buf[r->arg >= 0 && (size_t)r->arg < len ? (size_t)r->arg : len / 2 + 77] ^= 1;
	else if (r->what == STALE && at + (off_t)len <= SHADOW)
		memcpy(buf, shared->old + at, len);
	else if (r->what == MOVED)
		(void)!syscall(SYS_pread64, fd, buf, len, elsewhere(fd, at, len));
}

static ssize_t
transfer(const char *call, int fd, void *buf, size_t len, off_t at, int writes,
    ssize_t (*move)(int, void *, size_t, off_t))
{
	const struct rule *r = due(call, class_of(fd));
	ssize_t n;

	if (r != NULL && r->what == ERROR)
		FAIL(r, -1);
	if (r != NULL && r->what == ZERO)
		return 0;
	if (r != NULL && r->what == CUT) {
		struct stat st;

		if (fstat(fd, &st) == 0)
			(void)!syscall(SYS_ftruncate, fd, st.st_size / 2);
	}
	if (keep && writes && at >= 0 && at + (off_t)len <= SHADOW)
		(void)!syscall(SYS_pread64, fd, shared->old + at, len, at);
	n = move(fd, buf, r != NULL && r->what == SHORT ? portion(r, len) : len, at);
	if (r != NULL && r->what == DONE)
		FAIL(r, -1);
	if (r != NULL && n > 0 && !writes)
		spoil(r, fd, buf, (size_t)n, at);
	return n;
}

static off_t
position(int fd)
{
	return class_of(fd) == FILE_CLASS ? (off_t)syscall(SYS_lseek, fd, 0, SEEK_CUR) : -1;
}

static ssize_t
move_read(int fd, void *buf, size_t len, off_t at)
{
	REAL(read);
	(void)at;
	return real(fd, buf, len);
}

static ssize_t
move_write(int fd, void *buf, size_t len, off_t at)
{
	REAL(write);
	(void)at;
	return real(fd, buf, len);
}

static ssize_t
move_pread(int fd, void *buf, size_t len, off_t at)
{
	REAL(pread);
	return real(fd, buf, len, at);
}

static ssize_t
move_pwrite(int fd, void *buf, size_t len, off_t at)
{
	REAL(pwrite);
	return real(fd, buf, len, at);
}

/* The progress line tells the phase. */
static void
look(int fd, const char *text, size_t len)
{
	static const struct {
		const char *text;
		char phase;
	} lines[] = {
		{ "Writing with", 'p' }, { "Writing intel", 'b' }, { "Rewriting", 'w' },
		{ "Reading with", 'g' }, { "Reading intel", 'r' }, { "Seeker", 's' },
		{ "start", 't' },
		{ "Create files in s", '1' }, { "Read files in s", '2' },
		{ "Delete files in s", '3' }, { "Create files in r", '4' },
		{ "Read files in r", '5' }, { "Delete files in r", '6' },
	};
	size_t i, n;

	for (i = 0; ready && fd == 2 && i < sizeof(lines) / sizeof(lines[0]); i++)
		if (len >= (n = strlen(lines[i].text)) && memcmp(text, lines[i].text, n) == 0)
			shared->phase = lines[i].phase;
}

ssize_t
read(int fd, void *buf, size_t len)
{
	return transfer("read", fd, buf, len, position(fd), 0, move_read);
}

ssize_t
write(int fd, const void *buf, size_t len)
{
	look(fd, buf, len);
	return transfer("write", fd, (void *)(uintptr_t)buf, len, position(fd), 1, move_write);
}

ssize_t
pread(int fd, void *buf, size_t len, off_t at)
{
	return transfer("pread", fd, buf, len, at, 0, move_pread);
}

ssize_t
pwrite(int fd, const void *buf, size_t len, off_t at)
{
	return transfer("pwrite", fd, (void *)(uintptr_t)buf, len, at, 1, move_pwrite);
}

/* ---- other calls on descriptors ---- */

int
fsync(int fd)
{
	const struct rule *r = due("fsync", class_of(fd));
	REAL(fsync);

	if (r != NULL && r->what == DONE)
		(void)real(fd);
	if (FAILS(r))
		FAIL(r, -1);
	return real(fd);
}

int
sync_file_range(int fd, off_t at, off_t len, unsigned flags)
{
	const struct rule *r = due("sync_file_range", class_of(fd));
	REAL(sync_file_range);

	if (FAILS(r))
		FAIL(r, -1);
	return real(fd, at, len, flags);
}

int
posix_fadvise(int fd, off_t at, off_t len, int advice)
{
	const struct rule *r = due("posix_fadvise", class_of(fd));
	REAL(posix_fadvise);

	return FAILS(r) ? r->err : real(fd, at, len, advice);
}

int
ftruncate(int fd, off_t len)
{
	const struct rule *r = due("ftruncate", class_of(fd));
	REAL(ftruncate);

	if (FAILS(r))
		FAIL(r, -1);
	return real(fd, len);
}

off_t
lseek(int fd, off_t at, int whence)
{
	const struct rule *r = due("lseek", class_of(fd));
	REAL(lseek);

	if (FAILS(r))
		FAIL(r, -1);
	return real(fd, at, whence);
}

int
dup(int fd)
{
	const struct rule *r = due("dup", class_of(fd));
	int new;
	REAL(dup);

	if (FAILS(r))
		FAIL(r, -1);
	new = real(fd);
	if (new >= 0 && new < FDS && fd < FDS)
		scratch[new] = scratch[fd];
	return new;
}

int
close(int fd)
{
	const struct rule *r = due("close", class_of(fd));
	REAL(close);

	if (fd >= 0 && fd < FDS)
		scratch[fd] = 0;
	if (FAILS(r)) {			/* Linux closes also where it tells an error */
		(void)real(fd);
		FAIL(r, -1);
	}
	return real(fd);
}

int
open(const char *path, int flags, ...)
{
	const struct rule *r = due("open", NONE);
	mode_t mode = 0;
	va_list args;
	REAL(open);

	va_start(args, flags);
	if (flags & O_CREAT)
		mode = va_arg(args, mode_t);
	va_end(args);
	if (FAILS(r))
		FAIL(r, -1);
	return real(path, flags, mode);
}

int
openat(int dir, const char *path, int flags, ...)
{
	const struct rule *r;
	char kind = 0;
	mode_t mode = 0;
	va_list args;
	int fd;
	REAL(openat);

	if (strncmp(path, "Bonnie.", 7) == 0)
		kind = flags & O_DIRECTORY ? TREE : 1;
	else if (class_of(dir) == TREE)
		kind = flags & O_DIRECTORY ? TREE : LEAF;
	r = due("openat", kind == 0 || kind == 1 ? FILE_CLASS : (enum class)kind);

	va_start(args, flags);
	if (flags & O_CREAT)
		mode = va_arg(args, mode_t);
	va_end(args);
	if (FAILS(r))
		FAIL(r, -1);
	fd = real(dir, path, flags, mode);
	if (fd >= 0 && fd < FDS)
		scratch[fd] = kind;
	return fd;
}

int
mkdirat(int dir, const char *path, mode_t mode)
{
	const struct rule *r = due("mkdirat", NONE);
	REAL(mkdirat);

	if (FAILS(r))
		FAIL(r, -1);
	return real(dir, path, mode);
}

int
linkat(int from_dir, const char *from, int dir, const char *path, int flags)
{
	const struct rule *r = due("linkat", NONE);
	REAL(linkat);

	if (FAILS(r))
		FAIL(r, -1);
	return real(from_dir, from, dir, path, flags);
}

int
symlinkat(const char *text, int dir, const char *path)
{
	const struct rule *r = due("symlinkat", NONE);
	REAL(symlinkat);

	if (FAILS(r))
		FAIL(r, -1);
	return real(text, dir, path);
}

int
syncfs(int fd)
{
	const struct rule *r = due("syncfs", NONE);
	REAL(syncfs);

	if (FAILS(r))
		FAIL(r, -1);
	return real(fd);
}

int
fstatat(int dir, const char *restrict path, struct stat *restrict st, int flags)
{
	const struct rule *r = due("fstatat", NONE);
	REAL(fstatat);

	if (FAILS(r))
		FAIL(r, -1);
	return real(dir, path, st, flags);
}

int
unlinkat(int dir, const char *path, int flags)
{
	const struct rule *r = due("unlinkat", NONE);
	REAL(unlinkat);

	if (FAILS(r))
		FAIL(r, -1);
	return real(dir, path, flags);
}

int
statvfs(const char *restrict path, struct statvfs *restrict v)
{
	const struct rule *r = due("statvfs", NONE);
	int rc;
	REAL(statvfs);

	if (FAILS(r))
		FAIL(r, -1);
	rc = real(path, v);
	if (r != NULL && r->what == ZERO)
		v->f_blocks = 0;
	return rc;
}

int
fstat(int fd, struct stat *st)
{
	const struct rule *r = due("fstat", class_of(fd));
	int rc;
	REAL(fstat);

	if (FAILS(r))
		FAIL(r, -1);
	rc = real(fd, st);
	if (r != NULL && r->what == SHORT)
		st->st_blocks = 8;
	return rc;
}

/* ---- processes ---- */

pid_t
fork(void)
{
	const struct rule *r = due("fork", NONE);
	REAL(fork);

	if (FAILS(r))
		FAIL(r, -1);
	return real();
}

int
pipe(int fds[2])
{
	const struct rule *r = due("pipe", NONE);
	REAL(pipe);

	if (FAILS(r))
		FAIL(r, -1);
	return real(fds);
}

pid_t
waitpid(pid_t pid, int *status, int flags)
{
	const struct rule *r = due("waitpid", NONE);
	REAL(waitpid);

	if (FAILS(r))
		FAIL(r, -1);
	return real(pid, status, flags);
}

int
poll(struct pollfd *fds, nfds_t n, int ms)
{
	const struct rule *r = due("poll", NONE);
	REAL(poll);

	if (FAILS(r))
		FAIL(r, -1);
	return real(fds, n, ms);
}

int
clock_gettime(clockid_t id, struct timespec *t)
{
	const struct rule *r = due("clock_gettime", NONE);
	int rc;
	REAL(clock_gettime);

	rc = real(id, t);
	if (r == NULL || rc != 0)
		return rc;
	if (r->what == BACK)
		t->tv_sec -= t->tv_sec > r->arg ? r->arg : t->tv_sec;
	else if (r->what == FWD)
		t->tv_sec += r->arg;
	else if (r->what == STUCK) {
		if (shared->stuck.tv_sec == 0)
			shared->stuck = *t;
		*t = shared->stuck;
	}
	return 0;
}

/* ---- memory: glibc gives its own functions a second name, so that this needs no dlsym() ---- */

#if defined(__GLIBC__) && !defined(NO_MALLOC)	/* the sanitizers have their own */
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_memalign(size_t, size_t);

void *
malloc(size_t size)
{
	const struct rule *r = due("malloc", NONE);

	if (FAILS(r))
		FAIL(r, NULL);
	return __libc_malloc(size);
}

void *
calloc(size_t n, size_t size)
{
	const struct rule *r = due("calloc", NONE);

	if (FAILS(r))
		FAIL(r, NULL);
	return __libc_calloc(n, size);
}

int
posix_memalign(void **where, size_t align, size_t size)
{
	const struct rule *r = due("posix_memalign", NONE);

	if (FAILS(r))
		return r->err;
	*where = __libc_memalign(align, size);
	return *where == NULL ? ENOMEM : 0;
}
#endif

#ifdef __GLIBC__
/* The names that _FILE_OFFSET_BITS=64 makes of them. */
#define ALSO(name64, name) extern __typeof__(name) name64 __attribute__((alias(#name)))
ALSO(pread64, pread);
ALSO(pwrite64, pwrite);
ALSO(open64, open);
ALSO(openat64, openat);
ALSO(ftruncate64, ftruncate);
ALSO(lseek64, lseek);
ALSO(posix_fadvise64, posix_fadvise);
extern int fstat64(int, struct stat64 *);
int
fstat64(int fd, struct stat64 *st)
{
	return fstat(fd, (struct stat *)(void *)st);
}
extern int fstatat64(int, const char *restrict, struct stat64 *restrict, int);
int
fstatat64(int dir, const char *restrict path, struct stat64 *restrict st, int flags)
{
	return fstatat(dir, path, (struct stat *)(void *)st, flags);
}
extern int statvfs64(const char *restrict, struct statvfs64 *restrict);
int
statvfs64(const char *restrict path, struct statvfs64 *restrict v)
{
	/* The same struct on 64-bit machines. */
	return statvfs(path, (struct statvfs *)(void *)v);
}
#endif
