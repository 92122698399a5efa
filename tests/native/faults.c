/* Makes allocations and writes fail at a wanted call: for LD_PRELOAD, on Linux with the GNU C library.

   Only calls from certain libraries are met, by their return address: the interpreter and the C library keep what they
   need, and what is tested is not mixed up with them. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);

enum { ALLOCATIONS = 1, WRITES = 2 };
/* the call fails; so do all after it; it is done by half, and all after it fail; it is done by half, and the process
   is killed */
enum { ONCE, FROM, TORN, KILLED };

static int armed;
static int mode;
static long wanted;
static long met;
static char names[4][64];
static void *sites[256];
static int known_sites;

static int meant(void *caller) {
    Dl_info about;
    if (!dladdr(caller, &about) || !about.dli_fname)
        return 0;
    for (int k = 0; k < 4; k++)
        if (names[k][0] && strstr(about.dli_fname, names[k]))
            return 1;
    return 0;
}

static void note(void *caller) {
    for (int k = 0; k < known_sites; k++)
        if (sites[k] == caller)
            return;
    if (known_sites < 256)
        sites[known_sites++] = caller;
}

/* Whether this call is the one that fails, or one after it that does. */
static int fails(int kind, void *caller) {
    if (__atomic_load_n(&armed, __ATOMIC_ACQUIRE) != kind || !meant(caller))
        return 0;
    note(caller);
    long number = __atomic_add_fetch(&met, 1, __ATOMIC_ACQ_REL);
    return wanted && (mode == ONCE || mode == KILLED ? number == wanted : number >= wanted);
}

/* The n-th call from now on fails, of a kind, from libraries whose paths hold one of up to four words with bars; n = 0
   only counts. */
void pm_faults_arm(int kind, const char *words, long n, int how) {
    armed = 0;
    memset(names, 0, sizeof names);
    for (int k = 0; k < 4 && *words; k++) {
        size_t length = strcspn(words, "|");
        if (length < sizeof names[k])
            memcpy(names[k], words, length);
        words += length + (words[length] == '|');
    }
    mode = how;
    wanted = n;
    met = 0;
    __atomic_store_n(&armed, kind, __ATOMIC_RELEASE);
}

/* No call fails any more: how many were met. */
long pm_faults_disarm(void) {
    __atomic_store_n(&armed, 0, __ATOMIC_RELEASE);
    return met;
}

/* How many places in the code were met so far. */
int pm_faults_sites(void) { return known_sites; }

void *malloc(size_t size) {
    if (armed && fails(ALLOCATIONS, __builtin_return_address(0))) {
        errno = ENOMEM;
        return NULL;
    }
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    if (armed && fails(ALLOCATIONS, __builtin_return_address(0))) {
        errno = ENOMEM;
        return NULL;
    }
    return __libc_calloc(number, size);
}

void *realloc(void *before, size_t size) {
    if (armed && fails(ALLOCATIONS, __builtin_return_address(0))) {
        errno = ENOMEM;
        return NULL;
    }
    return __libc_realloc(before, size);
}

/* What is left of a call that has to fail: the first half of what it should write, or nothing. */
#define BREAK(halve)                        \
    do {                                    \
        if (mode >= TORN && met == wanted)  \
            halve;                          \
        if (mode == KILLED)                 \
            kill(getpid(), SIGKILL);        \
        errno = mode == ONCE ? ENOSPC : EIO; \
        return -1;                          \
    } while (0)

#define NEXT(type, name) ((type)dlsym(RTLD_NEXT, name))

typedef ssize_t (*writer)(int, const void *, size_t);
typedef ssize_t (*placed_writer)(int, const void *, size_t, off_t);
typedef int (*of_file)(int);
typedef int (*cutter)(int, off_t);
typedef int (*remover)(const char *);

ssize_t write(int file, const void *bytes, size_t size) {
    if (armed && fails(WRITES, __builtin_return_address(0)))
        BREAK((void)!NEXT(writer, "write")(file, bytes, size / 2));
    return NEXT(writer, "write")(file, bytes, size);
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t at) {
    if (armed && fails(WRITES, __builtin_return_address(0)))
        BREAK((void)!NEXT(placed_writer, "pwrite")(file, bytes, size / 2, at));
    return NEXT(placed_writer, "pwrite")(file, bytes, size, at);
}

ssize_t pwrite64(int file, const void *bytes, size_t size, off_t at) {
    if (armed && fails(WRITES, __builtin_return_address(0)))
        BREAK((void)!NEXT(placed_writer, "pwrite64")(file, bytes, size / 2, at));
    return NEXT(placed_writer, "pwrite64")(file, bytes, size, at);
}

int fsync(int file) {
    if (armed && fails(WRITES, __builtin_return_address(0)))
        BREAK((void)0);
    return NEXT(of_file, "fsync")(file);
}

int fdatasync(int file) {
    if (armed && fails(WRITES, __builtin_return_address(0)))
        BREAK((void)0);
    return NEXT(of_file, "fdatasync")(file);
}

int ftruncate64(int file, off_t size) {
    if (armed && fails(WRITES, __builtin_return_address(0)))
        BREAK((void)0);
    return NEXT(cutter, "ftruncate64")(file, size);
}

int unlink(const char *name) {
    if (armed && fails(WRITES, __builtin_return_address(0)))
        BREAK((void)0);
    return NEXT(remover, "unlink")(name);
}
