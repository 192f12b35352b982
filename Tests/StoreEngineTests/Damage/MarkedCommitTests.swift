import Glibc
import SQLCipher
import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

/// The mark names the round of the log that the last answered write is in, whatever came between two writes.
@Suite struct MarkedCommitTests {
    private static let frameBytes = 24 + StoreSpecimen.pageBytes

    private let store: TemporaryStore
    private let log: LogName

    init() throws {
        store = try TemporaryStore()
        log = try LogName("log")
        try store.engine.write(.openLog(log, LogConfiguration(maximumBytes: 100_000, overwritesOldest: false)))
        try append(key: "appended-before")
    }

    private func append(key: String? = nil) throws {
        try store.engine.write(
            .appendLog(LogAppend(log: log, expected: nil, messages: [[1, 2, 3]])),
            key: key.map { key in try IdempotencyKey(key) })
    }

    /// Requests that are answered by a commit in which nothing is written.
    enum Idle: CaseIterable {
        case refused, unchanged, late, replayed, nothingToRemove, anotherHistory

        fileprivate func run(_ tests: MarkedCommitTests) throws {
            let engine = tests.store.engine
            switch self {
            case .refused:
                #expect(throws: StoreError.self) {
                    try engine.write(Mutation.updateMessageStatus([EntityID("nobody")], .failed))
                }
            case .unchanged:
                try engine.write(.compactChanges(throughRevision: 0))
            case .late:
                var request = WriteRequest(.deleteLog(tests.log))
                request.deadline = 1
                #expect(throws: StoreError.self) { try engine.write(request) }
            case .replayed: try tests.append(key: "appended-before")
            case .nothingToRemove:
                try engine.writer.perform { context throws(StoreError) in try RowRemoval.step(context) }
            case .anotherHistory:
                #expect(throws: StoreError.self) {
                    try engine.write(WriteRequest(.deleteLog(tests.log), history: .random()))
                }
            }
        }
    }

    private enum Emptying: CaseIterable {
        case restarted, truncated
    }

    /// As a kill leaves it, with a bit changed in the last frame that was written.
    private func lossOfLastFrame() throws -> (loss: StoreLoss, isHistoryNew: Bool) {
        let frames = try store.engine.writer.perform { context in context.connection?.walFrames ?? 0 }
        var image = try StoreSpecimen.image(of: store)
        var bytes = try #require(image["store.db-wal"])
        bytes[32 + (frames - 1) * Self.frameBytes + 100] ^= 1
        image["store.db-wal"] = bytes
        let other = try TemporaryStore(placing: image)
        #expect(other.engine.state == .open)
        return (
            other.engine.status.loss, try other.engine.statistics().history != store.engine.statistics().history
        )
    }

    private func empty(_ emptying: Emptying) throws {
        let isDone = try store.engine.writer.perform { context throws(StoreError) in
            switch emptying {
            case .restarted: try context.checkpointPassively()
            case .truncated: try context.emptyLog()
            }
        }
        #expect(isDone)
    }

    @Test(arguments: Idle.allCases)
    func `a lost write is told, also behind a request that wrote nothing into the log begun before it`(_ idle: Idle)
        throws
    {
        for emptying in Emptying.allCases {
            try append()
            try empty(emptying)
            try idle.run(self)
            try append()
            try idle.run(self)
            let (loss, isHistoryNew) = try lossOfLastFrame()
            #expect(loss.missingFrames > 0 && isHistoryNew, "\(emptying): \(loss)")
        }
    }

    @Test func `nothing is told behind a request that wrote nothing after the log was emptied`() throws {
        for idle in Idle.allCases {
            for emptying in Emptying.allCases {
                try append()
                try empty(emptying)
                try idle.run(self)
                let loss = try TemporaryStore.loss(in: StoreSpecimen.image(of: store))
                #expect(loss.isNothing, "\(idle) \(emptying) \(loss)")
            }
        }
    }

    /// Rounds of everything that begins a log anew or leaves it, in any order.
    @Test(arguments: [1, 2, 3]) func `whatever came before, damage to the last write is told`(_ seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        for _ in 0..<8 {
            for _ in 0..<5 {
                switch random.next() % 4 {
                case 0: try append()
                case 1: try empty(.restarted)
                case 2: try empty(.truncated)
                default: try Idle.allCases.randomElement(using: &random)?.run(self)
                }
            }
            try append()
            let (loss, isHistoryNew) = try lossOfLastFrame()
            #expect(loss.isCertain && isHistoryNew, "\(loss)")
        }
    }
}

/// What an opening found to be lost is settled by it: told once, with one new history.
@Suite struct SettledLossTests {
    enum Loss: CaseIterable {
        case removedLog, emptiedLog, damagedLogHeader, damagedFirstFrame, damagedFrame, cutLog, olderDatabase
        case missingMark, foreignMark

