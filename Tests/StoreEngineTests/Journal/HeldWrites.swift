import StoreBasics
import Synchronization

@testable import StoreEngine

/// Writes that wait together for a writer that is held: their groups follow one another without a pause, so that the
/// pages of all wait in one open transaction.
struct HeldWrites {
    enum Sharing {
        /// In a group with those beside it.
        case shared
        /// Its own group, and so its own record.
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
            // More than a group may cost.
            request.byteCount = EngineLimits.groupCostMax * 1_024 + 1
        }
        engine.submit(request) { outcome.set($0) }
    }

    mutating func addNumbered(_ numbers: Range<Int>, _ sharing: Sharing) throws {
        for number in numbers {
            add(.saveMessage(try StoreEngine.numbered(number)), sharing)
        }
    }

    /// Lets the writer go, and waits for all answers.
    func finish() -> [Outcome] {
        gate.set(true)
        return outcomes.map { $0.wait() }
    }
}

extension StoreSpecimen {
    /// As a kill leaves the files behind each record that `body` writes, before its answer.
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
