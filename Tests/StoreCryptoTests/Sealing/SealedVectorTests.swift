import FoundationEssentials
import Interchange
import StoreCrypto
import Testing

/// Tests that read files. The script proto-docs/vectors/blobs/make.py wrote them from the documented format, without
/// this library.
@Suite struct SealedVectorTests {
    private func file(_ name: String, of vectors: String = "blobs") throws -> [UInt8] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return Array(try Data(contentsOf: root.appending(path: "proto-docs/vectors/\(vectors)/\(name)")))
    }

    @Test func `the plain file reads and is rewritten byte for byte`() throws {
        let messages = try BlobDecoder.decode(try file("plain.blob"))
        #expect(messages.count == 200)
        #expect(BlobEncoder.encode(messages) == (try file("plain.blob")))
    }

    @Test func `the file sealed with a passphrase opens`() throws {
        #expect(try open(file("passphrase.sealed"), try passphrase("vector passphrase")) == file("plain.blob"))
    }

    @Test func `the file sealed for a recipient opens`() throws {
        let secret = try SlotSecret(kind: .keyFile, bytes: secretBytes(Array(0..<32)))
        #expect(try open(file("recipient.sealed"), secret) == file("plain.blob"))
    }

    @Test func `archives sealed with a passphrase, for one recipient or for several open`() throws {
        let plain = try file("plain.archive", of: "archives")
        #expect(
            try open(file("passphrase.sealed", of: "archives"), try passphrase("vector passphrase"), .archive) == plain)
        for (name, first) in [("recipient", 0), ("recipients", 0), ("recipients", 32)] {
            let secret = try SlotSecret(kind: .keyFile, bytes: secretBytes(Array(UInt8(first)..<UInt8(first + 32))))
            #expect(try open(file(name + ".sealed", of: "archives"), secret, .archive) == plain)
        }
        let other = openingError(
            try file("recipient.sealed", of: "archives"),
            try SlotSecret(kind: .keyFile, bytes: secretBytes(Array(0..<32))))
        #expect(other?.code == .sealedFileDamaged)
    }
}
