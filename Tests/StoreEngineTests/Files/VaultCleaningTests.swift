import Glibc
import SQLCipher
import StoreBasics
import Synchronization
import TestBasics
import Testing

@testable import StoreEngine

/// Checks that removed content leaves the disk, even if the process is killed in between.
@Suite struct VaultCleaningTests {
    private static let chunk = FileStore.chunkBytes
    private let files = FileStore()

    private func bytes(_ count: Int) -> [UInt8] {
        var random = SplitMix(seed: 4)
        return random.bytes(count)
    }

    @Test func `content without a file is erased, whatever removed or replaced the file`() throws {
        let content = bytes(2 * Self.chunk)
        let ends: [() throws -> Void] = [
            { try files.delete("a/file") }, { try files.save("a/file") }, { try files.write(content, to: "a/file") },
            { try files.remove("a", withChildren: true) }, { try files.engine.write(.clearAllData) },
            {
                try files.save("b")
                try files.move("b", "a/file")
            },
        ]
        for (number, end) in ends.enumerated() {
            try files.remove("", withChildren: true)
            try files.create("a")
            try files.write(content, to: "a/file")
            try files.engine.waitForCleaning()
            let before = try files.vaultFiles()
            try #require(before.count == 1, "\(number)")
            try end()
            try files.engine.waitForCleaning()
            #expect(try !files.vaultFiles().contains(before[0]), "\(number)")
            #expect(try files.rowCount("content_chunks") == files.vaultFiles().count, "\(number)")
            #expect(try expectClean(files.engine) == [], "\(number)")
        }
    }

    /// Copies the folder after each step, as a kill would leave it, and opens the copy with another engine.
    @Test func `a store that was killed during a write has its files unchanged and no others`() throws {
        let content = bytes(3 * Self.chunk)
        let store = try files.store.get()
        try files.write(content, to: "kept")
        try files.write(content, to: "written")
        try files.engine.waitForCleaning()
        let before = Dictionary(
            uniqueKeysWithValues: try files.vaultFiles().map { ($0.suffix(32), try TestFile.read($0)) })
        let whole = try files.begin("new")
        let part = try files.begin("written", .offset(5))
        var steps: [() throws -> Void] = [{}]
        for piece in 0..<3 {
            let data = [UInt8](repeating: 9, count: Self.chunk)
            steps.append { try whole.write(data, at: piece * Self.chunk) }
            steps.append { try part.write(data, at: piece * Self.chunk) }
        }
        steps.append { try files.delete("kept") }
        for (number, step) in steps.enumerated() {
            try step()
            let copy = try TemporaryDirectory()
            try #require(system("cp -r \(store.path)/state \(copy.path)/state && rm \(copy.path)/state/lock") == 0)
            let engine = try TemporaryStore.engine(copy.path)
            defer { engine.shutDown() }
            engine.openWithConfiguredKey(try TemporaryStore.keyFile())
            try engine.waitForCleaning()
            let reader = engine.makeReader()
            #expect(try reader.fileItem(at: FileStore.path("new")) == nil)
            let isKept = try reader.fileItem(at: FileStore.path("kept")) != nil
            #expect(isKept == (number < steps.count - 1))
            // On a busy machine a read may return less than the whole file.
            var written: [UInt8] = []
            while written.count < content.count {
                let part = try reader.readFile(at: FileStore.path("written"), from: UInt64(written.count)).bytes
                try #require(!part.isEmpty, "\(number)")
                written += part
            }
            #expect(written == content, "\(number)")
            let left = try TestFile.all(below: copy.path + "/state/vault")
            #expect(left.count == (isKept ? 2 : 1), "\(number)")
            for path in left {
                #expect(try TestFile.read(path) == before[path.suffix(32)], "\(number)")
            }
            #expect(try expectClean(engine) == [], "\(number)")
        }
        try whole.finish()
        try part.finish()
        #expect(try files.bytes("new").count == 3 * Self.chunk)
    }

