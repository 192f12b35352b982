import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

/// Checks that the usage of areas is counted with every change, and limited.
@Suite struct FileUsageTests {
    private let files = FileStore()
    private static let chunk = FileStore.chunkBytes

    private func usage(_ area: FileArea = .document) throws -> FileUsage {
        try #require(try files.engine.makeReader().fileUsage().first { $0.area == area }).usage
    }

    private func bound(_ area: FileArea = .cache, to bytes: UInt64) throws {
        let store = try files.store.get()
        store.fileQuotas = area == .cache ? FileQuotas(cacheBytesMax: bytes) : FileQuotas(temporaryBytesMax: bytes)
        try store.reopen()
    }

    private func save(_ path: String, _ count: Int, _ area: FileArea = .cache) throws {
        let bytes = [UInt8](repeating: 7, count: count)
        _ = try files.engine.commit(.saveFile(FileStore.path(path, area), bytes, createsParents: true))
    }

    @Test func `the usage of an area follows every change of a tree at once`() throws {
        #expect(try usage() == .nothing)
        try files.save("a/b/one", "12345", createsParents: true)
        #expect(try usage() == FileUsage(fileCount: 1, directoryCount: 2, byteCount: 5))
        try files.append("a/b/one", "678")
        try files.save("two", "1")
        #expect(try usage() == FileUsage(fileCount: 2, directoryCount: 2, byteCount: 9))
        try files.copy("a", "c")
        #expect(try usage() == FileUsage(fileCount: 3, directoryCount: 4, byteCount: 17))
        // The copy replaces a file, which is not counted any more.
        try files.copy("two", "c/b/one")
        #expect(try usage() == FileUsage(fileCount: 3, directoryCount: 4, byteCount: 10))
        try files.move("a/b", "c/d")
        try files.move("two", "c/b/one")
        #expect(try usage() == FileUsage(fileCount: 2, directoryCount: 4, byteCount: 9))
        _ = try files.engine.commit(.moveFile(FileStore.path("c/d"), to: FileStore.path("d", .library)))
        #expect(try usage(.library) == FileUsage(fileCount: 1, directoryCount: 1, byteCount: 8))
        #expect(try usage() == FileUsage(fileCount: 1, directoryCount: 3, byteCount: 1))
        #expect(try expectClean(files.engine) == [])
        try files.delete("c/b/one")
        try files.remove("c", withChildren: true)
        #expect(try usage() == FileUsage(directoryCount: 1))
        try files.save("a/x/y", createsParents: true)
        try files.remove("", withChildren: true)
        #expect(try usage() == .nothing)
        #expect(try expectClean(files.engine) == [])
        try files.store.get().reopen()
        #expect(try usage(.library) == FileUsage(fileCount: 1, directoryCount: 1, byteCount: 8))
        _ = try files.engine.commit(.clearAllData)
        #expect(try usage(.library) == .nothing)
    }

    @Test func `the usage follows writes in parts, in place and at the end`() throws {
        var random = SplitMix(seed: 4)
        try files.write(random.bytes(3 * Self.chunk), to: "file")
        #expect(try usage().byteCount == Int64(3 * Self.chunk))
        let write = try files.begin("file", .end)
        try write.write(random.bytes(Self.chunk + 5), at: 0)
        try write.finish()
        let inner = try files.begin("file", .offset(10))
        try inner.write(random.bytes(20), at: 0)
        try inner.finish()
        #expect(try usage() == FileUsage(fileCount: 1, byteCount: Int64(4 * Self.chunk + 5)))
        try files.save("file", "short")
        #expect(try usage() == FileUsage(fileCount: 1, byteCount: 5))
        #expect(try expectClean(files.engine) == [])
    }

