import ReplicaModel
import StoreBasics
import Testing

/// Checks that decoding rejects records that no store writes, so that the code after it need not handle them.
@Suite struct RecordBoundTests {
    private static func all(_ bytes: [UInt8]) throws -> [ReplicaRecord] {
        try bytes.withUnsafeBytes { try ReplicaRecord.all(in: $0) }
    }

    private static func bytes(of record: ReplicaRecord) -> [UInt8] {
        var bytes: [UInt8] = []
        record.append(to: &bytes)
        return bytes
    }

    private static let removal = ReplicaRecord.message(MessageRecord(id: "m", generation: 0, content: nil))

    @Test func `more records than a message may have are refused`() throws {
        let one = Self.bytes(of: Self.removal)
        let most = Array(repeatElement(one, count: ReplicaRecord.countMax).joined())
        #expect(try Self.all(most).count == ReplicaRecord.countMax)
        #expect(throws: ReplicaRecordError.malformed) { try Self.all(most + one) }
    }

    @Test func `positions without a device, and short parts before the last one, are refused`() throws {
        #expect(throws: ReplicaRecordError.malformed) { try Self.all([7, 0]) }
        let short = [UInt8](repeating: 1, count: PartRecord.pieceBytesMin - 1)
        for (piece, isLast) in [(short, true), ([], true), (short + [1], false)] as [([UInt8], Bool)] {
            let part = ReplicaRecord.part(PartRecord(isLast: isLast, piece: piece))
            #expect(try Self.all(Self.bytes(of: part)) == [part])
        }
        #expect(throws: ReplicaRecordError.malformed) {
            try Self.all(Self.bytes(of: .part(PartRecord(isLast: false, piece: short))))
        }
    }

    @Test func `the sizes of records add up to all bytes, even if some records are unreadable`() {
        let bytes = Self.bytes(of: Self.removal)
        let sizes = { (bytes: [UInt8]) in bytes.withUnsafeBytes { ReplicaRecord.sizes(in: $0) } }
        #expect(sizes([]) == [])
        #expect(sizes(bytes + bytes) == [bytes.count, bytes.count])
        #expect(sizes(bytes + [1, 200]) == [bytes.count, 2])
        #expect(sizes(bytes + [1, 4, 0]) == [bytes.count, 3])
    }

    @Test func `a name is decoded only from its shortest encoding`() {
        let name = { (bytes: [UInt8]) in bytes.withUnsafeBytes { ThingName(.contact, bytes: $0) } }
        #expect(name([3, 97, 110, 110]) == ThingName(.contact, "ann"))
        #expect(name([0x83, 0x00, 97, 110, 110]) == nil)
        #expect(name([0x83, 0x80, 0x00, 97, 110, 110]) == nil)
    }

    @Test func `generations and restarts stop at their largest value`() {
        var mark = MessageMark.removed(generation: MessageRecord.generationMax - 1)
        mark.startNextGeneration()
        #expect(mark.generation == MessageRecord.generationMax)
        mark.startNextGeneration()
        #expect(mark.generation == MessageRecord.generationMax)
        var greatest = MessageMark.removed(generation: .max)
        greatest.startNextGeneration()
        #expect(greatest.generation == MessageRecord.generationMax)
        mark.restarts = MessageProgress.restartsMax - 1
        mark.restart()
        #expect(mark.restarts == MessageProgress.restartsMax)
        mark.restart()
        #expect(mark.restarts == MessageProgress.restartsMax)
    }

    @Test func `a time is near up to ten years ahead, whatever the wall clock shows`() {
        let now = Timestamp(microseconds: 1_000_000_000_000)
        let farthest = 1_000_000_000 + HybridClock.mergedAheadMillisecondsMax
        #expect(HybridClock.isNear(HybridClock.time(atMilliseconds: farthest) + 0xffff, now: now))
        #expect(!HybridClock.isNear(HybridClock.time(atMilliseconds: farthest + 1), now: now))
        #expect(!HybridClock.isNear(.max, now: now))
        #expect(HybridClock.isNear(0, now: Timestamp(microseconds: .min)))
    }

    @Test func `the newest stamp of a thing is found by comparing time and device`() {
        var state = ThingState()
        #expect(state.newestStamp == .zero)
        state.remove(at: ReplicaStamp(time: 5, device: 2))
        state.set(
            FieldRecord(field: .identity, stamp: ReplicaStamp(time: 5, device: 3), value: nil), .none)
        #expect(state.newestStamp == ReplicaStamp(time: 5, device: 3))
        #expect(state.newestTime == 5)
    }
}