        fileprivate func happen(to image: inout [String: [UInt8]], _ older: [UInt8]) throws {
            var log = try #require(image["store.db-wal"])
            switch self {
            case .removedLog: image["store.db-wal"] = nil
            case .emptiedLog: image["store.db-wal"] = []
            case .damagedLogHeader:
                log[20] ^= 1
                image["store.db-wal"] = log
            case .damagedFirstFrame:
                log[100] ^= 1
                image["store.db-wal"] = log
            case .damagedFrame:
                log[log.count / 2] ^= 1
                image["store.db-wal"] = log
            case .cutLog: image["store.db-wal"] = log.dropLast(5)
            case .olderDatabase:
                image["store.db"] = older
                image["store.db-wal"] = nil
            case .missingMark: image["mark"] = nil
            case .foreignMark: image["mark"]?[30] ^= 1
            }
        }
    }

    /// How the daemon went on without a write.
    private enum Ending: CaseIterable {
        case stop, lock, kill
    }

    @Test(arguments: Loss.allCases)
    func `a loss is told by one opening, and the next ones go on with the history it began`(_ loss: Loss) throws {
        let store = try TemporaryStore()
        try store.engine.saveNumbered(0..<3)
        try store.reopen()
        let older = try TestFile.read(store.statePath + "/store.db")
        let made = try store.engine.statistics().history
        try store.engine.saveNumbered(3..<12)
        var image = try StoreSpecimen.image(of: store)
        try loss.happen(to: &image, older)
        for ending in Ending.allCases {
            var opened = try TemporaryStore(placing: image)
            #expect(!opened.engine.status.loss.isNothing)
            let begun = try opened.engine.statistics().history
            #expect(begun != made)
            switch ending {
            case .stop: try opened.reopen()
            case .lock:
                try opened.engine.lock()
                _ = try opened.engine.unlock(secret: try TemporaryStore.keyFile())
            case .kill: opened = try TemporaryStore(placing: StoreSpecimen.image(of: opened))
            }
            #expect(opened.engine.status.loss.isNothing, "\(ending): \(opened.engine.status.loss)")
            #expect(try opened.engine.statistics().history == begun, "\(ending)")
            #expect(try opened.engine.makeReader().changes(after: 0, limit: 1).history == begun)
            #expect(try expectClean(opened.engine) == [])
        }
    }

    @Test func `an opening that fails behind the database leaves no connection and no key behind`() throws {
        let store = try TemporaryStore()
        try store.engine.saveNumbered(0..<3)
        // Whatever it is that keeps another history from being written.
        try store.engine.writer.perform { context throws(StoreError) in
            let connection = try context.openConnection()
            try mapped(
                connection.execute(
                    "CREATE TRIGGER refuse BEFORE UPDATE ON store BEGIN SELECT RAISE(ABORT, 'no'); END"))
        }
        var image = try StoreSpecimen.image(of: store)
        image["mark"] = nil
        let opened = try TemporaryStore(placing: image)
        #expect(!opened.engine.state.isOpen)
        for _ in 0..<2 {
            #expect(try opened.engine.writer.perform { $0.connection == nil && $0.mark == nil && $0.reserve == nil })
            #expect(throws: StoreError.self) { try opened.engine.unlock(secret: try TemporaryStore.keyFile()) }
        }
        let after = try StoreSpecimen.image(of: opened)
        #expect(after["store.db"] == image["store.db"] && after["store.db-wal"] == image["store.db-wal"])
    }

    @Test func `a rotation compares nothing: a mark that is gone meanwhile is made anew under the same history`() throws
    {
        let store = try TemporaryStore()
        try store.engine.saveNumbered(0..<3)
        let made = try store.engine.statistics().history
        for isForeign in [false, true] {
            unlink(store.statePath + "/mark")
            if isForeign {
                try TestFile.write([1, 2, 3], to: store.statePath + "/mark")
            }
            _ = try store.engine.rotateMasterKey { _ in }
            #expect(try store.engine.statistics().history == made)
            #expect(try store.engine.makeReader().expecting(made).message(EntityID("m1")) != nil)
            #expect(store.engine.status.loss.isNothing)
            try store.reopen()
            #expect(store.engine.status.loss.isNothing)
            #expect(try store.engine.statistics().history == made)
        }
    }
}

/// A mark that could not be written.
@Suite struct UnwrittenMarkTests {
    private let store: TemporaryStore

    init() throws {
        store = try TemporaryStore()
        try store.engine.saveNumbered(0..<3)
    }

    private var path: String { store.statePath + "/mark" }

