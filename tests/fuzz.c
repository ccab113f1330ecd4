/*
 * Feeds any bytes to the readers of bonnie.c: the numbers of the command line and the files of
 * Linux that tell of cgroups and mounts.  The first byte chooses the reader, the rest is its text.
 *
 *	clang -g -O1 -fsanitize=fuzzer,address,undefined -DFUZZER -o fuzz tests/fuzz.c
 *	./fuzz -max_len=200 -max_total_time=600 tests/corpus
 *
 *	cc -o fuzz tests/fuzz.c && ./fuzz FILE ...	(runs the files: the test)
 *
 * A refusal is msg_usage(), which ends the program: here it jumps back.  What is read must also be
 * right: within its range, and the same as a plain reading of the digits.
 */
#define _FILE_OFFSET_BITS 64
#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#define main bonnie_main
#define exit fuzz_exit
#define fopen fuzz_fopen
#define write fuzz_write
int bonnie_main(int, char **);
static jmp_buf fuzz_back;
static const char *fuzz_cgroups, *fuzz_mounts;
static size_t fuzz_cgroups_len, fuzz_mounts_len;
__attribute__((noreturn)) static void fuzz_exit(int);
static FILE *fuzz_fopen(const char *, const char *);
static ssize_t fuzz_write(int, const void *, size_t);
#include "../bonnie.c"
#undef main
#undef exit
#undef fopen
#undef write

static char fuzz_message[8192];
static size_t fuzz_said;

static void
fuzz_exit(int status)
{
	if (status != 2)
		abort();		/* not a refusal */
	longjmp(fuzz_back, 1);
}

/* Messages are kept, to be looked at. */
static ssize_t
fuzz_write(int fd, const void *text, size_t len)
{
	(void)fd;
	if (fuzz_said + len < sizeof(fuzz_message)) {
		memcpy(fuzz_message + fuzz_said, text, len);
		fuzz_said += len;
		fuzz_message[fuzz_said] = '\0';
	}
	return (ssize_t)len;
}

/* Two files exist, and the limit of every cgroup is in the first one. */
static FILE *
fuzz_fopen(const char *path, const char *mode)
{
	bool mounts = strcmp(path, "mounts") == 0;
	size_t len = mounts ? fuzz_mounts_len : fuzz_cgroups_len;

	if (len == 0)
		return NULL;
	return fmemopen((void *)(uintptr_t)(mounts ? fuzz_mounts : fuzz_cgroups), len, mode);
}

/* Digits are digits: what was read of them alone must print as they do. */
static void
fuzz_same(const char *text, uint64_t v, uint64_t least, uint64_t most)
{
	char back[32];

	if (v < least || v > most)
		abort();
	while (text[0] == '0' && text[1] != '\0')
		text++;
	snprintf(back, sizeof(back), "%" PRIu64, v);
	if (text[strspn(text, "0123456789")] == '\0' && strcmp(text, back) != 0)
		abort();
}

static void
fuzz_number(char kind, const char *text)
{
	struct plan plan = { .chunk = CHUNK_DEFAULT, .seekers = SEEKERS_DEFAULT, .runs = 1 };
	uint64_t v;

	if (setjmp(fuzz_back) != 0) {
		/* One line, of printable characters or bytes of UTF-8. */
		if (strncmp(fuzz_message, "bonnie: ", 8) != 0 ||
		    strchr(fuzz_message, '\n') != fuzz_message + fuzz_said - 1)
			abort();
		return;
	}
	switch (kind) {
	case 'c':
		v = num_count("-x", text, 1, 1000000);
		fuzz_same(text, v, 1, 1000000);
		break;
	case 'C':
		v = num_count("-z", text, 0, UINT64_MAX);
		fuzz_same(text, v, 0, UINT64_MAX);
		break;
	case 'b':
		v = num_size("-s chunk", text, 0, CHUNK_MIN, CHUNK_MAX);
		fuzz_same(text, v, CHUNK_MIN, CHUNK_MAX);
		break;
	case 's':
		v = num_size("-s", text, 20, 1, INT64_MAX);
		if (v == 0 || v > INT64_MAX)
			abort();
		break;
	case 'r':
		opt_ram(&plan, text);
		break;
	default:
		opt_size(&plan, text);
		if (plan.size > INT64_MAX || plan.chunk < CHUNK_MIN || plan.chunk > CHUNK_MAX ||
		    (plan.chunk & (plan.chunk - 1)) != 0 || plan.seekers < 1 ||
		    plan.seekers > SEEKERS_MAX)
			abort();
	}
}

/* Root and path of a cgroup, each in memory of its own length: a step over its end is seen. */
static void
fuzz_path(const char *text, size_t first)
{
	struct mount m = { NULL, 0, NULL, "/sys/fs/cgroup", "cgroup2", "rw" };
	char *root = strndup(text, first), *path = strdup(text + first);

	if (root != NULL && path != NULL) {
		m.root = root;
		(void)sys_group_limit(&m, path, true);
		(void)sys_below(path, root);
		m.root = "/";
		m.point = root;
		(void)sys_group_limit(&m, path, false);
	}
	free(root);
	free(path);
}

/* The text is the file of cgroups, then a zero byte or "%%", then that of the mounts. */
static void
fuzz_files(char kind, char *text, size_t len)
{
	char path[PATH_MAX], *cut = memchr(text, '\0', len);
	struct plan plan = { .type = "" };
	size_t first = cut != NULL ? (size_t)(cut - text) : len;

	if ((cut = strstr(text, "%%")) != NULL && (size_t)(cut - text) < first)
		first = (size_t)(cut - text) + 1;
	fuzz_cgroups = text;
	fuzz_cgroups_len = first;
	fuzz_mounts = text + first;
	fuzz_mounts_len = len - first;
	switch (kind) {
	case 'm':
		fuzz_mounts = text;
		fuzz_mounts_len = len;
		sys_type("mounts", "/", &plan);
		if (strlen(plan.type) >= sizeof(plan.type) ||
		    strlen(plan.device) >= sizeof(plan.device))
			abort();
		sys_warn_type("/", plan.type);
		break;
	case 'p':
		fuzz_path(text, first);
		break;
	case 'g':
		sys_group("cgroups", false, path, sizeof(path));
		sys_group("cgroups", true, path, 16);	/* cut short, not overrun */
		break;
	default:
		(void)sys_cgroup_limit("cgroups", "mounts");
	}
}

static int
fuzz_one(const uint8_t *data, size_t len)
{
	char *text;

	if (len < 1 || (text = malloc(len)) == NULL)
		return 0;
	memcpy(text, data + 1, len - 1);
	text[len - 1] = '\0';
	fuzz_said = 0;
	fuzz_message[0] = '\0';
	if (strchr("mgpl", data[0]) != NULL && data[0] != '\0')
		fuzz_files((char)data[0], text, len - 1);
	else
		fuzz_number((char)data[0], text);
	free(text);
	return 0;
}

#ifdef FUZZER
int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	return fuzz_one(data, len);
}
#else
int
main(int argc, char **argv)
{
	static uint8_t data[65536];
	size_t n;
	FILE *f;
	int i;

	for (i = 1; i < argc; i++) {
		if ((f = fopen(argv[i], "r")) == NULL)
			return 1;
		n = fread(data, 1, sizeof(data), f);
		(void)fclose(f);
		(void)fuzz_one(data, n);
	}
	printf("%d files\n", argc - 1);
	return 0;
}
#endif
