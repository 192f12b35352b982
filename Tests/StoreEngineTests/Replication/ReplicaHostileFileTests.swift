import ReplicaModel
import StoreBasics
import Testing

@testable import StoreEngine

/// Checks that a malicious member's records about files neither stop the work of other members nor make them lose data.
@Suite struct ReplicaHostileFileTests: ReplicaFleetSuite {
    let fleet: ReplicaFleet
    let puppet: ReplicaPuppet
    private let content = ReplicaContentTests.bytes(100_000)

    init() throws {
        fleet = try ReplicaFleet(deviceCount: 3, seed: 1, kinds: [])
        puppet = try ReplicaPuppet(fleet)
    }

    private func path(_ text: String) throws -> FilePath { try FilePath(text: "document/\(text)") }

    /// Returns a record of a file as the puppet publishes it.
    private func file(
        _ text: String, _ bytes: [UInt8], byteCount: UInt64? = nil, time: UInt64 = 1
    ) throws -> ReplicaRecord {
        let moment = Timestamp(microseconds: 1_700_000_000_000_000)
        let value = ReplicaFileValue(
            basis: .zero,
            .listed(
                ReplicaFileValue.FileTimes(createdAt: moment, modifiedAt: moment), try AttachmentStore.digest(bytes),
                byteCount: byteCount ?? UInt64(bytes.count)))
        let stamp = ReplicaStamp(
            time: HybridClock.time(at: .now) + time, device: puppet.number)
        return .thing(
            ThingRecord(
                name: try path(text).thingName,
                fields: [FieldRecord(field: .value, stamp: stamp, value: value.bytes)]))
    }

    /// Returns a removal by the puppet that is later than the current file.
    private func removal(of text: String) throws -> ReplicaRecord {
        let stamp = ReplicaStamp(time: HybridClock.time(at: .now) + 1 << 24, device: puppet.number)
        return .thing(
            ThingRecord(
                name: try path(text).thingName, fields: [FieldRecord(field: .value, stamp: stamp, value: nil)]))
    }

    private func pieces() throws -> [ReplicaRecord] {
        try ReplicaContentTests.pieces(of: content).map { .contentPiece($0) }
    }

    private func save(_ device: Int, _ text: String, _ bytes: [UInt8]) throws {
        try engine(device).write(.saveFile(path(text), bytes, createsParents: true))
    }

    private func byteCount(_ device: Int, _ text: String) throws -> UInt64? {
        guard case .file(let count)? = try engine(device).makeReader().fileItem(at: path(text))?.kind else {
            return nil
        }
        return count
    }

    private func wantedCount(_ device: Int) throws -> Int { try engine(device).rowCount(of: "replica_wanted_files") }

    private func notices(_ device: Int) throws -> Int {
        try fleet.told(by: device).count { if case .contentNotice = $0 { true } else { false } }
    }

    @Test func `files that wait for one content get it in steps, and all of them get it`() throws {
        let count = 4 * EngineLimits.stepRowsMax
        let names = (0..<count).map { "\($0 % 50)/\($0 % 7)/\($0)" }
        for start in stride(from: 0, to: count, by: 256) {
            try puppet.tell(names[start..<start + 256].map { try file($0, content) }, to: 0)
        }
        #expect(try wantedCount(0) == count)
        try puppet.tell(pieces(), to: 0)
        // One step gives only some of the files their content; later steps do the rest.
        #expect(try wantedCount(0) >= count - EngineLimits.stepRowsMax)
        try fleet.collect(0)
        try fleet.restart(0)
        try fleet.collect(0)
        #expect(try wantedCount(0) == 0)
        for name in names {
            #expect(try byteCount(0, name) == 100_000)
        }
        #expect(try expectClean(engine(0)) == [])
    }

    @Test func `a file with a false length is published with its true length, also to devices that join later`()
        throws
    {
        try puppet.tell(pieces() + [file("wrong", content, byteCount: 99_999)], to: 0)
        #expect(try byteCount(0, "wrong") == 100_000)
        // The content is already stored.
        try puppet.tell([file("again", content), file("again", content, byteCount: 1 << 40, time: 2)], to: 0)
        try fleet.settle()
        // Only device 0 receives the puppet's batch with the content, so the others must request it.
        try engine(1).passReplicaTime(seconds: 21_601)
        try fleet.settle()
        #expect(try byteCount(1, "again") == 100_000)
        try fleet.addStore()
        try fleet.join(3, by: 0)
        try fleet.settle()
        // The puppet is also among the devices that are asked, and it does not answer.
        for _ in 0..<5 {
            try engine(3).passReplicaTime(seconds: 21_601)
            try fleet.settle()
        }
        for name in ["wrong", "again"] {
            #expect(try byteCount(3, name) == 100_000)
        }
    }

    @Test(arguments: [UInt64(0), 1, 65_536]) func `a file that fits into its record must not be listed`(count: UInt64)
        throws
    {
        #expect(try puppet.tell([file("small", content, byteCount: count)], to: 0) == .refused(.malformed))
    }

