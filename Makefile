# Bonnie: make; make test (seconds); make check (everything); make install PREFIX=/usr/local
.POSIX:

CC = cc
CFLAGS = -O2
PREFIX = /usr/local
BINDIR = $(PREFIX)/bin
MANDIR = $(PREFIX)/share/man/man1

all: bonnie

bonnie: bonnie.c
	$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ bonnie.c

# What a change can break most easily, in seconds.
test: bonnie
	CC="$(CC)" tests/run unit cli run

# Everything; what needs root or a tool that is missing is skipped, with the reason.
check: bonnie
	CC="$(CC)" tests/run

# Every call made to fail, the first, the second, ...: some minutes.
stress: bonnie
	CC="$(CC)" tests/stress

install: bonnie
	mkdir -p $(DESTDIR)$(BINDIR) $(DESTDIR)$(MANDIR)
	for f in bonnie scripts/bonnie-report scripts/bonnie-many; do \
		cp $$f $(DESTDIR)$(BINDIR)/ && chmod 755 $(DESTDIR)$(BINDIR)/$${f##*/} || exit 1; done
	for f in bonnie.1 scripts/bonnie-report.1 scripts/bonnie-many.1; do \
		cp $$f $(DESTDIR)$(MANDIR)/ && chmod 644 $(DESTDIR)$(MANDIR)/$${f##*/} || exit 1; done

uninstall:
	for f in bonnie bonnie-report bonnie-many; do \
		rm -f $(DESTDIR)$(BINDIR)/$$f $(DESTDIR)$(MANDIR)/$$f.1 || exit 1; done

clean:
	rm -rf bonnie tests/out bonnie-*.tar.gz

# The version stands in bonnie.c only.
dist:
	v=`sed -n 's/^#define VERSION.*"\(.*\)".*/\1/p' bonnie.c` && rm -rf bonnie-$$v && \
	mkdir bonnie-$$v && cp -R Makefile README LICENSE bonnie.c bonnie.1 tests scripts bonnie-$$v && \
	rm -rf bonnie-$$v/tests/out && tar cf - bonnie-$$v | gzip -9 >bonnie-$$v.tar.gz && \
	rm -rf bonnie-$$v

.PHONY: all test check stress install uninstall clean dist
