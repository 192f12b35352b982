import ReplicaModel
import StoreBasics
import Testing

@testable import StoreEngine

/// Tests contents that stores of a replica group send to each other.
@Suite struct ReplicaContentTests: ReplicaFleetSuite {
    let fleet: ReplicaFleet
    let puppet: ReplicaPuppet

    init() throws {
        fleet = try ReplicaFleet(deviceCount: 3, seed: 1, kinds: [])
        puppet = try ReplicaPuppet(fleet)
    }

    static func bytes(_ count: Int, _ salt: Int = 0) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 >> 8 &+ $0 &+ salt) }
    }

    private func settle() throws {
        try fleet.settle()
        let first = try fleet.content(0)
        for index in fleet.devices.indices {
            let difference = try Set(fleet.content(index)).symmetricDifference(first).sorted()
            #expect(difference == [])
            #expect(try expectClean(engine(index)) == [])
            #expect(try engine(index).rowCount(of: "replica_staged_contents") == 0)
        }
    }

    private func pieces(_ device: Int) throws -> [ContentPieceRecord] {
        try fleet.told(by: device).compactMap { if case .contentPiece(let piece) = $0 { piece } else { nil } }
    }

    /// Returns the records with which a device sends a content.
    static func pieces(of bytes: [UInt8]) throws -> [ContentPieceRecord] {
        let digest = try AttachmentStore.digest(bytes).bytes
        return stride(from: 0, to: bytes.count, by: ContentPieceRecord.bytesMax).map { start in
            ContentPieceRecord(
                digest: digest, byteCount: UInt64(bytes.count), offset: UInt64(start),
                bytes: Array(bytes[start...].prefix(ContentPieceRecord.bytesMax)))
        }
    }

    @Test func `small and large contents come once each, before the message that refers to them`() throws {
        let large = Self.bytes(1_000_000)
        try save(0, "small", [AttachmentStore.attachment("small"), AttachmentStore.attachment("")])
        try saveLarge(0, "large", large)
        try save(0, "again", [AttachmentStore.known(large)])
        try fleet.collect(0)
        while try fleet.deliver(from: 0, to: 1) {
            // A message becomes visible only together with its content.
            for id in ["small", "large", "again"] where try engine(1).makeReader().message(EntityID(id)) != nil {
                #expect(try content(1, id) != nil)
            }
        }
        #expect(try content(1, "large") == large)
        try save(1, "third", [AttachmentStore.known(large)])
        try settle()
        #expect(try content(2, "third") == large)
        #expect(try pieces(0).count { $0.byteCount == 1_000_000 } == 8)
        #expect(try pieces(1).isEmpty)
        #expect(fleet.log.messages(of: .device(fleet.devices[0].number)).allSatisfy { $0.count < 400 << 10 })
    }

    @Test func `contents continue where they were when the stores are opened again between batches`() throws {
        let large = Self.bytes(900_000)
        try saveLarge(0, "large", large)
        try fleet.collect(0)
        #expect(fleet.log.messages(of: .device(fleet.devices[0].number)).count >= 3)
        while try fleet.deliver(from: 0, to: 1) {
            try fleet.restart(1)
            #expect(try expectClean(engine(1)) == [])
        }
        try fleet.restart(0)
        try settle()
        #expect(try content(1, "large") == large)
        #expect(try pieces(0).count == 7)
    }

    @Test func `a device without a connection to the stream keeps a limited amount of waiting pieces`() throws {
        let large = Self.bytes(3_000_000)
        try saveLarge(0, "large", large)
        try save(0, "behind", [])
        let channel = ReplicaChannel.device(fleet.devices[0].number)
        let stored = fleet.log.lastSequence(channel)
        for _ in 0..<10 {
            _ = try fleet.take(0, channel, storedThrough: stored)
            #expect(try fleet.status(0).waitingBytes < 640 << 10)
        }
        #expect(try fleet.status(0).waitingBytes > 256 << 10)
        try settle()
        #expect(try content(1, "large") == large)
        #expect(try engine(2).makeReader().message(EntityID("behind")) != nil)
        #expect(try fleet.status(0).waitingBytes == 0)
    }

    @Test func `a device without a connection to the stream keeps a limited amount of waiting changes`() throws {
        for number in 0..<12 {
            try save(0, "m\(number)", [], text: String(repeating: "\(number % 10)", count: 1_000_000))
        }
        let channel = ReplicaChannel.device(fleet.devices[0].number)
        let stored = fleet.log.lastSequence(channel)
        // An agent without a connection to the stream requests the same messages again and again.
        for _ in 0..<40 {
            _ = try fleet.take(0, channel, storedThrough: stored)
            #expect(try fleet.status(0).waitingBytes < 5 << 20)
        }
        #expect(try fleet.status(0).waitingBytes > 4 << 20)
        #expect(try fleet.status(0).uncollectedRevisions > 0)
        try settle()
        #expect(try engine(2).makeReader().message(EntityID("m11")) != nil)
        #expect(try fleet.status(0).waitingBytes == 0)
    }

    @Test func `contents that a store released are sent again by the device that refers to them`() throws {
        let large = Self.bytes(300_000)
        try saveLarge(0, "first", large)
        try settle()
        // Device 0 uses the content in a second message, while the others release it with the first message.
        try save(0, "second", [AttachmentStore.known(large)])
        try engine(1).write(.deleteMessages([EntityID("first")]))
        try fleet.collect(1)
        for device in [0, 2] {
            #expect(try fleet.deliver(from: 1, to: device))
        }
        for device in 0..<3 {
            try engine(device).writer.waitForRemovals()
        }
        try settle()
        #expect(try content(1, "second") == large)
        #expect(try content(2, "second") == large)
    }

    @Test func `a message with a missing content keeps the source from which it can be fetched`() throws {
        let bytes = Self.bytes(200_000)
        let attachment = try NewAttachment(
            .listed(AttachmentStore.digest(bytes), byteCount: 200_000), name: "a", mimeType: MIMEType("a/b"),
            source: "there")
        try save(0, "m", [attachment])
        try fleet.collect(0)
        while try fleet.deliver(from: 0, to: 1) {}
        #expect(try engine(1).makeReader().message(EntityID("m"))?.attachments.map(\.isStored) == [false])
        try engine(1).writeAttachment(bytes)
        #expect(try content(1, "m") == bytes)
    }

    @Test func `pieces of contents may come twice, incompletely and with gaps`() throws {
        let bytes = Self.bytes(400_000)
        let pieces = try Self.pieces(of: bytes).map { ReplicaRecord.contentPiece($0) }
        try puppet.tell([pieces[1], pieces[3]], to: 0)
        #expect(try engine(0).rowCount(of: "file_contents") == 0)
        try puppet.tell([pieces[0], pieces[0], pieces[2], pieces[1], pieces[0], pieces[3]], to: 0)
        #expect(try engine(0).rowCount(of: "replica_staged_contents") == 1)
        try puppet.tell([pieces[2], pieces[3], pieces[0], pieces[3]], to: 0)
        #expect(try engine(0).rowCount(of: "replica_staged_contents") == 0)
        try save(0, "m", [AttachmentStore.known(bytes)])
        #expect(try content(0, "m") == bytes)
        #expect(try expectClean(engine(0)) == [])
    }

    @Test func `contents that do not match their digest are refused, and nothing of them is kept`() throws {
        for count in [10, 400_000] {
            var pieces = try Self.pieces(of: Self.bytes(count))
            pieces[pieces.count - 1].bytes[0] ^= 1
            try puppet.tell(pieces.map { .contentPiece($0) }, to: 0)
        }
        // A device that restarts while it receives a content checks all parts of it again.
        var pieces = try Self.pieces(of: Self.bytes(300_000))
        pieces[0].bytes[0] ^= 1
        try puppet.tell([.contentPiece(pieces[0]), .contentPiece(pieces[1])], to: 0)
        try fleet.restart(0)
        try puppet.tell([.contentPiece(pieces[2])], to: 0)
        try fleet.collect(0)
        try engine(0).waitForCleaning()
        for table in ["replica_staged_contents", "file_contents", "attachment_contents", "content_chunks"] {
            #expect(try engine(0).rowCount(of: table) == 0)
        }
        #expect(try expectClean(engine(0)) == [])
    }

    @Test func `contents of any claimed length do no harm`() throws {
        let digest = [UInt8](repeating: 1, count: 32)
        let huge = ContentPieceRecord(
            digest: digest, byteCount: EngineLimits.fileBytesMax, offset: 0, bytes: Self.bytes(128 << 10))
        try puppet.tell([.contentPiece(huge)], to: 0)
        for number in 0..<40 {
            var other = huge
            other.digest[0] = UInt8(number + 2)
            try puppet.tell([.contentPiece(other)], to: 0)
        }
        #expect(try engine(0).rowCount(of: "replica_staged_contents") <= 17)
        var longer = huge
        longer.byteCount = .max
        #expect(try puppet.tell([.contentPiece(longer)], to: 0) == .refused(.malformed))
        // Each piece is empty, ends outside of its content, or begins or ends within a chunk.
        for (byteCount, offset, count) in [
            (UInt64(5), UInt64(0), 6), (5, 65_536, 1), (.max, .max, 1), (.max, .max - 65_535, 65_536),
            (200_000, 5, 65_536), (200_000, 0, 5), (200_000, 65_536, 0), (300_000, 0, (128 << 10) + 1),
        ] {
            let piece = ContentPieceRecord(
                digest: digest, byteCount: byteCount, offset: offset, bytes: [UInt8](repeating: 0, count: count))
            var bytes: [UInt8] = []
            ReplicaRecord.contentPiece(piece).append(to: &bytes)
            #expect(throws: ReplicaRecordError.malformed, "\(byteCount) \(offset) \(count)") {
                try bytes.withUnsafeBytes { try ReplicaRecord.all(in: $0) }
            }
        }
        #expect(try expectClean(engine(0)) == [])
    }
}
