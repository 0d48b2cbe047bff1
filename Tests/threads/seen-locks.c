// Tells ThreadSanitizer what Swift's Mutex and AtomicLazyReference do where their library does it: nothing in there is
// instrumented, so whoever had to wait for a lock seems to have none. The part that is inlined into programs
// (a Mutex that nobody else has) ThreadSanitizer sees by itself.
//
// Linked into a program, it stands before these functions of the library. The names are those that Swift 6.3 gives them
// on Linux; run.sh checks that the library has them.
//
// __tsan_acquire and __tsan_release: compiler-rt, include/sanitizer/tsan_interface.h.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self

// Programs that are not instrumented don't have them.
extern void __tsan_acquire(void *) __attribute__((weak));
extern void __tsan_release(void *) __attribute__((weak));

static void acquire(void *address) {
    if (__tsan_acquire) __tsan_acquire(address);
}
static void release(void *address) {
    if (__tsan_release) __tsan_release(address);
}

// Tests start programs without the environment, so options can't come from there. REPORTS is a folder.
const char *__tsan_default_options(void) { return "exitcode=66:history_size=4:log_path=" REPORTS "/report"; }

// Swift's standard library writes a count of zero into the storage that all empty arrays share.
const char *__tsan_default_suppressions(void) { return "race:_swiftEmptyArrayStorage\n"; }

// Declares `next`, the library's own function of that name.
#define NEXT(name, result, ...) \
    static SWIFT result (*next)(__VA_ARGS__); \
    if (!next) next = (SWIFT result(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

// _MutexHandle._lockSlow(UInt32), _unlockSlow(), _tryLockSlow() -> Bool
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"

SWIFT void lock_slow(uint32_t thread, SELF) __asm__(LOCK);
SWIFT void lock_slow(uint32_t thread, SELF) {
    NEXT(LOCK, void, uint32_t, SELF);
    next(thread, self);
    acquire(self);
}

SWIFT void unlock_slow(SELF) __asm__(UNLOCK);
SWIFT void unlock_slow(SELF) {
    NEXT(UNLOCK, void, SELF);
    release(self);
    next(self);
}

SWIFT _Bool try_lock_slow(SELF) __asm__(TRY_LOCK);
SWIFT _Bool try_lock_slow(SELF) {
    NEXT(TRY_LOCK, _Bool, SELF);
    _Bool taken = next(self);
    if (taken) acquire(self);
    return taken;
}

// AtomicLazyReference.load() -> Instance?, storeIfNil(Instance) -> Instance
#define LOAD "$s15Synchronization19AtomicLazyReferenceV4loadxSgyF"
#define STORE "$s15Synchronization19AtomicLazyReferenceV10storeIfNilyxxnF"

SWIFT void *lazy_load(void *type, SELF) __asm__(LOAD);
SWIFT void *lazy_load(void *type, SELF) {
    NEXT(LOAD, void *, void *, SELF);
    void *instance = next(type, self);
    acquire(self);
    return instance;
}

SWIFT void *lazy_store(void *instance, void *type, SELF) __asm__(STORE);
SWIFT void *lazy_store(void *instance, void *type, SELF) {
    NEXT(STORE, void *, void *, void *, SELF);
    release(self);
    void *kept = next(instance, type, self);
    acquire(self);
    return kept;
}
