// Makes a call of one function fail in the program that loads this library with LD_PRELOAD.
//
//   FAULT_FUNCTION  the function
//   FAULT_AT        the number of the call that fails, counted from 1
//   FAULT_ERRNO     the error of the failed call, if the function is a system call
//   FAULT_FOLDER    system calls count only for files in this folder or below it
//   FAULT_ARM       calls count only while this file exists; without the variable they always count
//   FAULT_HIT       a file that is created just before the call fails
//   FAULT_EFFECT    "lasts": all later calls fail as well
//                   "half": a pwrite writes half of its bytes before it fails
//                   "half lasts": both
//                   "kill": an ftruncate succeeds, and the process is killed right after it
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *function, *folder, *arm, *hit, *effect;
static long at;
static int number;
static atomic_long calls;

static const char *text(const char *name) {
    const char *value = getenv(name);
    return value == NULL ? "" : value;
}

__attribute__((constructor)) static void start(void) {
    folder = text("FAULT_FOLDER");
    arm = text("FAULT_ARM");
    hit = text("FAULT_HIT");
    effect = text("FAULT_EFFECT");
    at = atol(text("FAULT_AT"));
    number = atoi(text("FAULT_ERRNO"));
    function = text("FAULT_FUNCTION");
}

static int has_effect(const char *word) {
    return effect != NULL && strstr(effect, word) != NULL;
}

// Counts a call of the function, and returns whether this call must fail. Must not call a function that this file
// replaces.
static int fails(const char *name) {
    if (function == NULL || strcmp(function, name) != 0) return 0;
    int before = errno;
    if (*arm != 0 && syscall(SYS_faccessat, AT_FDCWD, arm, F_OK) != 0) {
        errno = before;
        return 0;
    }
    long call = atomic_fetch_add(&calls, 1) + 1;
    if (call < at || (call > at && !has_effect("lasts"))) return 0;
    long file = syscall(SYS_openat, AT_FDCWD, hit, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (file >= 0) syscall(SYS_close, (int)file);
    errno = number;
    return 1;
}

static int is_below(const char *path) {
    size_t length = folder == NULL ? 0 : strlen(folder);
    return length > 0 && strncmp(path, folder, length) == 0;
}

static int is_ours(int descriptor) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    long length = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
    if (length <= 0) return 0;
    path[length] = 0;
    return is_below(path);
}

static int is_ours_at(int descriptor, const char *path) {
    return *path == '/' || descriptor == AT_FDCWD ? is_below(path) : is_ours(descriptor);
}

// Finds the replaced function at the first call. errno does not change.
#define ORIGINAL(name) \
    static __typeof__(&name) original; \
    if (original == NULL) { \
        int before = errno; \
        original = (__typeof__(&name))dlsym(RTLD_NEXT, #name); \
        errno = before; \
    }

// ---- libcrypto: declared here, so that its headers are not needed ----

void *EVP_CIPHER_CTX_new(void);
void *EVP_CIPHER_CTX_new(void) {
    ORIGINAL(EVP_CIPHER_CTX_new)
    return fails("EVP_CIPHER_CTX_new") ? NULL : original();
}

int EVP_CipherInit_ex(void *, void *, void *, const unsigned char *, const unsigned char *, int);
int EVP_CipherInit_ex(
    void *context, void *cipher, void *engine, const unsigned char *key, const unsigned char *iv, int mode) {
    ORIGINAL(EVP_CipherInit_ex)
    return fails("EVP_CipherInit_ex") ? 0 : original(context, cipher, engine, key, iv, mode);
}

int EVP_CIPHER_CTX_set_padding(void *, int);
int EVP_CIPHER_CTX_set_padding(void *context, int padding) {
    ORIGINAL(EVP_CIPHER_CTX_set_padding)
    return fails("EVP_CIPHER_CTX_set_padding") ? 0 : original(context, padding);
}

int EVP_CipherUpdate(void *, unsigned char *, int *, const unsigned char *, int);
int EVP_CipherUpdate(void *context, unsigned char *out, int *out_bytes, const unsigned char *in, int in_bytes) {
    ORIGINAL(EVP_CipherUpdate)
    return fails("EVP_CipherUpdate") ? 0 : original(context, out, out_bytes, in, in_bytes);
}

void *HMAC_CTX_new(void);
void *HMAC_CTX_new(void) {
    ORIGINAL(HMAC_CTX_new)
    return fails("HMAC_CTX_new") ? NULL : original();
}

int HMAC_Init_ex(void *, const void *, int, void *, void *);
int HMAC_Init_ex(void *context, const void *key, int key_bytes, void *digest, void *engine) {
    ORIGINAL(HMAC_Init_ex)
    return fails("HMAC_Init_ex") ? 0 : original(context, key, key_bytes, digest, engine);
}

int HMAC_Update(void *, const unsigned char *, size_t);
int HMAC_Update(void *context, const unsigned char *bytes, size_t count) {
    ORIGINAL(HMAC_Update)
    return fails("HMAC_Update") ? 0 : original(context, bytes, count);
}

int HMAC_Final(void *, unsigned char *, unsigned int *);
int HMAC_Final(void *context, unsigned char *out, unsigned int *out_bytes) {
    ORIGINAL(HMAC_Final)
    return fails("HMAC_Final") ? 0 : original(context, out, out_bytes);
}

int PKCS5_PBKDF2_HMAC(const char *, int, const unsigned char *, int, int, void *, int, unsigned char *);
int PKCS5_PBKDF2_HMAC(
    const char *password, int password_bytes, const unsigned char *salt, int salt_bytes, int rounds, void *digest,
    int key_bytes, unsigned char *key) {
    ORIGINAL(PKCS5_PBKDF2_HMAC)
    if (fails("PKCS5_PBKDF2_HMAC")) return 0;
    return original(password, password_bytes, salt, salt_bytes, rounds, digest, key_bytes, key);
}

// The same fault, for SQLCipher's own function that calls PKCS5_PBKDF2_HMAC.
int PKCS5_PBKDF2_HMAC_SHA1(const char *, int, const unsigned char *, int, int, int, unsigned char *);
int PKCS5_PBKDF2_HMAC_SHA1(
    const char *password, int password_bytes, const unsigned char *salt, int salt_bytes, int rounds, int key_bytes,
    unsigned char *key) {
    ORIGINAL(PKCS5_PBKDF2_HMAC_SHA1)
    if (fails("PKCS5_PBKDF2_HMAC")) return 0;
    return original(password, password_bytes, salt, salt_bytes, rounds, key_bytes, key);
}

// ---- System calls ----

int getentropy(void *bytes, size_t count) {
    ORIGINAL(getentropy)
    return fails("getentropy") ? -1 : original(bytes, count);
}

static mode_t mode_of(int flags, va_list arguments) {
    return flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(arguments, mode_t) : 0;
}

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        ORIGINAL(name) \
        va_list arguments; \
        va_start(arguments, flags); \
        mode_t mode = mode_of(flags, arguments); \
        va_end(arguments); \
        return is_below(path) && fails("open") ? -1 : original(path, flags, mode); \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name) \
    int name(int folder_descriptor, const char *path, int flags, ...) { \
        ORIGINAL(name) \
        va_list arguments; \
        va_start(arguments, flags); \
        mode_t mode = mode_of(flags, arguments); \
        va_end(arguments); \
        return is_ours_at(folder_descriptor, path) && fails("openat") \
            ? -1 : original(folder_descriptor, path, flags, mode); \
    }