    @Test func `a cancelled write leaves nothing in the vault file that it wrote to`() throws {
        try files.write(bytes(4 * Self.chunk + 9), to: "file")
        // After this write there is a gap between two chunks in the vault file.
        try files.write(bytes(Self.chunk), to: "file", .offset(UInt64(Self.chunk)))
        try files.engine.waitForCleaning()
        let path = try #require(try files.vaultFiles().first)
        let before = try TestFile.read(path)
        for (place, count, announced) in [
            (.end, 1, nil), (.end, Self.chunk, nil), (.end, 200 * Self.chunk, nil), (.offset(0), Self.chunk, nil),
            (.offset(UInt64(Self.chunk)), Self.chunk, Self.chunk), (.offset(9), 40 * Self.chunk, 40 * Self.chunk),
        ] as [(FileWriteRequest.Place, Int, Int?)] {
            let write = try files.begin("file", place, byteCount: announced)
            var sent = 0
            while sent < count {
                sent = Int(try write.write(bytes(min(10 * Self.chunk, count - sent)), at: sent))
            }
            #expect(try TestFile.read(path) != before || count <= Self.chunk)
            try write.end()
            try files.engine.waitForCleaning()
            #expect(try TestFile.read(path) == before, "\(place) \(count)")
        }
        #expect(try expectClean(files.engine) == [])
    }

    @Test func `files without a reference are kept until missing commits are resolved, at every start`() throws {
        try files.write(bytes(2 * Self.chunk), to: "old")
        let store = try files.store.get()
        try store.engine.waitForCleaning()
        store.engine.shutDown()
        let database = store.path + "/state/" + StateDirectory.databaseName
        let older = try TestFile.read(database)
        try store.reopen()
        try files.write(bytes(3 * Self.chunk), to: "new")
        // The delete makes the store empty its journal. So the journal has no records that could be replayed into an
        // older database.
        try files.delete("new")
        try files.write(bytes(3 * Self.chunk), to: "new")
        try store.engine.waitForCleaning()
        #expect(try contentCount() == 2)
        store.engine.shutDown()
        // An older database file is put back.
        try TestFile.write(older, to: database)
        for round in 0..<3 {
            try round == 0 ? store.reopenAcceptingLoss() : store.reopen()
            try files.save("small", "\(try files.revision)")
            try store.engine.waitForCleaning()
            #expect(try contentCount() == 2)
            #expect(try files.item("new") == nil)
        }
        _ = try store.engine.commit(.clearAllData)
        try store.engine.waitForCleaning()
        #expect(try contentCount() == 0)
        try store.reopen()
        #expect(!VaultFolder.hasUnresolvedLoss(in: store.engine.directory))
    }

    private func contentCount() throws -> Int {
        try TestFile.all(below: files.store.get().path + "/state/vault").filter { !$0.hasSuffix("unsettled") }.count
    }

    @Test func `a file that is written again and again does not grow`() throws {
        try files.write(bytes(8 * Self.chunk), to: "file")
        let path = try #require(try files.vaultFiles().first)
        let size = try TestFile.read(path).count
        for _ in 0..<4 {
            try files.write(bytes(8 * Self.chunk), to: "file", .offset(0), byteCount: 8 * Self.chunk)
            try files.engine.waitForCleaning()
        }
        #expect(try files.vaultFiles() == [path])
        #expect(try TestFile.read(path).count == size)
    }

    @Test func `a content whose key has sealed the greatest number of chunks gets another vault file`() throws {
        try files.write(bytes(3 * Self.chunk), to: "file")
        let path = try files.vaultFiles()
        try files.write([1], to: "file", .offset(0))
        try files.engine.waitForCleaning()
        #expect(try files.vaultFiles() == path)
        try files.engine.writer.perform { context throws(StoreError) in
            let connection = try context.openConnection()
            try mapped(connection.execute("UPDATE file_contents SET chunks_sealed = 3 << 30"))
        }
        try files.write([2], to: "file", .offset(0))
        try files.engine.waitForCleaning()
        #expect(try files.vaultFiles() == path)
        try files.write([3], to: "file", .offset(0))
        try files.engine.waitForCleaning()
        #expect(try files.vaultFiles().count == 1 && files.vaultFiles() != path)
        #expect(try files.bytes("file") == [3] + bytes(3 * Self.chunk).dropFirst())
        #expect(try expectClean(files.engine) == [])
    }

