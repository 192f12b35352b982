import ReplicaModel
import StoreBasics
import Testing

@testable import StoreEngine

/// Checks that a malicious member cannot stop the work of other members by records about contents or by requests for
/// contents.
@Suite struct ReplicaHostileContentTests: ReplicaFleetSuite {
    let fleet: ReplicaFleet
    let puppet: ReplicaPuppet

    init() throws {
        fleet = try ReplicaFleet(deviceCount: 2, seed: 1, kinds: [])
        puppet = try ReplicaPuppet(fleet)
    }

    private func digest(_ number: Int) -> [UInt8] {
        var digest = [UInt8](repeating: 7, count: 30)
        digest.append(bigEndian: UInt16(number))
        return digest
    }

    private func notices(_ numbers: Range<Int>) -> [ReplicaRecord] {
        numbers.map {
            .contentNotice(ContentNoticeRecord(digest: digest($0), device: fleet.devices[1].number, sequence: 1 << 60))
        }
    }

    private func requests(_ device: Int) throws -> Int {
        try fleet.told(by: device).count { if case .contentRequest = $0 { true } else { false } }
    }

    /// Returns a message in which the puppet refers to a content that no device has.
    private func wanting(_ number: Int) throws -> ReplicaRecord {
        let attachment = try NewAttachment(
            .listed(AttachmentDigest(digest(number)), byteCount: 100_000), name: "a", mimeType: MIMEType("a/b"),
            source: "there")
        try save(1, "m\(number)", [attachment])
        try fleet.collect(1)
        let records = try fleet.told(by: 1).compactMap { record -> MessageRecord? in
            if case .message(let message) = record, message.id == "m\(number)" { message } else { nil }
        }
        return .message(try #require(records.last))
    }

    @Test func `a content that is written here while its received pieces wait for a check is stored once`() throws {
        let bytes = ReplicaContentTests.bytes(300_000)
        let pieces = try ReplicaContentTests.pieces(of: bytes).map { ReplicaRecord.contentPiece($0) }
        try puppet.tell(Array(pieces.dropLast()), to: 0)
        // After the restart the device does not remember which parts have arrived.
        try fleet.restart(0)
        try puppet.tell([pieces[pieces.count - 1]], to: 0)
        #expect(try engine(0).rowCount(of: "replica_staged_contents") == 1)
        try engine(0).writeAttachment(bytes)
        try save(0, "m", [AttachmentStore.known(bytes)])
        try fleet.settle()
        #expect(try message(1, "m")?.attachments.first?.isStored == true)
        #expect(try engine(0).rowCount(of: "replica_staged_contents") == 0)
        #expect(try expectClean(engine(0)) == [])
        try engine(0).write(.deleteMessages([EntityID("m")]))
        try engine(0).waitForCleaning()
        #expect(try expectClean(engine(0)) == [])
    }

    @Test func `a content is sent again at most once in six hours, after new content`() throws {
        let large = ReplicaContentTests.bytes(300_000)
        try engine(0).writeAttachment(large)
        try save(0, "m", [AttachmentStore.known(large)])
        try fleet.settle()
        let before = try fleet.pieceCount(toldBy: 0)
        let digest = try AttachmentStore.digest(large).bytes
        let request = ReplicaRecord.contentRequest(ContentRequestRecord(digest: digest, device: number(0)))
        for _ in 0..<5 {
            try puppet.tell([request, request], to: 0)
            try fleet.settle()
        }
        #expect(try fleet.pieceCount(toldBy: 0) == before + 3)
        // A member that joined after the answer does not have the content, so the device sends the content again.
        let late = try ReplicaPuppet(fleet)
        try late.tell([request], to: 0)
        try fleet.settle()
        #expect(try fleet.pieceCount(toldBy: 0) == before + 6)
        try engine(0).passReplicaTime(seconds: 21_601)
        try puppet.tell([request], to: 0)
        let other = ReplicaContentTests.bytes(200_000, 1)
        try engine(0).writeAttachment(other)
        try save(0, "other", [AttachmentStore.known(other)])
        try fleet.settle()
        #expect(try fleet.pieceCount(toldBy: 0) == before + 6 + 2 + 3)
        let told = try fleet.told(by: 0).compactMap { record -> UInt64? in
            if case .contentPiece(let piece) = record { piece.byteCount } else { nil }
        }
        #expect(told.suffix(5) == [200_000, 200_000, 300_000, 300_000, 300_000])
    }

    @Test func `contents that nothing needs are not requested, and forgotten step by step`() throws {
        for start in stride(from: 0, to: 3_000, by: 1_000) {
            try puppet.tell(notices(start..<start + 1_000), to: 0)
        }
        // A later message may need the contents, so they are remembered at first.
        try fleet.collect(0)
        var left = try engine(0).rowCount(of: "replica_missing_contents")
        #expect(left == 3_000)
        try engine(0).passReplicaTime(seconds: 21_601)
        for _ in 0..<(3_000 / EngineLimits.stepRowsMax + 3) where left > 0 {
            try fleet.collect(0)
            let now = try engine(0).rowCount(of: "replica_missing_contents")
            #expect(left - now <= 2 * EngineLimits.stepRowsMax)
            left = now
        }
        #expect(left == 0)
        #expect(try requests(0) == 0)
    }

    @Test func `a needed content is requested, however many others are named or how often`() throws {
        try fleet.settle()
        let wanted = try wanting(2_000)
        try puppet.tell(notices(0..<1_000) + notices(2_000..<2_001) + [wanted], to: 0)
        for _ in 0..<10 {
            try engine(0).passReplicaTime(seconds: 5_000)
            try puppet.tell(notices(2_000..<2_001), to: 0)
            // Each call continues the search one step further.
            for _ in 0..<5 { try fleet.collect(0) }
        }
        #expect(try 2...3 ~= requests(0))
    }

    @Test func `a content that no device has is requested less and less often`() throws {
        try fleet.settle()
        try puppet.tell(notices(1..<2) + [try wanting(1)], to: 0)
        var counts: [Int] = []
        for _ in 0..<10 {
            for _ in 0..<28 {
                try engine(0).passReplicaTime(seconds: 21_601)
                try fleet.collect(0)
            }
            counts.append(try requests(0))
        }
        let each = zip(counts.dropFirst(), counts).map { $0 - $1 }
        #expect(counts[0] >= 16 && each[8] == 1, "\(counts)")
    }
}
