import CSimulatedDisk

/// A short history of a store in which one life (see `Life`) is interrupted in the way that `Break` says. The lives
/// after it must find everything that was acknowledged.
struct Walk {
    enum Step {
        case life(Life.Amount)
        /// A life that ends as if killed.
        case killed(Life.Amount)
        case powerCut(disk_luck)
    }

    enum Break {
        /// The process is killed at each operation in turn.
        case killed
        /// The process is killed before each sync in turn.
        case killedAtSyncs
        /// The process is killed before each sync in turn. If the kill leaves the given part of the journal visible but
        /// not durable, the next life is killed before each of its syncs in turn.
        case killedTwice(where: Volatile, next: Life.Amount)
        /// Each operation in turn fails with EIO.
        case failing
        /// The life does all its work and ends as if killed.
        case none
    }

    enum Volatile {
        case fileSize, header
    }

    let name: String
    /// The call sites, as `Controls` prints them, whose syncs this walk needs: if the syncs of one site are dropped,
    /// the walk must fail.
    let notices: [String]
    let before: [Step]
    let broken: Life.Amount
    let how: Break
    let after: [Step]
    /// True if a life of the walk accepts a loss.
    var acceptsLoss = false

    /// Walks for a rule that random power cuts rarely test: a killed process may leave data that is visible but not
    /// synced, so the next opening must make this data durable before it relies on it.
    static let all = [
        Walk(
            name: "first start",
            notices: ["StoreEngine.StateDirectory.syncParent for StoreEngine.StateDirectory.init(following:)"],
            before: [], broken: .none, how: .killedAtSyncs,
            after: [.killed(.records(rounds: 1)), .powerCut(DISK_NOTHING)]),
        // An opening shows the records of the journal to readers, so it must make the records durable first.
        Walk(
            name: "records",
            notices: ["StoreEngine.JournalOpening.recover for StoreEngine.JournalOpening.open"],
            before: [.life(.records(rounds: 1))], broken: .records(rounds: 1), how: .killed,
            after: [.killed(.none), .powerCut(DISK_NOTHING)]),
        Walk(
            name: "segments", notices: [],
            before: [.life(.records(rounds: 2))], broken: .records(rounds: 2), how: .killedAtSyncs,
            after: [.killed(.records(rounds: 2)), .powerCut(DISK_NOTHING)]),
        // An opening continues in the last of many segments and releases the earlier ones.
        Walk(
            name: "many segments",
            notices: ["StoreEngine.JournalOpening.recover for StoreEngine.JournalOpening.open"],
            before: [.life(.records(rounds: 1)), .killed(.records(rounds: 3))], broken: .records(rounds: 1),
            how: .killedTwice(where: .header, next: .none), after: [.powerCut(DISK_NOTHING)]),
        // A header may become durable before the zeros that fill its file.
        Walk(
            name: "a file of the journal",
            notices: ["StoreEngine.SegmentFile.makeFoundDurable for StoreEngine.Journal.begin"],
            before: [.life(.records(rounds: 1))], broken: .records(rounds: 1),
            how: .killedTwice(where: .fileSize, next: .records(rounds: 1)), after: [.powerCut(DISK_NEWEST)]),
        // A rotation finds the files of an interrupted rotation, which had chosen a different new key.
        Walk(
            name: "two rotations",
            notices: ["StoreEngine.Journal.prepare for StoreEngine.MasterKeySwitch.prepare"],
            before: [.life(.records(rounds: 1))], broken: .rotation, how: .killedAtSyncs,
            after: [.killed(.rotation), .powerCut(DISK_NOTHING)]),
        // The next opening completes an interrupted restore, and later answers are about the restored store.
        Walk(
            name: "a restore", notices: [],
            before: [.life(.records(rounds: 1)), .life(.backup), .life(.records(rounds: 1))], broken: .restore,
            how: .killedAtSyncs, after: [.killed(.records(rounds: 1)), .powerCut(DISK_NOTHING)]),
        Walk(
            name: "folders of the vault",
            notices: ["StoreEngine.VaultFolder.sync for StoreEngine.VaultFolder.syncNames"],
            before: [.life(.none)], broken: .tampering(.foldersOfVault), how: .none,
            after: [.killed(.some), .powerCut(DISK_NOTHING)]),
        // If the sync of the mark that closes a journal segment fails, the mark may be on the disk or not. These two
        // walks test both cases.
        Walk(
            name: "a disk that fails, of which nothing is left", notices: [],
            before: [.life(.records(rounds: 1))], broken: .records(rounds: 2), how: .failing,
            after: [.powerCut(DISK_NOTHING)]),
        Walk(
            name: "a disk that fails, of which everything is left", notices: [],
            before: [.life(.records(rounds: 1))], broken: .records(rounds: 2), how: .failing,
            after: [.powerCut(DISK_EVERYTHING)]),
        // If the acceptance of a loss was interrupted, the next opening either reports the loss again or succeeds.
        Walk(
            name: "a loss, damaged segment",
            notices: ["SQLCipher.Connection.checkpoint for StoreEngine.JournalOpening.accept"],
            before: [
                .life(.records(rounds: 1)), .killed(.records(rounds: 2)), .powerCut(DISK_NOTHING),
                .life(.tampering(.damagedSegment)),
            ],
            broken: .none, how: .killedAtSyncs, after: [.powerCut(DISK_NOTHING), .life(.none)], acceptsLoss: true),
        Walk(
            name: "a loss, database put back", notices: [],
            before: [
                .life(.records(rounds: 1)), .life(.tampering(.keptDatabase)), .life(.records(rounds: 2)),
                .life(.tampering(.olderDatabase)),
            ],
            broken: .none, how: .killed, after: [.killed(.none), .powerCut(DISK_NOTHING), .life(.none)],
            acceptsLoss: true),
    ]
}