    /// Checks an erasure that fails, and an erasure that the locking of the store interrupts. Locking is no failure:
    /// the next opening continues the work.
    @Test(arguments: [(ErrorReason.queueFull, [ErrorReason.queueFull]), (.storeLocked, [])])
    func `a failed erasure is reported once and repeated later`(
        refusal: ErrorReason, reported: [ErrorReason]
    ) throws {
        let engine = try files.engine
        try files.write(bytes(4 * Self.chunk), to: "file")
        try engine.files.holdCleaning()
        let failures = Mutex<[ErrorReason]>([])
        let refusals = Mutex(3)
        var source = StoreEngine.fileSource(
            engine.directory, engine.readers, engine.status, engine.writer, engine.logger)
        let commit = source.commit
        source.commit = { request in
            guard case .forgetFreedSlots = request.work,
                refusals.withLock({
                    $0 -= 1; return $0 >= 0
                })
            else { return commit(request) }
            return .failure(StoreError(refusal, "for the test"))
        }
        source.cleaningFailed = { error in failures.withLock { $0.append(error.reason) } }
        let writes = FileWrites(source: source, cleaningRetryInterval: .milliseconds(1))
        try files.write(bytes(Self.chunk), to: "file", .offset(0))
        writes.beginCleaning()
        while writes.workInBackground() || writes.millisecondsToIdleEnd != nil {}
        #expect(refusals.withLock { $0 } < 0)
        #expect(try files.rowCount("content_freed_slots") == 0)
        #expect(failures.withLock { $0 } == reported)
        writes.endAll()
    }

    @Test func `a lock cancels writes, and their ids are unknown after the unlock`() throws {
        let content = bytes(3 * Self.chunk)
        let store = try files.store.get()
        try files.write(content, to: "file")
        let write = try files.begin("new")
        try write.write(content, at: 0)
        try store.engine.lock()
        #expect(reason { try write.write([1], at: content.count) } == .storeLocked)
        #expect(reason { _ = try files.begin("other") } == .storeLocked)
        #expect(reason { _ = try files.bytes("file") } == .storeLocked)
        _ = try store.engine.unlock(secret: TemporaryStore.keyFile())
        #expect(reason { try write.write([1], at: content.count) } == .fileWriteNotFound)
        #expect(try files.bytes("file") == content)
        #expect(try files.vaultFiles().count == 1)
    }

    @Test func `contents stay readable under another master key`() throws {
        let content = bytes(2 * Self.chunk)
        try files.write(content, to: "file")
        let write = try files.begin("file", .end)
        try write.write([7], at: 0)
        _ = try files.engine.rotateMasterKey { _ in }
        try write.finish()
        #expect(try files.bytes("file") == content + [7])
        try files.store.get().reopen()
        #expect(try files.bytes("file") == content + [7])
        #expect(try expectClean(files.engine) == [])
    }

    @Test func `a write that nothing continues ends after its idle time`() throws {
        let engine = try files.engine
        let source = StoreEngine.fileSource(
            engine.directory, engine.readers, engine.status, engine.writer, engine.logger)
        let writes = FileWrites(source: source, idle: .zero)
        let request = FileWriteRequest(path: try FileStore.path("file"), place: .whole)
        let id = try writes.begin(.file(request), userID: 7, history: nil)
        _ = try writes.write(bytes(Self.chunk + 1), at: 0, id, userID: 7)
        writes.endIdle(sparing: [id])
        #expect(writes.millisecondsToIdleEnd != nil)
        #expect(try files.vaultFiles().count == 1)
        writes.endIdle(sparing: [])
        #expect(writes.millisecondsToIdleEnd == nil)
        #expect(try files.vaultFiles() == [])
        writes.endAll()
    }
}

/// Tests a disk that becomes full during a write.
@Suite(.enabled(if: SmallDisk.isMountable, "mounting a tmpfs is not permitted here"))
struct FullVaultTests {
    @Test func `a write that does not fit on the disk is refused, and its space can be used again`() throws {
        let disk = try SmallDisk(bytes: 24 << 20)
        let engine = try TemporaryStore.engine(disk.path)
        _ = try engine.initialize(
            secret: TemporaryStore.keyFile(), label: "test", withRecoveryCode: false, lowCost: true)
        defer { engine.shutDown() }
        let piece = [UInt8](repeating: 1, count: EngineLimits.filePieceBytesMax)
        for _ in 0..<3 {
            let request = FileWriteRequest(path: try FileStore.path("file"), place: .whole)
            guard case .begun(let id) = try engine.fileWrite(.begin(request)) else { return }
            let write = OpenWrite(engine: engine, id: id)
            let refused = reason {
                for number in 0..<32 {
                    try write.write(piece, at: number * piece.count)
                }
            }
            #expect(refused == .diskFull)
            #expect(reason { try write.finish() } == .fileWriteNotFound)
            #expect(engine.state == .open)
            try engine.write(
                .saveFile(FileStore.path("small"), piece.dropLast(piece.count - 100), createsParents: true))
        }
        #expect(try engine.makeReader().fileItem(at: FileStore.path("file")) == nil)
        #expect(try expectClean(engine) == [])
    }
}