OPENAT(openat)
OPENAT(openat64)

int mkdir(const char *path, mode_t mode) {
    ORIGINAL(mkdir)
    return is_below(path) && fails("mkdir") ? -1 : original(path, mode);
}

int rmdir(const char *path) {
    ORIGINAL(rmdir)
    return is_below(path) && fails("rmdir") ? -1 : original(path);
}

int rename(const char *path, const char *new_path) {
    ORIGINAL(rename)
    return is_below(path) && fails("rename") ? -1 : original(path, new_path);
}

int renameat(int from, const char *path, int to, const char *new_path) {
    ORIGINAL(renameat)
    return is_ours_at(from, path) && fails("renameat") ? -1 : original(from, path, to, new_path);
}

int renameat2(int from, const char *path, int to, const char *new_path, unsigned flags) {
    ORIGINAL(renameat2)
    return is_ours_at(from, path) && fails("renameat2") ? -1 : original(from, path, to, new_path, flags);
}

int linkat(int from, const char *path, int to, const char *new_path, int flags) {
    ORIGINAL(linkat)
    return is_ours_at(from, path) && fails("linkat") ? -1 : original(from, path, to, new_path, flags);
}

int unlink(const char *path) {
    ORIGINAL(unlink)
    return is_below(path) && fails("unlink") ? -1 : original(path);
}

int unlinkat(int descriptor, const char *path, int flags) {
    ORIGINAL(unlinkat)
    return is_ours_at(descriptor, path) && fails("unlinkat") ? -1 : original(descriptor, path, flags);
}

int fsync(int descriptor) {
    ORIGINAL(fsync)
    return is_ours(descriptor) && fails("fsync") ? -1 : original(descriptor);
}

int fdatasync(int descriptor) {
    ORIGINAL(fdatasync)
    return is_ours(descriptor) && fails("fdatasync") ? -1 : original(descriptor);
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
    ORIGINAL(write)
    return is_ours(descriptor) && fails("write") ? -1 : original(descriptor, bytes, count);
}

#define PWRITE(name, offset_type) \
    ssize_t name(int descriptor, const void *bytes, size_t count, offset_type offset) { \
        ORIGINAL(name) \
        if (!is_ours(descriptor) || !fails("pwrite")) return original(descriptor, bytes, count, offset); \
        if (has_effect("half") && original(descriptor, bytes, count / 2, offset) >= 0) errno = number; \
        return -1; \
    }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

#define FTRUNCATE(name, offset_type) \
    int name(int descriptor, offset_type size) { \
        ORIGINAL(name) \
        if (!is_ours(descriptor) || !fails("ftruncate")) return original(descriptor, size); \
        if (has_effect("kill") && original(descriptor, size) == 0) kill(getpid(), SIGKILL); \
        return -1; \
    }
FTRUNCATE(ftruncate, off_t)
FTRUNCATE(ftruncate64, off64_t)
