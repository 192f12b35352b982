import CSodium
import Glibc

/// The initialization of libsodium.
///
/// `sodium_init` must be called before any other function and may be called again. It returns -1 if there is no source
/// of randomness (https://doc.libsodium.org/usage).
package enum SodiumRuntime {
    /// The result of the initialization. Swift runs the initializer of a `static let` once, under a lock.
    private static let initResult: Int32 = sodium_init()

    /// Initializes libsodium. Idempotent and thread-safe. Functions of this library that need libsodium call it
    /// themselves.
    ///
    /// - Throws: `.sodiumUnavailable`.
    package static func start() throws(CryptoError) {
        guard initResult >= 0 else {
            throw CryptoError(.sodiumUnavailable, "libsodium cannot start: no source of randomness")
        }
    }

    /// True if a page can be locked into memory now. Tests it by locking and unlocking one.
    ///
    /// The test is needed because `sodium_malloc` tries to lock its memory but ignores a failure (`RLIMIT_MEMLOCK`).
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

    /// The version of the loaded library, such as `1.0.18`.
    package static var versionText: String {
        sodium_version_string().map { String(cString: $0) } ?? "unknown"
    }
}