    @Test func `counts are right after random changes`() throws {
        var random = SplitMix(seed: 11)
        func path(_ random: inout SplitMix) -> String {
            (0...Int.random(in: 0...2, using: &random)).map { _ in ["a", "b", "c"].randomElement(using: &random) ?? "a"
            }
            .joined(separator: "/")
        }
        for _ in 0..<300 {
            let (origin, place) = (path(&random), path(&random))
            switch Int.random(in: 0..<7, using: &random) {
            case 0, 1:
                _ = try? files.save(
                    origin, String(repeating: "x", count: .random(in: 0...9, using: &random)), createsParents: true)
            case 2: _ = try? files.append(origin, "more")
            case 3: _ = try? files.copy(origin, place)
            case 4: _ = try? files.move(origin, place)
            case 5: _ = try? files.create(origin, createsParents: true)
            default:
                _ = try? files.delete(origin)
                _ = try? files.remove(origin, withChildren: Bool.random(using: &random))
            }
        }
        #expect(try usage().fileCount > 0)
        #expect(try files.engine.fileUsage == files.engine.makeReader().fileUsage())
        #expect(try expectClean(files.engine) == [])
    }

    @Test func `the usage in memory is that of the last commit, and only of an open store`() throws {
        try bound(to: 1_000)
        let expect = { (count: Int64, location: SourceLocation) in
            let told = try files.engine.fileUsage
            #expect(try told == files.engine.makeReader().fileUsage(), sourceLocation: location)
            #expect(told.first { $0.area == .cache }?.usage.fileCount == count, sourceLocation: location)
            #expect(told.map(\.byteCountMax) == [1_000, 0, 0, 0, 0], sourceLocation: location)
        }
        try expect(0, #_sourceLocation)
        try save("a", 100)
        try save("b", 100)
        try expect(2, #_sourceLocation)
        #expect(reason { try save("c", 900) } == .fileQuotaExceeded)
        try expect(2, #_sourceLocation)
        _ = try files.engine.rotateMasterKey { _ in }
        try expect(2, #_sourceLocation)
        let name = try files.engine.backUp().name
        try save("c", 1)
        try files.store.get().reopen()
        try expect(3, #_sourceLocation)
        _ = try files.engine.restore(name)
        try expect(2, #_sourceLocation)
        _ = try files.engine.commit(.clearAllData)
        try expect(0, #_sourceLocation)
        try files.engine.lock()
        #expect(try files.engine.fileUsage == [])
    }

    @Test func `a check finds wrong counts`() throws {
        try files.save("a/one", createsParents: true)
        try files.engine.tamper("UPDATE files SET byte_count = byte_count + 1 WHERE name = 'a'")
        #expect(try expectClean(files.engine).count == 1)
    }

    @Test func `a change that does not fit into an area is refused and changes nothing`() throws {
        try bound(to: 100)
        try save("a", 60)
        #expect(reason { try save("d/b", 41) } == .fileQuotaExceeded)
        try save("d/b", 40)
        #expect(reason { try save("a", 61) } == .fileQuotaExceeded)
        let append = { (count: Int) in
            try files.engine.commit(
                .appendFile(FileStore.path("a", .cache), [UInt8](repeating: 1, count: count), createsParents: false))
        }
        #expect(reason { _ = try append(1) } == .fileQuotaExceeded)
        #expect(
            reason {
                _ = try files.engine.commit(.copyFile(FileStore.path("d", .cache), to: FileStore.path("e", .cache)))
            } == .fileQuotaExceeded)
        try save("large", 1_000, .document)
        let large = try FileStore.path("large")
        #expect(
            reason { _ = try files.engine.commit(.moveFile(large, to: FileStore.path("l", .cache))) }
                == .fileQuotaExceeded)
        #expect(
            reason { _ = try files.engine.commit(.copyFile(large, to: FileStore.path("a", .cache))) }
                == .fileQuotaExceeded)
        #expect(try usage(.cache) == FileUsage(fileCount: 2, directoryCount: 1, byteCount: 100))
        // These writes are allowed: a move within the area, a save that makes a file smaller, an append into the room
        // that this save frees, and a save in another area.
        _ = try files.engine.commit(.moveFile(FileStore.path("d", .cache), to: FileStore.path("e", .cache)))
        try save("a", 10)
        _ = try append(50)
        try save("anything", 500, .temporary)
        #expect(try usage(.cache).byteCount == 100)
        _ = try files.engine.commit(.removeDirectory(FileStore.path("", .cache), withChildren: true))
        try save("a", 100)
        #expect(try expectClean(files.engine) == [])
    }

    @Test func `an area that exceeds its quota can only shrink`() throws {
        try save("a", 60, .temporary)
        try save("b", 60, .temporary)
        try bound(.temporary, to: 50)
        #expect(reason { try save("c", 1, .temporary) } == .fileQuotaExceeded)
        try save("a", 30, .temporary)
        #expect(reason { try save("a", 31, .temporary) } == .fileQuotaExceeded)
        #expect(try usage(.temporary).byteCount == 90)
    }

    @Test func `a write in parts that does not fit is refused when it begins, or with the part that is too much`()
        throws
    {
        let room = 3 * Self.chunk
        try bound(to: UInt64(room))
        let path = try FileStore.path("file", .cache)
        let begin = { (place: FileWriteRequest.Place, count: Int?) -> OpenWrite in
            let request = FileWriteRequest(path: path, place: place, byteCount: count.map(UInt64.init))
            guard case .begun(let id) = try files.engine.fileWrite(.begin(request)) else {
                throw StoreError(.internal, "a write begins with its id")
            }
            return OpenWrite(engine: try files.engine, id: id)
        }
        #expect(reason { _ = try begin(.whole, room + 1) } == .fileQuotaExceeded)
        let write = try begin(.whole, nil)
        try write.write([UInt8](repeating: 1, count: 2 * Self.chunk), at: 0)
        #expect(
            reason { try write.write([UInt8](repeating: 1, count: Self.chunk + 1), at: 2 * Self.chunk) }
                == .fileQuotaExceeded)
        try files.engine.waitForCleaning()
        #expect(try files.vaultFiles() == [])
        let other = try begin(.whole, room)
        try other.write([UInt8](repeating: 1, count: room), at: 0)
        // Another file has used the room while the write was running.
        try save("taken", 1)
        #expect(reason { try other.finish() } == .fileQuotaExceeded)
        _ = try files.engine.commit(.deleteFile(FileStore.path("taken", .cache)))
        let third = try begin(.whole, nil)
        try third.write([UInt8](repeating: 1, count: room), at: 0)
        try third.finish()
        #expect(reason { _ = try begin(.end, 1) } == .fileQuotaExceeded)
        let inside = try begin(.offset(5), 100)
        try inside.write([UInt8](repeating: 2, count: 100), at: 0)
        try inside.finish()
        #expect(try usage(.cache) == FileUsage(fileCount: 1, byteCount: Int64(room)))
    }

    @Test func `of saves at the same time only those that fit are kept`() throws {
        try bound(to: 1_000)
        let outcomes = OneShot<[Bool]>()
        let results = Collected()
        for number in 0..<8 {
            let mutation = Mutation.saveFile(
                try FileStore.path("f\(number)", .cache), [UInt8](repeating: 1, count: 300), createsParents: false)
            try files.engine.submit(WriteRequest(mutation)) { result in
                results.add((try? result.get()) != nil) { if $0.count == 8 { outcomes.set($0) } }
            }
        }
        #expect(outcomes.wait().filter(\.self).count == 3)
        #expect(try usage(.cache).byteCount == 900)
    }
}

/// The outcomes of several threads.
private final class Collected: Sendable {
    private let outcomes = ConditionLock<[Bool]>([])

    func add(_ outcome: Bool, _ body: ([Bool]) -> Void) {
        body(
            outcomes.withLock { outcomes in
                outcomes.append(outcome)
                return outcomes
            })
    }
}
