import ReplicaModel
import SQLCipher
import StoreBasics
import StoreCrypto
import Testing

@testable import StoreEngine

/// Tests a store that is restored from a copy of its folder or of its machine, and continues with other changes. It
/// seals other plaintexts under sequences that it has used before, and the servers may have both messages.
@Suite struct ReplicaRollbackTests: ReplicaFleetSuite {
    let fleet: ReplicaFleet

    init() throws {
        fleet = try ReplicaFleet(deviceCount: 2, seed: 1, kinds: [])
    }

    private func opened<Header: EnvelopeHeader>(_ message: [UInt8], _ type: Header.Type) throws -> [UInt8] {
        let (_, key) = try engine(0).newestEpoch()
        return try Envelope<Header>.open(
            message, signingKey: engine(0).signingKey(), epochKey: EpochKey(bytes: SecretBytes(copying: key)))
    }

    /// Returns the keystream: the XOR of a message's plaintext and ciphertext.
    private func keystream<Header: EnvelopeHeader>(_ message: [UInt8], _ type: Header.Type) throws -> [UInt8] {
        let plaintext = try opened(message, type)
        let ciphertext = message.dropFirst(Header.byteCount + 24).prefix(plaintext.count)
        return zip(plaintext, ciphertext).map { $0 ^ $1 }
    }

    /// Checks that two messages which were sealed with the same sequence share neither keystream nor nonce.
    private func expectNothingShared<Header: EnvelopeHeader>(
        _ left: [UInt8], _ right: [UInt8], _ type: Header.Type
    ) throws {
        let (leftStream, rightStream) = (try keystream(left, type), try keystream(right, type))
        // Two different keystreams agree in one byte of 256 by chance. A keystream that was used twice agrees in every
        // byte.
        #expect(zip(leftStream, rightStream).count(where: ==) < 16 + leftStream.count / 64)
        #expect(left.dropFirst(Header.byteCount).prefix(24) != right.dropFirst(Header.byteCount).prefix(24))
    }

    private func save(_ engine: StoreEngine, _ text: String) throws {
        try engine.write(.saveMessage(NewMessage(id: EntityID("said"), conversation: ann, text: text)))
    }

    private func messages(_ channel: ReplicaChannel, of engine: StoreEngine) throws -> [UInt64: [UInt8]] {
        let taken = try ReplicaFleet.take(
            OutgoingRequest(channel: channel, storedThrough: 0, bytesMax: 1 << 20), from: engine)
        return Dictionary(uniqueKeysWithValues: taken.map { ($0.sequence, $0.bytes) })
    }

    @Test func `batches of a store that was put back share no keystream with its earlier batches`() throws {
        let back = try fleet.copy(0)
        let own = ReplicaChannel.device(number(0))
        try save(engine(0), String(repeating: "x", count: 2_000))
        let before = try messages(own, of: engine(0))
        try save(back.engine, String(repeating: "y", count: 2_000))
        let after = try messages(own, of: back.engine)
        var comparedCount = 0
        for (sequence, left) in before {
            guard let right = after[sequence], right != left else { continue }
            #expect(try BatchHeader(parsing: left) == BatchHeader(parsing: right))
            try expectNothingShared(left, right, BatchHeader.self)
            comparedCount += 1
        }
        #expect(comparedCount > 0)
    }

    @Test func `chunks of a snapshot that a restored store makes again share no keystream`() throws {
        let id = ReplicaID.random()
        let puppet = try ReplicaPuppet(fleet)
        try puppet.tell([.snapshotRequest(SnapshotRequestRecord(id: id, maker: number(0)))], to: 0)
        let back = try fleet.copy(0)
        var chunks: [[UInt64: [UInt8]]] = []
        for (store, letter) in [(engine(0), "x"), (back.engine, "y")] {
            try save(store, String(repeating: letter, count: 2_000))
            _ = try messages(.device(number(0)), of: store)
            chunks.append(try messages(.snapshot(id), of: store))
        }
        let (left, right) = (try #require(chunks[0][1]), try #require(chunks[1][1]))
        try #require(left != right)
        let (first, second) = (try SnapshotChunkHeader(parsing: left), try SnapshotChunkHeader(parsing: right))
        // A slow machine cuts the snapshot earlier, so one of the two chunks may be the last.
        #expect(first.group == second.group && first.maker == second.maker && first.snapshotID == second.snapshotID)
        #expect(first.index == second.index && first.epoch == second.epoch)
        #expect(first.previousHash == second.previousHash)
        try expectNothingShared(left, right, SnapshotChunkHeader.self)
    }
}
