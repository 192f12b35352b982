import Glibc
import ReplicaModel
import StoreBasics
import Testing

@testable import StoreEngine

/// Checks that a file which another device's file replaces is kept as a conflict copy, even if the usual names of
/// copies are already taken.
@Suite struct ReplicaConflictCopyTests: ReplicaFleetSuite {
    let fleet: ReplicaFleet

    init() throws {
        fleet = try ReplicaFleet(deviceCount: 3, seed: 1, kinds: [])
    }

    private func path(_ text: String) throws -> FilePath { try FilePath(.document, text) }

    private func save(_ device: Int, _ path: FilePath, _ bytes: [UInt8]) throws {
        try engine(device).write(.saveFile(path, bytes, createsParents: true))
    }

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

    @Test func `a conflict copy finds a path even if all its names are taken by other files`() throws {
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

    @Test func `a file whose path a directory takes finds a path even if all its names are taken`() throws {
        let file = try path("f")
        try save(0, file, [1])
        try fleet.collect(0)
        // The directory must be the later change, so its stamp needs another millisecond.
        usleep(2_000)
        try save(1, file.appending(FileName("inside")), [0])
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

    @Test func `a file that one device removes and another has changed independently is kept as a conflict copy`()
        throws
    {
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
        // A device that knows the copy can delete it without leaving another copy.
        let copy = try #require(try engine(2).makeReader().files(in: directory, limit: 2, cursor: nil).items.first)
        try engine(2).write(.deleteFile(directory.appending(copy.name)))
        try fleet.settle()
        for device in 0..<3 {
            #expect(try contents(device, in: directory) == [])
        }
    }

    @Test func `a file is kept if its removal arrives before the change that the remover knew`() throws {
        let file = try path("f")
        try save(0, file, [0])
        try fleet.settle()
        try save(1, file, [1])
        try fleet.publish(1)
        try save(2, file, [2])
        try fleet.publish(2)
        while try fleet.deliver(from: 2, to: 0) {}
        try engine(0).write(.deleteFile(file))
        try fleet.publish(0)
        while try fleet.deliver(from: 0, to: 1) {}
        try fleet.settle()
        for device in 0..<3 {
            #expect(try contents(device, in: path("")).contains([1]), "\(device)")
            #expect(try engine(device).makeReader().fileItem(at: file) == nil)
        }
    }

    @Test func `a file that a store had before it joined is kept although the group has removed its path`()
        throws
    {
        let (file, other) = (try path("f"), try path("g"))
        for path in [file, other] {
            try save(0, path, [0])
        }
        try fleet.addStore()
        try save(3, file, [3])
        try fleet.settle([0, 1, 2])
        try engine(1).write(.deleteFile(file))
        try engine(1).write(.deleteFile(other))
        try fleet.settle([0, 1, 2])
        try fleet.join(3, by: 0)
        try fleet.settle()
        for device in 0..<4 {
            #expect(try contents(device, in: path("")) == [[3]], "\(device)")
        }
    }

    @Test func `a removed file from before the group does not come back from a device that got it from others`()
        throws
    {
        let file = try path("f")
        let fleet = try ReplicaFleet(deviceCount: 1, seed: 1, kinds: []) { store in
            try store.engine.write(.saveFile(file, [0], createsParents: true))
        }
        for index in 1...2 {
            try fleet.addStore()
            try fleet.join(index, by: 0)
        }
        try fleet.settle()
        let reader = fleet.reader(1)
        #expect(try reader.fileItem(at: file) != nil)
        try fleet.devices[2].engine.write(.saveFile(file, [2], createsParents: true))
        try fleet.settle([0, 2])
        try fleet.devices[2].engine.write(.deleteFile(file))
        try fleet.publish(2)
        fleet.forget(2)
        try fleet.devices[2].engine.write(.saveFile(path("last"), [7], createsParents: true))
        try fleet.publish(2)
        try fleet.settle()
        // The first call only made the devices request snapshots.
        try fleet.settle()
        for device in fleet.devices {
            let names = try device.engine.makeReader().files(in: path(""), limit: 9, cursor: nil).items.map(\.name.text)
            #expect(names == ["last"])
        }
    }

    @Test func `a file that a device changed while it was away is kept, and one that others knew is removed`() throws {
        let (file, known) = (try path("f"), try path("known"))
        try save(0, file, [0])
        try save(1, known, [9])
        try fleet.settle()
        try save(1, file, [1])
        try fleet.collect(1)
        try engine(0).write(.deleteFile(file))
        try engine(0).write(.deleteFile(known))
        try fleet.publish(0)
        fleet.forget(0)
        try save(0, try path("last"), [7])
        try fleet.publish(0)
        try fleet.settle()
        for device in 0..<3 {
            #expect(try contents(device, in: path("")).sorted { $0[0] < $1[0] } == [[1], [7]], "\(device)")
        }
    }

    @Test(arguments: [false, true])
    func `a file is kept when its pending replacement is removed, unless the replacement's maker knew it`(
        isKnown: Bool
    ) throws {
        let puppet = try ReplicaPuppet(fleet)
        let file = try path("f")
        try save(0, file, [1])
        try fleet.collect(0)
        let times = ReplicaFileValue.FileTimes(createdAt: .now, modifiedAt: .now)
        let digest = try AttachmentStore.digest([UInt8](repeating: 2, count: 100_000))
        let listed = ReplicaFileValue.Content.listed(times, digest, byteCount: 100_000)
        var basis = isKnown ? try stamp(0, file) : .zero
        for (second, content) in [(UInt64(1), listed), (2, .removed)] {
            let stamp = ReplicaStamp(
                time: HybridClock.time(at: .now) + second * 1_000 << 16, device: puppet.number)
            let value = ReplicaFileValue(basis: basis, content).bytes
            let fields = [FieldRecord(field: .value, stamp: stamp, value: value)]
            try puppet.tell([.thing(ThingRecord(name: file.thingName, fields: fields))], to: 0)
            basis = stamp
        }
        #expect(try contents(0, in: path("")) == (isKnown ? [] : [[1]]))
    }

    @Test(arguments: [1, 40, 200, 255])
    func `the conflict copy of a file with the longest path has a path that fits`(lastNameBytes: Int)
        throws
    {
        var directory = try path("")
        while case let room = EngineLimits.filePathBytesMax - lastNameBytes - 1 - directory.byteCount, room > 1 {
            // The last directory name fills the remaining bytes, including the slash before it.
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
