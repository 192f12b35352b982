// What the sanitizers must know of a process of ours, linked by scripts/sanitize into the tests and the programs that
// they start: these see no environment of ours, so options are compiled in. -DREPORTS="PATH" says where each process
// writes what was found in it, as PATH.PROCESS. A read where nothing is ends it as it always does: tests want that.
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

// What the runtime keeps for the life of the process is no leak.
const char *__asan_default_options(void) { return "detect_leaks=0:handle_segv=0:log_path=" REPORTS; }

// What the system's libraries touch (libswiftCore that frees an array, SQLCipher, libsodium) is not looked at: they are
// not built for it, so that how they agree among threads is not seen either.
const char *__tsan_default_options(void) { return "ignore_noninstrumented_modules=1:handle_segv=0:log_path=" REPORTS; }

__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

// A Mutex that nobody holds is locked by an atomic instruction in our own code, which the thread sanitizer sees; one
// that somebody holds by a system call in libswiftSynchronization, which it does not. So it is told.
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
