import FoundationEssentials
import ReplicaModel
import StoreBasics
import Testing

@testable import StoreCrypto

/// Tests that compare the envelopes with proto-docs/vectors/replication/replication-v1.txt. The script make.py in the
/// same folder wrote this file and shares no code with this library.
@Suite struct ReplicationVectorTests {
    private let fields: [String: String]

    init() throws {
        var root = URL(filePath: #filePath)
        for _ in 0..<4 {
            root.deleteLastPathComponent()
        }
        let file = root.appending(path: "proto-docs/vectors/replication/replication-v1.txt")
        let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        fields = Dictionary(
            uniqueKeysWithValues: try text.split(separator: "\n").map { line in
                let separator = try #require(line.firstIndex(of: ":"))
                return (String(line[..<separator]), String(line[separator...].dropFirst(2)))
            })
    }

    private func text(_ name: String) throws -> String {
        try #require(fields[name], "\(name)")
    }

    private func hexadecimal(_ name: String) throws -> [UInt8] {
        try #require(Hexadecimal.decode(try text(name)), "\(name)")
    }

    private func device() throws -> ReplicaDeviceKeys {
        try ReplicaDeviceKeys(bytes: secretBytes(hexadecimal("seed") + hexadecimal("receiving secret")))
    }

    private func sealer<Header>(_ type: Header.Type) throws -> Sealer<Header> {
        Sealer(device: try device(), epoch: try EpochKey(bytes: secretBytes(hexadecimal("epoch key"))))
    }

    private func epoch() throws -> EpochID {
        let number = try #require(UInt32(try text("epoch number")))
        return EpochID(number: number, maker: try #require(UInt64(try text("epoch maker"))))
    }

    @Test func `public keys equal the vector's, and its sealed key opens`() throws {
        let device = try device()
        #expect(try device.signingKey == hexadecimal("signing key"))
        #expect(try device.receivingKey == hexadecimal("receiving key"))
        let opened = try EpochKey(opening: hexadecimal("sealed epoch key"), with: device)
        #expect(contents(of: opened.bytes) == (try hexadecimal("epoch key")))
    }

    @Test func `batches equal the vector's byte for byte, and open`() throws {
        let sealer = try sealer(BatchHeader.self)
        let device = try #require(UInt64(try text("device")))
        var previousHash = [UInt8](repeating: 0, count: 32)
        for sequence in UInt64(1)...2 {
            let header = BatchHeader(
                group: try hexadecimal("group"), device: device, sequence: sequence, epoch: try epoch(),
                previousHash: previousHash)
            let plaintext = try hexadecimal("batch \(sequence) plaintext")
            let vector = try hexadecimal("batch \(sequence)")
            #expect(try sealer.seal(header, plaintext) == vector)
            #expect(try sealer.open(vector, signingKey: hexadecimal("signing key")) == plaintext)
            #expect(try BatchHeader(parsing: vector) == header)
            previousHash = BatchEnvelope.hash(of: vector)
        }
        #expect(try BatchEnvelope.hash(of: hexadecimal("batch 1")) == hexadecimal("batch 1 hash"))
    }

    @Test func `snapshot chunks equal the vector's byte for byte, and open`() throws {
        let sealer = try sealer(SnapshotChunkHeader.self)
        let maker = try #require(UInt64(try text("device")))
        var previousHash = [UInt8](repeating: 0, count: 32)
        for index in UInt32(0)...1 {
            let header = SnapshotChunkHeader(
                group: try hexadecimal("group"), maker: maker, snapshotID: try hexadecimal("snapshot"), index: index,
                isLast: index == 1, epoch: try epoch(), previousHash: previousHash)
            let plaintext = try hexadecimal("chunk \(index) plaintext")
            let vector = try hexadecimal("chunk \(index)")
            #expect(try sealer.seal(header, plaintext) == vector)
            #expect(try sealer.open(vector, signingKey: hexadecimal("signing key")) == plaintext)
            #expect(try SnapshotChunkHeader(parsing: vector) == header)
            previousHash = SnapshotEnvelope.hash(of: vector)
        }
    }

    @Test func `an invitation equals the vector's byte for byte, and opens`() throws {
        let key = try InvitationKey(code: secretBytes(Array(try text("invitation code").utf8)))
        #expect(try key.id == hexadecimal("invitation"))
        for (kind, name) in [(InvitationKey.Kind.request, "request"), (.welcome, "welcome")] {
            let nonce = try hexadecimal("\(name) nonce")
            let sealed = try hexadecimal("\(name) plaintext").withUnsafeBytes { key.seal(kind, $0, nonce: nonce) }
            #expect(try sealed == hexadecimal(name))
        }
        let request = try key.openRequest(hexadecimal("request"))
        #expect(try request == hexadecimal("request plaintext"))
        let welcome = try key.openWelcome(hexadecimal("welcome"))
        #expect(contents(of: welcome) == (try hexadecimal("welcome plaintext")))
        let proof = RequestProof.sign(request, invitation: key.id, deviceKeys: try device())
        #expect(try proof == hexadecimal("request proof"))
        try RequestProof.verify(proof, of: request, invitation: key.id, signingKey: hexadecimal("signing key"))
    }
}
