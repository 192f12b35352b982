import StoreBasics
import Synchronization

@testable import StoreEngine

/// Writes that wait together while the writer is held. Their batches then run without a pause, so the pages of all of
/// them are in one open transaction.
struct HeldWrites {
    enum Sharing {
        /// The write may share a batch with its neighbours.
        case shared
        /// The write is a batch of its own, and so a record of its own.
        case alone
    }

    typealias Outcome = Result<MutationResult, StoreError>

    private let engine: StoreEngine
    private let gate = OneShot<Bool>()
    private var outcomes: [OneShot<Outcome>] = []

    init(_ engine: StoreEngine) throws {
        self.engine = engine
        try engine.writer.hold(until: gate)
    }

    mutating func add(_ mutation: Mutation, _ sharing: Sharing) {
        let outcome = OneShot<Outcome>()
        outcomes.append(outcome)
        var request = WriteRequest(mutation)
        if sharing == .alone {
            // The cost is more than a batch may have, so the write gets a batch of its own.
            request.byteCount = EngineLimits.groupCostMax * 1_024 + 1
        }
        engine.submit(request) { outcome.set($0) }
    }

    mutating func addNumbered(_ numbers: Range<Int>, _ sharing: Sharing) throws {
        for number in numbers {
            add(.saveMessage(try StoreEngine.numbered(number)), sharing)
        }
    }

    /// Releases the writer and waits for all answers.
    func finish() -> [Outcome] {
        gate.set(true)
        return outcomes.map { $0.wait() }
    }
}

extension StoreSpecimen {
    /// Returns the files as a kill leaves them after each record that `body` writes, before its acknowledgement.
    static func images(of store: TemporaryStore, during body: () throws -> Void) throws -> [[String: [UInt8]]] {
        let taken = Mutex<[[String: [UInt8]]]>([])
        let folder = store.statePath
        let observation = store.engine.observeCommits { _ in
            let image = try? imageOfFolder(folder)
            taken.withLock { $0.append(image ?? [:]) }
        }
        defer { observation.cancel() }
        try body()
        return taken.withLock { $0 }
    }

    private static func imageOfFolder(_ folder: String) throws -> [String: [UInt8]] {
        let names = ["keyring", "keyring.previous", "mark", "store.db", "store.db-wal"]
        let segments = try StateDirectory(path: folder + "/journal").fileNames().map { "journal/" + $0 }
        return try (names + segments).filter { TestFile.exists(folder + "/" + $0) }
            .reduce(into: [:]) { $0[$1] = try TestFile.read(folder + "/" + $1) }
    }
}