    /// Puts another description of the mark under the number that the engine has it open at.
    private func reopenMark(_ flags: Int32) throws {
        let directory = try #require(opendir("/proc/self/fd"))
        defer { closedir(directory) }
        var count = 0
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            var target = [CChar](repeating: 0, count: 4_096)
            guard let number = Int32(name), readlink("/proc/self/fd/" + name, &target, 4_095) > 0,
                String(decoding: target.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) == path
            else { continue }
            let other = open(path, flags | O_CLOEXEC)
            #expect(dup2(other, number) == number)
            close(other)
            count += 1
        }
        #expect(count == 1)
    }

    private func checkpoint() throws {
        #expect(try store.engine.writer.perform { context throws(StoreError) in try context.checkpointPassively() })
    }

    @Test func `a log that the mark on disk asks for stays where the mark cannot be written`() throws {
        try reopenMark(O_RDONLY)
        #expect(try !store.engine.writer.perform { context throws(StoreError) in try context.emptyLog() })
        let image = try StoreSpecimen.image(of: store)
        #expect(try TemporaryStore.loss(in: image).isNothing)
        try store.reopen()
        #expect(store.engine.status.loss.isNothing)
        #expect(try store.engine.hasNumbered(2))
    }

    @Test func `a mark that could not be written is written before the log goes`() throws {
        try reopenMark(O_RDONLY)
        try checkpoint()
        try reopenMark(O_RDWR)
        #expect(try store.engine.writer.perform { context throws(StoreError) in try context.emptyLog() })
        let image = try StoreSpecimen.image(of: store)
        #expect(try TemporaryStore.loss(in: image).isNothing)
    }

    @Test func `a mark that could not be written is written by the next commit`() throws {
        try reopenMark(O_RDONLY)
        try store.engine.saveNumbered(3..<5)
        try reopenMark(O_RDWR)
        try store.engine.saveNumbered(5..<6)
        var image = try StoreSpecimen.image(of: store)
        image["store.db-wal"] = nil
        #expect(try TemporaryStore.loss(in: image).missingRevisions > 0)
    }
}

/// A loss that is found on a full disk.
@Suite(.enabled(if: SmallDisk.isMountable, "mounting a tmpfs is not permitted here"))
struct LossOnFullDiskTests {
    private let disk: SmallDisk
    private let made: HistoryID

    /// A store as a kill leaves it, without its mark, on a disk that has no room for anything.
    init() throws {
        let store = try TemporaryStore()
        try store.engine.saveNumbered(0..<5)
        made = try store.engine.statistics().history
        var image = try StoreSpecimen.image(of: store)
        var count = 5
        // Without room for a frame in the last page of memory that the log's file takes.
        while (image["store.db-wal"]?.count ?? 0) % 4_096 < 2_048, count < 100 {
            try store.engine.saveNumbered(count..<(count + 1))
            count += 1
            image = try StoreSpecimen.image(of: store)
        }
        image["mark"] = nil
        disk = try SmallDisk(bytes: 16 << 20)
        mkdir(disk.path + "/state", 0o700)
        for (name, bytes) in image {
            try TestFile.write(bytes, to: disk.path + "/state/" + name)
        }
        // The index of the log has to be made for anything to be read.
        try disk.fill(leaving: 32 << 10)
    }

    private func opened() throws -> StoreEngine {
        let engine = try TemporaryStore.engine(disk.path)
        engine.openWithConfiguredKey(try TemporaryStore.keyFile())
        return engine
    }

    @Test func `the store opens and reads under another history, which is written once there is room`() throws {
        var engine = try opened()
        #expect(engine.state.isOpen)
        let begun = try engine.statistics().history
        #expect(begun != made)
        let reader = engine.makeReader()
        #expect(try reader.expecting(begun).message(EntityID("m1")) != nil)
        #expect(reason { _ = try reader.expecting(made).message(EntityID("m1")) } == .historyChanged)
        #expect(try reader.changes(after: 0, limit: 1).history == begun)
        #expect(eventually { engine.state == .readOnly })
        disk.release()
        #expect(eventually(within: .seconds(10)) { engine.state == .open })
        #expect(try eventually { try engine.writer.perform { !$0.isHistoryUnwritten } })
        engine.shutDown()
        engine = try opened()
        #expect(engine.status.loss.isNothing)
        #expect(try engine.statistics().history == begun)
        #expect(try expectClean(engine) == [])
        engine.shutDown()
    }

    @Test func `a history that was not written is begun anew by the next opening, and the loss is told again`() throws {
        var engine = try opened()
        let first = try engine.statistics().history
        engine.shutDown()
        engine = try opened()
        #expect(!engine.status.loss.isNothing)
        #expect(try engine.statistics().history != made && engine.statistics().history != first)
        engine.shutDown()
    }

    @Test func `a delete takes the new history along`() throws {
        var engine = try opened()
        disk.release()
        let begun = try engine.statistics().history
        try engine.write(.deleteMessages([EntityID("m1")]))
        engine.shutDown()
        engine = try opened()
        #expect(try engine.statistics().history == begun)
        engine.shutDown()
    }
}
