import ReplicaModel
import StoreBasics
import Testing

@testable import StoreEngine

/// A file that makes way for another device's stays beside it, whatever is there already.
@Suite struct ReplicaConflictCopyTests: ReplicaFleetSuite {
    let fleet: ReplicaFleet

    init() throws {
        fleet = try ReplicaFleet(deviceCount: 3, seed: 1, kinds: [])
    }

    private func path(_ text: String) throws -> FilePath { try FilePath(.document, text) }

    private func save(_ device: Int, _ path: FilePath, _ bytes: [UInt8]) throws {
        try engine(device).write(.saveFile(path, bytes, createsParents: true))
    }

    /// The bytes of all files of a directory.
    private func contents(_ device: Int, in directory: FilePath) throws -> [[UInt8]] {
        let reader = engine(device).makeReader()
        return try reader.files(in: directory, limit: 100, cursor: nil).items.compactMap { item in
            guard case .file = item.kind else { return nil }
            return try reader.readFile(at: directory.appending(item.name), from: 0).bytes
        }
    }

    private func stamp(_ device: Int, _ path: FilePath) throws -> ReplicaStamp {
        try engine(device).writer.perform { context throws(StoreError) in
            try context.commit { connection throws(StoreError) in
                try ReplicaThingRows.read(path.thingName, connection)?.mark(of: .value)?.stamp ?? .zero
            }
        }
    }

    @Test func `a copy finds a place where all its names are taken by others`() throws {
        let file = try path("f")
        try save(0, file, [0])
        try fleet.settle()
        try save(0, file, [1])
        try fleet.collect(0)
        for (number, place) in try file.besides(stamp(0, file)).enumerated() {
            try save(0, place, [100 + UInt8(number)])
        }
        try save(1, file, [2])
        try fleet.settle()
        let expected = [[1], [2]] + (0..<9).map { [100 + UInt8($0)] }
        for device in 0..<3 {
            #expect(try Set(contents(device, in: path(""))) == Set(expected), "\(device)")
        }
    }

    @Test func `a file whose path a directory keeps finds a place where all its names are taken`() throws {
        let file = try path("f")
        try save(1, file.appending(FileName("inside")), [0])
        try save(0, file, [1])
        try fleet.collect(0)
        for (number, place) in try file.besides(stamp(0, file)).enumerated() {
            try save(1, place, [100 + UInt8(number)])
        }
        try fleet.settle()
        let expected = [[1]] + (0..<9).map { [100 + UInt8($0)] }
        for device in 0..<3 {
            #expect(try contents(device, in: path("")).map { $0[0] }.sorted() == expected.map { $0[0] }, "\(device)")
            #expect(try contents(device, in: file) == [[0]])
        }
    }

    @Test func `a file that one device removes and another has changed without knowing stays beside its path`() throws {
        let file = try path("d/f")
        try save(0, file, [0])
        try fleet.settle()
        try save(0, file, [1])
        try fleet.collect(0)
        try engine(1).write(.deleteFile(file))
        try fleet.settle()
        let directory = try path("d")
        for device in 0..<3 {
            #expect(try engine(device).makeReader().fileItem(at: file) == nil)
            #expect(try contents(device, in: directory) == [[1]])
        }
        // Who knows of it leaves no copy.
        let copy = try #require(try engine(2).makeReader().files(in: directory, limit: 2, cursor: nil).items.first)
        try engine(2).write(.deleteFile(directory.appending(copy.name)))
        try fleet.settle()
        for device in 0..<3 {
            #expect(try contents(device, in: directory) == [])
        }
    }

    @Test(arguments: [1, 40, 200, 255]) func `a copy of what lies in a path as long as may be fits`(lastNameBytes: Int)
        throws
    {
        var directory = try path("")
        while case let room = EngineLimits.filePathBytesMax - lastNameBytes - 1 - directory.byteCount, room > 1 {
            // The last of them with the slash before it.
            let byteCount = room <= 256 ? room - 1 : 200
            directory = directory.appending(try FileName(String(repeating: "d", count: byteCount)))
        }
        let file = directory.appending(try FileName(String(repeating: "f", count: lastNameBytes)))
        #expect(file.byteCount >= EngineLimits.filePathBytesMax - 1)
        #expect(file.canBeNamed)
        let stamp = ReplicaStamp(time: HybridClock.time(at: .now), device: 3)
        for place in file.besides(stamp) + [file.beside(stamp, .max)] {
            #expect(place.canBeNamed)
        }
        try save(0, file, [0])
        try fleet.settle()
        try save(0, file, [1])
        try save(1, file, [2])
        try fleet.settle()
        let found = try file.ancestors.flatMap { try contents(2, in: $0) }
        #expect(Set(found) == [[1], [2]])
    }
}
