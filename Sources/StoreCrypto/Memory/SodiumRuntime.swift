import CSodium
import Glibc

/// libsodium's process-wide start.
///
/// https://doc.libsodium.org/usage: `sodium_init` must come before any other function and may be called more
/// than once; it returns -1 when no source of randomness can be had.
package enum SodiumRuntime {
    /// Runs once, however many threads ask (a `static let` is initialised under a lock).
    private static let initResult: Int32 = sodium_init()

    /// Makes libsodium ready. Idempotent and thread-safe; whatever in this library needs it calls it itself.
    ///
    /// - Throws: `.sodiumUnavailable`.
    package static func start() throws(CryptoError) {
        guard initResult >= 0 else {
            throw CryptoError(.sodiumUnavailable, "libsodium cannot start: no source of randomness")
        }
    }

    /// Whether a page can be locked into memory now, found out by locking one and letting it go.
    ///
    /// `sodium_malloc` locks what it hands out and goes on silently when that is refused (`RLIMIT_MEMLOCK`), so
    /// this is the way to know.
    package static var isMemoryLockable: Bool {
        guard initResult >= 0 else { return false }
        let pageBytes = Int(getpagesize())
        guard let page = mmap(nil, pageBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            page != MAP_FAILED
        else { return false }
        defer { munmap(page, pageBytes) }
        guard sodium_mlock(page, pageBytes) == 0 else { return false }
        return sodium_munlock(page, pageBytes) == 0
    }

    /// The version of the library that is loaded, such as `1.0.18`.
    package static var versionText: String {
        sodium_version_string().map { String(cString: $0) } ?? "unknown"
    }
}
