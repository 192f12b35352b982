import CSimulatedDisk

/// A short history of a store in which one life breaks off. What comes after it must find everything that was answered.
struct Walk {
    enum Step {
        case life(Life.Amount)
        /// The same, and the process ends as a kill does.
        case killed(Life.Amount)
        case powerCut(disk_luck)
    }

    enum Break {
        /// The process is killed at each operation in turn.
        case killed
        /// The same before each sync.
        case killedAtSyncs
        /// The same where something of the journal is not durable as it is seen; the next life is killed before each
        /// of its syncs in turn.
        case killedTwice(where: Volatile, next: Life.Amount)
        /// Each operation in turn fails, with EIO.
        case failing
        /// It does all its work, and ends as a kill does.
        case none
    }

    enum Volatile {
        case fileSize, header
    }

    let name: String
    /// Places in the program, as `Controls` prints them, whose syncs this notices when they are left out.
    let notices: [String]
    let before: [Step]
    let broken: Life.Amount
    let how: Break
    let after: [Step]
    /// An operator accepts a loss in it.
    var acceptsLoss = false

    /// Each for a rule that random cuts meet rarely: whoever opens a store takes for durable what it finds, and that
    /// may be what a killed process had not synced.
    static let all = [
        Walk(
            name: "first start",
            notices: ["StoreEngine.StateDirectory.syncParent for StoreEngine.StateDirectory.init(following:)"],
            before: [], broken: .none, how: .killedAtSyncs,
            after: [.killed(.records(rounds: 1)), .powerCut(DISK_NOTHING)]),
        // What was found in the journal is seen.
        Walk(
            name: "records",
            notices: ["StoreEngine.JournalOpening.recover for StoreEngine.JournalOpening.open"],
            before: [.life(.records(rounds: 1))], broken: .records(rounds: 1), how: .killed,
            after: [.killed(.none), .powerCut(DISK_NOTHING)]),
        Walk(
            name: "segments", notices: [],
            before: [.life(.records(rounds: 2))], broken: .records(rounds: 2), how: .killedAtSyncs,
            after: [.killed(.records(rounds: 2)), .powerCut(DISK_NOTHING)]),
        // For the last of many segments those before it are let go.
        Walk(
            name: "many segments",
            notices: ["StoreEngine.JournalOpening.recover for StoreEngine.JournalOpening.open"],
            before: [.life(.records(rounds: 1)), .killed(.records(rounds: 3))], broken: .records(rounds: 1),
            how: .killedTwice(where: .header, next: .none), after: [.powerCut(DISK_NOTHING)]),
        // A header may be durable before the zeros of its file.
        Walk(
            name: "a file of the journal",
            notices: ["StoreEngine.SegmentFile.makeFoundDurable for StoreEngine.Journal.begin"],
            before: [.life(.records(rounds: 1))], broken: .records(rounds: 1),
            how: .killedTwice(where: .fileSize, next: .records(rounds: 1)), after: [.powerCut(DISK_NEWEST)]),
        // What a rotation that was given up has left is of another key than what the next one leaves.
        Walk(
            name: "two rotations",
            notices: ["StoreEngine.Journal.prepare for StoreEngine.MasterKeySwitch.prepare"],
            before: [.life(.records(rounds: 1))], broken: .rotation, how: .killedAtSyncs,
            after: [.killed(.rotation), .powerCut(DISK_NOTHING)]),
        // Wherever a restore was cut off, the next opening carries it out, and what is answered then is of that store.
        Walk(
            name: "a restore", notices: [],
            before: [.life(.records(rounds: 1)), .life(.backup), .life(.records(rounds: 1))], broken: .restore,
            how: .killedAtSyncs, after: [.killed(.records(rounds: 1)), .powerCut(DISK_NOTHING)]),
        Walk(
            name: "folders of the vault",
            notices: ["StoreEngine.VaultFolder.sync for StoreEngine.VaultFolder.syncNames"],
            before: [.life(.none)], broken: .tampering(.foldersOfVault), how: .none,
            after: [.killed(.some), .powerCut(DISK_NOTHING)]),
        // A closing mark whose sync failed may be durable, or not.
        Walk(
            name: "a disk that fails, of which nothing is left", notices: [],
            before: [.life(.records(rounds: 1))], broken: .records(rounds: 2), how: .failing,
            after: [.powerCut(DISK_NOTHING)]),
        Walk(
            name: "a disk that fails, of which everything is left", notices: [],
            before: [.life(.records(rounds: 1))], broken: .records(rounds: 2), how: .failing,
            after: [.powerCut(DISK_EVERYTHING)]),
        // Where the accepting of a loss was cut off, the store is refused again or open.
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
