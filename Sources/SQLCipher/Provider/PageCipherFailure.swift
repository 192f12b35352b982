import Glibc
import Synchronization

/// The end of the process when a page cannot be protected.
///
/// SQLCipher 3.4.1 asks none of its cryptographic functions whether it has failed: it takes its buffer for the page,
/// and that may hold plaintext or another page. So the functions that stand in for them never report a failure: they
/// end here, before anything of it is written.
package enum PageCipherFailure {
    /// Ends the process without answering anything more. Called inside SQLite, on any thread, with locks held and maybe
    /// with no memory left: it must not allocate, wait or use a database. It is given the cause, in words.
    package typealias End = @Sendable (StaticString) -> Never

    /// A closure by itself would be wrapped when it is taken out of the lock, in memory there may be none of.
    private struct Handler: Sendable {
        let end: End
    }

    private static let handler = Mutex(Handler { _ in abort() })

    /// Sets how this process ends from now on; unless set, by abort(3).
    package static func setEnd(_ end: @escaping End) {
        handler.withLock { $0 = Handler(end: end) }
    }

    static func endProcess(_ cause: StaticString) -> Never {
        handler.withLock { $0 }.end(cause)
    }
}
