import Glibc
import StoreBasics
import StoreClient
import TestBasics
import Testing

/// A file of the vault, or the content of a message's attachment, with the host's file that holds it.
struct VaultVictim {
    static let chunkBytes = 65_536
    static let headerBytes = 64

    enum Place: Equatable {
        case file(VaultPath)
        /// Of a message with this id, which has no other.
        case attachment(String)
    }

    let place: Place
    let content: ContentBytes
    /// Under which the changes name it, and the check where it is damaged.
    let revision: UInt64
    let hostPath: String
    /// As it was written, and as the disk is to give it back.
    let sealed: [UInt8]

    /// Chunks of contents this long.
    static func chunkCount(_ byteCount: Int) -> Int {
        (byteCount + chunkBytes - 1) / chunkBytes
    }

    var chunkCount: Int { Self.chunkCount(content.count) }
    var slotBytes: Int { Self.chunkBytes + overheadBytes }
    /// What a sealed chunk has more than its plaintext: a nonce, which AES has a shorter one of, and an authenticator.
    var overheadBytes: Int { sealed[9] == 1 ? 28 : 40 }

    /// Where a chunk lies in a file that was written once.
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

    /// Puts other bytes in the place of the host's file.
    func put(_ bytes: [UInt8]) throws {
        unlink(hostPath)
        let file = open(hostPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        try #require(file >= 0)
        defer { close(file) }
        try bytes.withUnsafeBytes { try FileDescriptorCalls.write(file, $0) }
    }
}
