import SQLCipher
import StoreBasics
import Synchronization

extension StoreEngine {
    /// Reads every page and row of the open store, which stays in use meanwhile. Each part of the work has a snapshot
    /// of its own, so that the WAL can start over in between.
    ///
    /// - Throws: The reason if the store is not open; `.storeLocked` if it is locked meanwhile; `.storeBusy` if its WAL
    ///   grows past `WALBounds.heldByCheckBytesMax` during one part; `.storageFailed`, `.shuttingDown`. Damage is in
    ///   the report, not thrown.
    package func check(progress: (Progress) -> Void) throws(StoreError) -> CheckReport {
        let reader = makeReader()
        let bound = CheckBound(cutoff: reader.cutoff, walBytesMax: configuration.walBounds.heldByCheckBytesMax)
        let observation = heldWALs.add { $0.forEach { bound.checkWALSize($0) } }
        defer {
            observation.cancel()
            reader.close()
        }
        let generation = status.generation
        let vault = try VaultFolder(in: directory)
        return try IntegrityCheck.run(files: .vault(vault), progress: progress) { part throws(StoreError) in
            do throws(StoreError) {
                try reader.readSnapshot { connection throws(StoreError) in
                    guard status.generation == generation else { throw Interruption.storeWasLocked }
                    let report = try interruption.interrupting(reader.cutoff) { () throws(StoreError) in
                        try bound.bounding { () throws(StoreError) in try part(connection) }
                    }
                    // The read is still running, so the checked store cannot have been replaced by another, which might
                    // be undamaged.
                    if !report.isDatabaseClean {
                        status.reportDamage(.databaseDamaged("an integrity check found damage in the store"))
                    }
                }
            } catch {
                // If the engine is stopping, report that. The thrown error may only say that the store was closed.
                try interruption.check()
                throw error
            }
        }
    }
}

/// The limit for the size of the WAL during one part of a check. A part keeps the WAL from starting over, so the part
/// is ended if the WAL grows too large.
private final class CheckBound: Sendable {
    private let cutoff: StatementCutoff
    private let walBytesMax: Int
    private let isPassed = Atomic(false)

    init(cutoff: StatementCutoff, walBytesMax: Int) {
        self.cutoff = cutoff
        self.walBytesMax = walBytesMax
    }

    func checkWALSize(_ held: HeldWAL) {
        guard held.bytes >= walBytesMax else { return }
        isPassed.store(true, ordering: .relaxed)
        cutoff.cutOff()
    }

    /// Runs a part of the check.
    ///
    /// - Throws: The errors of `body`. After the limit was exceeded always `.storeBusy`, even if `body` reported the
    ///   interruption as another error.
    func bounding(_ body: () throws(StoreError) -> CheckReport) throws(StoreError) -> CheckReport {
        do throws(StoreError) {
            let report = try body()
            try check()
            return report
        } catch {
            try check()
            throw error
        }
    }

    private func check() throws(StoreError) {
        guard isPassed.load(ordering: .relaxed) else { return }
        throw StoreError(
            .storeBusy, "clients write so much that the check cannot finish; check the store later, or verify a backup")
    }
}
