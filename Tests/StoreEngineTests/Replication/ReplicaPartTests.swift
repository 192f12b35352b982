import ReplicaModel
import StoreBasics
import Testing

@testable import StoreEngine

/// Tests records that are too long for one message.
@Suite struct ReplicaPartTests {
    let fleet: ReplicaFleet
    let puppet: ReplicaPuppet

    init() throws {
        fleet = try ReplicaFleet(deviceCount: 2, seed: 1, kinds: [])
        puppet = try ReplicaPuppet(fleet)
    }

    private static func contact(_ sessionID: String, time: UInt64 = 5, avatarBytes: Int) -> ReplicaRecord {
        let stamp = ReplicaStamp(time: time, device: 9)
        let contact = WholeContact(
            id: EntityID(trusted: ""), avatar: [UInt8](repeating: 7, count: avatarBytes))
        return .thing(
            ThingRecord(
                name: ThingName(.contact, sessionID),
                fields: [FieldRecord(field: .avatar, stamp: stamp, value: ThingValues(of: contact)[.avatar])]))
    }

    private static func bytes(of record: ReplicaRecord) -> [UInt8] {
        var bytes: [UInt8] = []
        record.append(to: &bytes)
        return bytes
    }

    private static func parts(of bytes: [UInt8]) -> [ReplicaRecord] {
        [
            .part(PartRecord(isLast: false, piece: Array(bytes.prefix(PartRecord.pieceBytesMin)))),
            .part(PartRecord(isLast: true, piece: Array(bytes.dropFirst(PartRecord.pieceBytesMin)))),
        ]
    }

    private func contact(_ sessionID: String) throws -> Contact? {
        try fleet.reader(0).contact(SessionID(sessionID), includeAvatar: false)
    }

    private func expectWaiting(_ whole: [UInt8], for wait: ReplicaWait) throws {
        let parts = Self.parts(of: whole)
        #expect(try puppet.tell([parts[0]], to: 0) == .merged(nextSequence: 2))
        let last = try puppet.batch([parts[1]])
        for _ in 0..<2 {
            #expect(try fleet.handIn(0, .device(puppet.number), last) == .waits(wait))
            #expect(try fleet.devices[0].engine.rowCount(of: "replica_parts") == 1)
            #expect(try contact("ann") == nil)
        }
    }

    @Test func `parts of a record of a later version wait and are kept`() throws {
        try expectWaiting(Self.bytes(of: Self.contact("ann", avatarBytes: 100_000)) + [100, 0], for: .laterVersion)
    }

    @Test func `parts of a record with a time far ahead wait and are kept`() throws {
        try expectWaiting(Self.bytes(of: Self.contact("ann", time: .max, avatarBytes: 100_000)), for: .timeAhead)
    }

    @Test func `parts of an impossible record are skipped`() throws {
        let whole = Self.bytes(of: Self.contact("ann", avatarBytes: 100_000)) + [1, 0]
        for part in Self.parts(of: whole) {
            guard case .merged = try puppet.tell([part], to: 0) else {
                Issue.record("a part is not passed over")
                return
            }
        }
        #expect(try fleet.devices[0].engine.rowCount(of: "replica_parts") == 0)
        #expect(try contact("ann") == nil)
        #expect(try puppet.tell([Self.contact("bob", avatarBytes: 10)], to: 0) == .merged(nextSequence: 4))
        #expect(try contact("bob") != nil)
    }

    @Test func `a message between parts discards the earlier parts`() throws {
        let parts = Self.parts(of: Self.bytes(of: Self.contact("ann", avatarBytes: 100_000)))
        try puppet.tell([parts[0]], to: 0)
        try puppet.tell([Self.contact("bob", avatarBytes: 10)], to: 0)
        #expect(try fleet.devices[0].engine.rowCount(of: "replica_parts") == 0)
        try puppet.tell([parts[1]], to: 0)
        #expect(try contact("ann") == nil)
        for part in parts {
            try puppet.tell([part], to: 0)
        }
        #expect(try contact("ann") != nil)
        #expect(try fleet.devices[0].engine.rowCount(of: "replica_parts") == 0)
    }

    @Test func `a part that is short and not the last is refused`() throws {
        #expect(
            try puppet.tell([.part(PartRecord(isLast: false, piece: [1]))], to: 0) == .refused(.malformed))
    }

    @Test func `records are divided between messages, and one that is too long is sent in parts`() throws {
        let records = [
            Self.contact("a", avatarBytes: 500_000), Self.contact("b", avatarBytes: 500_000),
            Self.contact("c", avatarBytes: 2_000_000), Self.contact("d", avatarBytes: 10),
        ]
        let messages = ReplicaChannels.messages(of: records.flatMap { Self.bytes(of: $0) })
        #expect(messages.count == 6)
        var read: [ReplicaRecord] = []
        var pieces: [UInt8] = []
        for message in messages {
            #expect(message.count < 800 << 10)
            for record in try message.withUnsafeBytes({ try ReplicaRecord.all(in: $0) }) {
                guard case .part(let part) = record else {
                    read.append(record)
                    continue
                }
                pieces += part.piece
                guard part.isLast else { continue }
                read += try pieces.withUnsafeBytes { try ReplicaRecord.all(in: $0) }
            }
        }
        #expect(read == records)
    }

    @Test func `parts of a snapshot are deleted when another snapshot is requested`() throws {
        let device = fleet.devices[1].number
        try fleet.devices[0].engine.writer.perform { context throws(StoreError) in
            try context.commit { connection throws(StoreError) in
                let id = ReplicaID.random()
                guard var group = try ReplicaGroupRow.read(connection) else { throw StoreError.notReplicated }
                group.awaitedSnapshot = ReplicaGroupRow.AwaitedSnapshot(
                    id: id, maker: device, heardAt: Timestamp(microseconds: 0))
                try group.write(connection)
                let parts = ReplicaParts(beforeSequence: 0, beforeHash: ReplicaGroupRow.noHash, bytes: [1])
                try ReplicaPartRows.write(parts, of: .snapshot(id), connection)
            }
        }
        #expect(try fleet.devices[0].engine.rowCount(of: "replica_parts") == 1)
        // The stream has lost the first batch of the device.
        _ = try puppet.batch([Self.contact("ann", avatarBytes: 1)])
        let second = try puppet.batch([Self.contact("bob", avatarBytes: 1)])
        #expect(try fleet.handIn(0, .device(puppet.number), second, isOldestKept: true) == .waits(.snapshot))
        #expect(try fleet.devices[0].engine.rowCount(of: "replica_parts") == 0)
    }
}
