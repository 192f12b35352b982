import ReplicaModel
import StoreBasics
import Testing

@testable import StoreEngine

/// Three devices get the same tree of files, whatever each of them saves, moves and removes at the same time.
@Suite struct ReplicaFileTests {
    let fleet: ReplicaFleet

    init() throws {
        fleet = try ReplicaFleet(deviceCount: 3, seed: 1, kinds: [])
    }

    private func path(_ text: String) throws -> FilePath { try FilePath(.document, text) }

    private func write(_ device: Int, _ mutation: Mutation) throws {
        try fleet.devices[device].engine.write(mutation)
    }

    private func save(_ device: Int, _ text: String, _ bytes: [UInt8]) throws {
        try write(device, .saveFile(path(text), bytes, createsParents: true))
    }

    private func saveLarge(_ device: Int, _ text: String, _ bytes: [UInt8]) throws {
        try fleet.devices[device].engine.writeFile(at: path(text), bytes)
    }

    private func names(_ device: Int, in text: String = "") throws -> [String] {
        let reader = fleet.reader(device)
        return try reader.files(in: path(text), limit: 100, cursor: nil).items.map(\.name.text)
    }

    private func bytes(_ device: Int, _ text: String) throws -> [UInt8] {
        let reader = fleet.reader(device)
        guard case .file(let byteCount)? = try reader.fileItem(at: path(text))?.kind else { return [] }
        var bytes: [UInt8] = []
        while UInt64(bytes.count) < byteCount {
            bytes += try reader.readFile(at: path(text), from: UInt64(bytes.count)).bytes
        }
        return bytes
    }

    /// Returns the usage of the replicated areas.
    private func usage(_ device: Int) throws -> [FileAreaUsage] {
        try fleet.reader(device).fileUsage().filter(\.area.isReplicated)
    }

    private func settle() throws {
        try fleet.settle()
        let first = try fleet.content(0)
        for index in fleet.devices.indices {
            let difference = try Set(fleet.content(index)).symmetricDifference(first).sorted()
            #expect(difference == [])
            #expect(try expectClean(fleet.devices[index].engine) == [])
            #expect(try usage(index) == usage(0))
        }
    }

    @Test func `small and large files are written, moved, copied and removed on all devices`() throws {
        let large = ReplicaContentTests.bytes(700_000)
        try save(0, "a/small", [1, 2, 3])
        try saveLarge(0, "a/large", large)
        try write(0, .createDirectory(path("empty"), createsParents: false))
        try settle()
        #expect(try names(1) == ["a", "empty"])
        #expect(try bytes(2, "a/large") == large)
        try write(1, .moveFile(path("a"), to: path("empty/b")))
        try write(1, .copyFile(path("empty/b"), to: path("c")))
        try settle()
        #expect(try names(0) == ["c", "empty"])
        #expect(try bytes(0, "empty/b/large") == large)
        #expect(try bytes(2, "c/large") == large)
        try write(2, .removeDirectory(path("empty"), withChildren: true))
        try write(2, .deleteFile(path("c/small")))
        try settle()
        #expect(try names(0) == ["c"])
        #expect(try names(1, in: "c") == ["large"])
    }

    @Test func `if several devices write a file at once, the last version counts and the others become copies`()
        throws
    {
        try save(0, "notes.txt", [0])
        try settle()
        try save(0, "notes.txt", [1])
        try fleet.collect(0)
        try save(1, "notes.txt", [2])
        try settle()
        #expect(try bytes(2, "notes.txt") == [2])
        let names = try names(2)
        #expect(names.count == 2)
        let copy = try #require(names.first { $0 != "notes.txt" })
        #expect(copy.wholeMatch(of: /notes \(conflict [0-9a-f]{16} \d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d\)\.txt/) != nil)
        #expect(try bytes(0, copy) == [1])
        // A device that knows the other version replaces it without a copy.
        try save(2, "notes.txt", [3])
        try settle()
        #expect(try self.names(1) == names)
    }

    @Test func `equal files leave no copy`() throws {
        let large = ReplicaContentTests.bytes(200_000)
        for device in 0..<3 {
            try save(device, "small", [7])
            try saveLarge(device, "large", large)
        }
        try settle()
        #expect(try names(0) == ["large", "small"])
    }

    @Test func `files are kept if one device removes their directory and another writes into it`() throws {
        try save(0, "d/e/old", [1])
        try settle()
        try write(0, .removeDirectory(path("d"), withChildren: true))
        try save(1, "d/e/new", [2])
        try settle()
        #expect(try names(2, in: "d/e") == ["new"])
        try write(2, .removeDirectory(path("d"), withChildren: true))
        try settle()
        #expect(try names(0) == [])
    }

    @Test func `a file makes room for a directory with its name`() throws {
        try save(0, "x", [1])
        try save(1, "x/y", [2])
        try settle()
        #expect(try bytes(2, "x/y") == [2])
        let copy = try #require(names(2).first { $0 != "x" })
        #expect(try bytes(2, copy) == [1])
    }

    @Test func `files of areas that are not replicated stay on their device`() throws {
        for area in FileArea.allCases {
            try write(0, .saveFile(FilePath(area, "file"), [1], createsParents: true))
        }
        try settle()
        let found = try FileArea.allCases.filter { area in
            try fleet.reader(1).fileItem(at: FilePath(area, "file")) != nil
        }
        #expect(found == [.document, .library])
    }

