import Glibc
import StoreBasics
import StoreClient
import TestBasics
import Testing

/// A file of the vault, or the content of an attachment, together with the host file that stores it.
struct VaultVictim {
    static let chunkBytes = 65_536
    static let headerBytes = 64

    enum Place: Equatable {
        case file(VaultPath)
        /// The only attachment of the message with this id.
        case attachment(String)
    }

    let place: Place
    let content: ContentBytes
    /// The revision of the change that created the content. The check reports this revision if the content is damaged.
    let revision: UInt64
    let hostPath: String
    /// The bytes of the host file as the daemon wrote them.
    let sealed: [UInt8]

    static func chunkCount(_ byteCount: Int) -> Int {
        (byteCount + chunkBytes - 1) / chunkBytes
    }

    var chunkCount: Int { Self.chunkCount(content.count) }
    var slotBytes: Int { Self.chunkBytes + overheadBytes }
    /// The number of bytes that sealing adds to a chunk: a nonce, which is shorter for AES, and an authenticator.
    var overheadBytes: Int { sealed[9] == 1 ? 28 : 40 }

    /// Returns the position of a chunk in a file whose chunks were each written once.
    func slot(_ chunk: Int) -> Range<Int> {
        let start = Self.headerBytes + chunk * slotBytes
        return start..<min(start + slotBytes, sealed.count)
    }

    func plaintext(_ chunk: Int) -> ContentBytes {
        ContentBytes(Array(content.array[(chunk * Self.chunkBytes)...].prefix(Self.chunkBytes)))
    }

    func read(_ chunk: Int, _ client: StoreClient) async throws -> ContentBytes {
        let offset = UInt64(chunk * Self.chunkBytes)
        switch place {
        case .file(let path):
            return ContentBytes(try await client.filePiece(at: path, from: offset, byteCount: Self.chunkBytes).bytes)
        case .attachment(let id):
            return ContentBytes(
                try await client.attachmentPiece(of: id, at: 0, from: offset, byteCount: Self.chunkBytes).bytes)
        }
    }

    /// Replaces the host file by a new file with these bytes.
    func put(_ bytes: [UInt8]) throws {
        unlink(hostPath)
        let file = open(hostPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        try #require(file >= 0)
        defer { close(file) }
        try bytes.withUnsafeBytes { try FileDescriptorCalls.write(file, $0) }
    }
}
