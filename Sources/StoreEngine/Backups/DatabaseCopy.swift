import SQLCipher
import StoreBasics
import StoreCrypto

/// Copies the open database into a new file, a few pages at a time on the writer thread. Writes made between the
/// steps reach the copy, because they go through the connection that is its source.
final class DatabaseCopy: Sendable {
    struct Step: Sendable {
        /// Only a last bit is left, which `finish` copies.
        let isNearlyFinished: Bool
        let progress: Progress
    }

    /// About 5 ms of work: what a write may have to wait for it.
    private static let pagesPerStep = 256

    private struct Running: ~Copyable {
        var backup: OnlineBackup
        let target: Connection
    }

    private let path: String
    private let key: SecretBox
    private let libraries: LibraryVersions
    // Only touched on the writer thread; the lock is there so that the compiler knows as well.
    private let running = ConditionLock<Running?>(nil)

    /// - Parameters:
    ///   - path: a file that does not exist yet.
    ///   - key: the raw-key literal the copy is encrypted with.
    init(path: String, key: SecretBox, libraries: LibraryVersions) {
        self.path = path
        self.key = key
        self.libraries = libraries
    }

    func start(_ store: DurableStore) throws(StoreError) {
        try store.requireCommittedPages()
        let source = try store.openConnection()
        guard let key = key.take() else { throw StoreError(.internal, "a copy of the database was started twice") }
        let target = try key.withUnsafeBytes { bytes throws(StoreError) in
            try mapped(
                Connection(path: path, key: bytes, mode: .create, profile: .ghoststore, versions: libraries))
        }
        // One transaction fills the copy, and a crash throws the file away: a log would write every page twice, and
        // waiting for the disk belongs to whoever makes the copy durable, not to the writer thread.
        try mapped(target.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF"))
        var backup = try mapped(OnlineBackup(from: source, to: target))
        // The first step tells how many pages there are.
        _ = try mapped(backup.step(pages: 1))
        var fresh: Running? = Running(backup: backup, target: target)
        running.withLock { $0 = fresh.take() }
    }

    func step() throws(StoreError) -> Step {
        try with { running throws(StoreError) in
            let pages = min(Self.pagesPerStep, running.backup.remainingPages - 1)
            if pages > 0 {
                _ = try mapped(running.backup.step(pages: pages))
            }
            return Step(
                isNearlyFinished: running.backup.remainingPages <= Self.pagesPerStep,
                progress: Progress(
                    done: UInt64(running.backup.totalPages - running.backup.remainingPages),
                    total: UInt64(running.backup.totalPages)))
        }
    }

    /// Copies what is left and closes the copy, which holds everything committed so far. Not durable yet.
    func finish() throws(StoreError) {
        try with { running throws(StoreError) in
            while try mapped(running.backup.step(pages: -1)) != .finished {}
        }
        end()
    }

    /// Ends the copy; its file may be removed.
    func abandon() {
        end()
    }

    private func end() {
        running.withLock { running in
            guard let ended = running.take() else { return }
            let target = ended.target
            drop(ended)
            target.close()
        }
    }

    /// Finishes the backup object before its connection is closed.
    private func drop(_ running: consuming Running) {}

    private func with<Result>(
        _ body: (inout Running) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try running.withLock { running throws(StoreError) in
            guard var current = running.take() else {
                throw StoreError(.internal, "a copy of the database has not been started")
            }
            do throws(StoreError) {
                let result = try body(&current)
                running = consume current
                return result
            } catch {
                running = consume current
                throw error
            }
        }
    }
}