    @Test func `a file that was deleted while its replacement was pending is gone everywhere for good`() throws {
        try save(0, "f", [1])
        try fleet.settle()
        let batch = try puppet.batch([file("f", content, time: 1 << 24)])
        for device in 0..<3 {
            #expect(try fleet.handIn(device, .device(puppet.number), batch) == .merged(nextSequence: 2))
        }
        #expect(try byteCount(0, "f") == 1)
        #expect(try wantedCount(0) == 1)
        try engine(1).write(.deleteFile(path("f")))
        try fleet.settle()
        for device in 0..<3 {
            #expect(try byteCount(device, "f") == nil, "\(device)")
            #expect(try wantedCount(device) == 0)
        }
        try puppet.tell(pieces(), to: 1)
        try fleet.settle()
        #expect(try byteCount(1, "f") == nil)
    }

    @Test func `a directory that stays publishes nothing about a file that waits for another content`() throws {
        try save(0, "d/z", [1])
        try fleet.settle()
        let told = try fleet.told(by: 0).count
        try puppet.tell(
            [
                file("d/z", content, time: 1 << 24),
                removal(of: "d"),
            ], to: 0)
        try fleet.settle()
        #expect(try wantedCount(0) == 1)
        let names = try fleet.told(by: 0).dropFirst(told).compactMap { record -> ThingName? in
            if case .thing(let thing) = record { thing.name } else { nil }
        }
        #expect(names == [try path("d").thingName])
        try puppet.tell(pieces(), to: 0)
        #expect(try byteCount(0, "d/z") == 100_000)
    }

    @Test func `the removal of a moved file does not claim to know the content that is pending for it`()
        throws
    {
        try save(0, "z", [1])
        try fleet.settle()
        try puppet.tell([file("z", content, time: 1 << 24)], to: 0)
        let told = try fleet.told(by: 0).count
        try engine(0).write(.moveFile(path("z"), to: path("y")))
        try fleet.settle()
        let (name, time) = (try path("z").thingName, HybridClock.time(at: .now))
        let values = try fleet.told(by: 0).dropFirst(told).compactMap { record -> ReplicaFileValue? in
            guard case .thing(let thing) = record, thing.name == name else { return nil }
            return try thing.fields.first?.value.map { try ReplicaFileValue($0) }
        }
        #expect(values.map(\.content) == [.removed])
        #expect(values.allSatisfy { $0.basis.device == number(0) && $0.basis.time < time })
    }

    @Test func `a pending file is not published as removed while no file is at its path`() throws {
        try puppet.tell([file("f", content)], to: 0)
        try save(0, "other", [1])
        try engine(0).write(.deleteFile(path("other")))
        try fleet.settle()
        try puppet.tell(pieces(), to: 0)
        #expect(try byteCount(0, "f") == 100_000)
    }

    @Test func `a content that is released after its first file got it stays pending for the others`() throws {
        let small = ReplicaContentTests.bytes(3_000)
        let piece = try ReplicaRecord.contentPiece(#require(try ReplicaContentTests.pieces(of: small).first))
        try puppet.tell([file("a", small, byteCount: 70_000), file("b", small, byteCount: 70_000)], to: 0)
        try puppet.tell([piece], to: 0)
        try puppet.tell([piece], to: 0)
        for name in ["a", "b"] {
            #expect(try byteCount(0, name) == 3_000)
        }
        #expect(try wantedCount(0) == 0)
    }

    @Test func `a large directory that stays is searched once`() throws {
        for number in 0..<2 * EngineLimits.stepRowsMax {
            try save(0, "photos/\(number)", [1])
        }
        try fleet.settle()
        let last = try fleet.status(0).lastSequence
        try puppet.tell([removal(of: "photos")], to: 0)
        #expect(try engine(0).rowCount(of: "replica_untold_paths") == 1)
        try fleet.settle()
        #expect(try engine(0).rowCount(of: "replica_untold_paths") == 0)
        // The only new batch says that the directory exists, and contains nothing about the files in it.
        #expect(try fleet.status(0).lastSequence == last + 1)
        #expect(try byteCount(1, "photos/7") == 1)
    }

    @Test func `nested directories that stay are searched together with the outermost one`() throws {
        let depth = 100
        let names = (1...depth).map { [String](repeating: "d", count: $0).joined(separator: "/") }
        try save(0, names[depth - 1] + "/inside", [1])
        try fleet.settle()
        let records = try names.map { try removal(of: $0) }
        for order in [Array(names.indices.reversed()), Array(names.indices)] {
            try puppet.tell(order.map { records[$0] }, to: 0)
            // In the second order the paths have been published already.
            #expect(try engine(0).rowCount(of: "replica_untold_paths") <= 1)
            try fleet.settle()
            #expect(try engine(0).rowCount(of: "replica_untold_paths") == 0)
        }
        #expect(try byteCount(0, names[depth - 1] + "/inside") == 1)
        #expect(try byteCount(1, names[depth - 1] + "/inside") == 1)
    }

    @Test func `removing a directory that stays announces no contents that the group knows`() throws {
        let puppetFile = try file("photos/first", content)
        try puppet.tell(pieces() + [puppetFile], to: 0)
        try fleet.settle()
        let before = try notices(0)
        try puppet.tell([removal(of: "photos")], to: 0)
        try fleet.settle()
        #expect(try byteCount(0, "photos/first") == 100_000)
        #expect(try notices(0) == before)
    }
}