    @Test func `equal files leave no copy if a device leaves and joins again`() throws {
        let large = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 >> 8 &+ $0) }
        try saveLarge(0, "large", large)
        try saveLarge(1, "own", large.reversed())
        try save(0, "small", [1, 2])
        try fleet.settle()
        try fleet.devices[1].engine.leaveReplicaGroup()
        try fleet.settle([0])
        try fleet.join(1, by: 0)
        let told = try fleet.pieceCount(toldBy: 0) + fleet.pieceCount(toldBy: 1)
        try fleet.settle()
        for device in fleet.devices.indices {
            #expect(try names(device) == ["large", "own", "small"])
            #expect(try bytes(device, "large") == large)
            #expect(try bytes(device, "own") == large.reversed())
        }
        #expect(try fleet.pieceCount(toldBy: 0) + fleet.pieceCount(toldBy: 1) == told)
    }

    @Test func `a directory from before the group is removed with all its files`() throws {
        let fleet = try ReplicaFleet(deviceCount: 1, seed: 1, kinds: []) { store in
            for number in 0..<400 {
                try store.engine.write(.saveFile(path("d/\(number)"), [1], createsParents: true))
            }
        }
        #expect(try fleet.told(by: 0).isEmpty)
        try fleet.devices[0].engine.write(.removeDirectory(path("d"), withChildren: true))
        try fleet.publish(0)
        let records = try fleet.told(by: 0).filter(\.isChange)
        #expect(records.count == 401)
        guard case .thing(let last)? = records.last else { throw StoreError(.internal, "no directory was told of") }
        let value = try ReplicaFileValue(#require(last.fields.first?.value))
        #expect(last.name == (try path("d").thingName) && value.content == .removed)
    }

    @Test func `files whose contents no device has sent are requested, however many`() throws {
        let puppet = try ReplicaPuppet(fleet)
        let times = ReplicaFileValue.FileTimes(createdAt: .now, modifiedAt: .now)
        let stamp = ReplicaStamp(time: 1 << 40, device: puppet.number)
        let digests = (0...EngineLimits.stepRowsMax).map { number in
            AttachmentDigest(trusted: [UInt8](repeating: 0, count: 30) + [UInt8(number >> 8), UInt8(number & 0xff)])
        }
        for part in stride(from: 0, to: digests.count, by: 200) {
            let records = try digests[part...].prefix(200).enumerated().map { index, digest in
                let value = ReplicaFileValue(basis: .zero, .listed(times, digest, byteCount: 300_000))
                return ReplicaRecord.thing(
                    ThingRecord(
                        name: try path("\(part + index)").thingName,
                        fields: [FieldRecord(field: .value, stamp: stamp, value: value.bytes)]))
            }
            try puppet.tell(records, to: 0)
        }
        let engine = fleet.devices[0].engine
        #expect(try engine.rowCount(of: "replica_wanted_files") == digests.count)
        #expect(try engine.missingContents().count == digests.count)
        try engine.writer.perform { context throws(StoreError) in
            try context.commit { connection throws(StoreError) in
                for digest in digests { try MissingContentRows.delete(digest, connection) }
            }
        }
        for number in 0..<3 {
            try write(0, .saveFile(path("own \(number)"), [1], createsParents: false))
            try fleet.publish(0)
        }
        #expect(try engine.missingContents().count == digests.count)
    }

    @Test func `files with paths that no store can have are refused`() throws {
        let stamp = ReplicaStamp(time: 1 << 40, device: 77)
        let value = ReplicaFileValue(basis: .zero, .directory).bytes
        for parts in [
            ["nowhere", "a"], ["cache", "a"], ["document", ""], ["document", "a/b"], ["document", ".."],
            ["document", "a", "."], ["document", "a\0"], ["document", String(repeating: "a", count: 256)],
            ["document"] + [String](repeating: "a", count: 129),
        ] {
            let record = ThingRecord(
                name: ThingName(.file, parts: parts), fields: [FieldRecord(field: .value, stamp: stamp, value: value)])
            let puppet = try ReplicaPuppet(fleet)
            #expect(try puppet.tell([.thing(record)], to: 0) == .refused(.malformed), "\(parts)")
        }
        let bytesOfNoFile: [UInt8] = [4 << 3 | 2, 1, 0]
        for value in [
            bytesOfNoFile, value + bytesOfNoFile, [UInt8](repeating: 0, count: 17), value + [1],
            Array(value.dropLast()),
        ] {
            let record = ThingRecord(
                name: try path("a").thingName, fields: [FieldRecord(field: .value, stamp: stamp, value: value)])
            let puppet = try ReplicaPuppet(fleet)
            #expect(try puppet.tell([.thing(record)], to: 0) == .refused(.malformed), "\(value)")
        }
        #expect(try expectClean(fleet.devices[0].engine) == [])
    }

    @Test func `conflict copies get names that fit, with the extension kept`() throws {
        let stamp = ReplicaStamp(time: HybridClock.time(atMilliseconds: 1_795_615_387_000), device: 3)
        let mark = "(conflict 0000000000000003 2026-11-25 14.03.07)"
        for (name, expected) in [
            ("a.txt", "a \(mark).txt"), ("a", "a \(mark)"), (".hidden", ".hidden \(mark)"),
            ("a.b.c", "a.b \(mark).c"),
            (String(repeating: "é", count: 127), String(repeating: "é", count: 103) + " \(mark)"),
        ] {
            #expect(try path(name).besides(stamp).first?.lastName.text == expected)
        }
        let stale = try path("a").besides(ReplicaStamp(time: .max, device: .max))
        #expect(stale.allSatisfy { $0.lastName.text.utf8.count <= FileName.bytesMax })
    }
}
