// Settings for the sanitizers. scripts/sanitize links this file into the tests and into the programs that they start.
// These programs do not inherit the tests' environment, so the options are compiled in. -DREPORTS="PATH" makes each
// process write its findings to PATH.PROCESS. Reads of unmapped memory end a process as usual, because tests expect
// that.
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

// The Swift runtime keeps memory for the life of the process, which is not a leak.
const char *__asan_default_options(void) { return "detect_leaks=0:handle_segv=0:log_path=" REPORTS; }

// Ignores accesses by system libraries (libswiftCore, SQLCipher, libsodium). They are not instrumented, so the
// sanitizer would not see how they synchronize threads.
const char *__tsan_default_options(void) { return "ignore_noninstrumented_modules=1:handle_segv=0:log_path=" REPORTS; }

__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

// Tells the thread sanitizer about contended locks of a Mutex. An uncontended Mutex is locked by an atomic instruction
// in instrumented code, which the sanitizer sees. A contended one is locked by a system call in
// libswiftSynchronization, which it does not see.
#define NAMED(symbol) __asm__(symbol)
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

typedef SWIFT void (*lock_slow)(uint32_t thread, SELF void *mutex);
typedef SWIFT void (*unlock_slow)(SELF void *mutex);

static void *next(const char *symbol) {
    void *found = dlsym(RTLD_NEXT, symbol);
    if (found == NULL) {
        abort();
    }
    return found;
}

SWIFT void ghost_lock_slow(uint32_t thread, SELF void *mutex) NAMED(LOCK_SLOW);
SWIFT void ghost_lock_slow(uint32_t thread, SELF void *mutex) {
    ((lock_slow)next(LOCK_SLOW))(thread, mutex);
    if (__tsan_acquire) {
        __tsan_acquire(mutex);
    }
}

SWIFT void ghost_unlock_slow(SELF void *mutex) NAMED(UNLOCK_SLOW);
SWIFT void ghost_unlock_slow(SELF void *mutex) {
    if (__tsan_release) {
        __tsan_release(mutex);
    }
    ((unlock_slow)next(UNLOCK_SLOW))(mutex);
}
