import SQLCipher
import StoreBasics
import StoreCrypto

/// Copies the open database into a new file, a few pages at a time on the writer thread. Writes made between the steps
/// reach the copy, because they use the connection from which the pages are copied.
final class DatabaseCopy: Sendable {
    struct Step: Sendable {
        /// True if only a small rest is left, which `finish` copies.
        let isNearlyFinished: Bool
        let progress: Progress
    }

    /// The pages of one step: about 5 ms of work, for which a write may have to wait.
    private static let pagesPerStep = 256

    private struct Running: ~Copyable {
        var backup: OnlineBackup
        let target: Connection
    }

    private let path: String
    private let key: SecretBox
    private let libraries: LibraryVersions
    // Only the writer thread uses the value. The lock is needed because the compiler cannot verify that.
    private let running = ConditionLock<Running?>(nil)

    /// - Parameters:
    ///   - path: A file that does not exist yet.
    ///   - key: The raw-key literal that encrypts the copy.
    init(path: String, key: SecretBox, libraries: LibraryVersions) {
        self.path = path
        self.key = key
        self.libraries = libraries
    }

    func start(_ store: DurableStore) throws(StoreError) {
        try store.requireCommittedPages()
        let source = try store.openConnection()
        guard let key = key.take() else { throw .fault("a copy of the database was started twice") }
        let target = try key.withUnsafeBytes { bytes throws(StoreError) in
            try mapped(
                Connection(path: path, key: bytes, mode: .create, profile: .ghoststore, versions: libraries))
        }
        // The copy needs no journal: after a crash the file is discarded. A WAL would only write every page twice. The
        // caller makes the copy durable, so that the writer thread does not wait for the disk.
        try mapped(target.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF"))
        var backup = try mapped(OnlineBackup(from: source, to: target))
        // Copy one page, because the number of pages is known only after the first step.
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

    /// Copies the rest and closes the copy, which then contains everything committed so far. The copy is not durable
    /// yet.
    func finish() throws(StoreError) {
        try with { running throws(StoreError) in
            while try mapped(running.backup.step(pages: -1)) != .finished {}
        }
        end()
    }

    /// Ends the copy. Afterwards its file may be removed.
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

    /// Consumes the backup object, which must be finished before its connection is closed.
    private func drop(_ running: consuming Running) {}

    private func with<Result>(
        _ body: (inout Running) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try running.withLock { running throws(StoreError) in
            guard var current = running.take() else { throw .fault("a copy of the database has not been started") }
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
