import ReplicaModel
import StoreBasics
import StoreCrypto
import StoreEngine

/// Decodes the decrypted records that devices of a replica group exchange, and the unencrypted headers of their
/// messages.
///
/// Promises: accepted records that are written and read again are the same.
enum ReplicaRecordsTarget {
    static func run(_ input: [UInt8]) throws {
        _ = try? BatchHeader(parsing: input)
        _ = try? SnapshotChunkHeader(parsing: input)
        let text = String(decoding: input.prefix(100), as: UTF8.self)
        if let channel = ReplicaChannel(text: text) {
            try BrokenPromise.unless(channel.text == text, "a channel has one text")
        }
        guard let records = try? input.withUnsafeBytes({ try ReplicaRecord.all(in: $0) }) else { return }
        let bytes = Self.bytes(of: records)
        let again = try bytes.withUnsafeBytes { try ReplicaRecord.all(in: $0) }
        try BrokenPromise.unless(again == records, "records are the same once they are written and read again")
        let arePossible = records.map(\.isPossible)
        try BrokenPromise.unless(
            again.map(\.isPossible) == arePossible, "the same records are possible once they are read again")
    }

    private static func bytes(of records: [ReplicaRecord]) -> [UInt8] {
        var bytes: [UInt8] = []
        records.forEach { $0.append(to: &bytes) }
        return bytes
    }

    static func seeds() throws -> [[UInt8]] {
        let stamp = ReplicaStamp(time: 1 << 40, device: 7)
        let id = ReplicaID.none
        let hash = [UInt8](repeating: 3, count: 32)
        let content = MessageContent(
            sessionID: "ann", stamp: stamp, body: [0x12, 1, 97, 0x60, 9, 0xc8, 0x01, 7],
            progress: MessageProgress(restarts: 1, isRead: true, step: 2), remaining: 5)
        let logValue: [UInt8] = [0x10, 0x80, 0x02, 0x18, 1, 0x20, 9]
        let fields = [
            FieldRecord(field: .identity, stamp: stamp, value: [0x0a, 1, 97, 0x40, 9]),
            FieldRecord(field: FieldNumber(rawValue: 3), stamp: stamp, value: [0x1a, 3] + Array("Ann".utf8)),
            FieldRecord(field: FieldNumber(rawValue: 40), stamp: stamp, value: [0x50, 7]),
        ]
        let records: [ReplicaRecord] = [
            .thing(ThingRecord(name: ThingName(.contact, "ann"), touchedAt: 4, fields: fields)),
            .thing(ThingRecord(name: ThingName(.file, parts: ["document", "a"]), removal: stamp)),
            .message(MessageRecord(id: "m", generation: 0, content: content)),
            .message(MessageRecord(id: "m", generation: 1, content: nil)),
            .message(MessageRecord(id: "m", generation: 1, content: nil, isTimerStarted: true)),
            .time(TimeRecord(time: 7, isSynchronized: true)),
            .member(
                MemberRecord(
                    device: ReplicaDeviceKeys.number(ofSigningKey: hash), signingKey: hash, receivingKey: hash,
                    name: "desk")),
            .memberRemoval(MemberRemovalRecord(device: 7, throughSequence: 8)),
            .epoch(
                EpochRecord(
                    id: EpochID(number: 2, maker: 7),
                    grants: [EpochRecord.Grant(device: 8, sealedKey: [UInt8](repeating: 1, count: 80))])),
            .snapshotRequest(SnapshotRequestRecord(id: id, maker: 7)),
            .positions(
                PositionsRecord(positions: [PositionsRecord.Position(device: 7, sequence: 9, hash: hash)])),
            .contentPiece(ContentPieceRecord(digest: hash, byteCount: 3, offset: 0, bytes: [1, 2, 3])),
            .contentNotice(ContentNoticeRecord(digest: hash, device: 7, sequence: 2)),
            .contentRequest(ContentRequestRecord(digest: hash, device: 7)),
            .part(PartRecord(isLast: true, piece: [1])),
            .thing(
                ThingRecord(
                    name: ThingName(.log, "log"), removal: stamp,
                    fields: [FieldRecord(field: FieldNumber(rawValue: 10), stamp: stamp, value: logValue)])),
            .logEntries(
                LogEntriesRecord(
                    name: "log", value: logValue, device: 7, opened: 3, oldestSequence: 1, firstSequence: 2,
                    entries: [
                        .init(time: 1 << 40, data: [1]), .init(time: 2 << 40, data: [2, 3], metadata: [0x0a, 1, 7]),
                    ])),
        ]
        return records.map { bytes(of: [$0]) } + [bytes(of: records), Array("device.00000000000000ff".utf8)]
    }
}
