import Foundation
import StoreClient

/// Sending and saving files. They are transferred in pieces, so a file of any size needs little memory.
extension Talk {
    private static let pieceBytes = 1 << 20

    func send(fileAt path: String, id: String) async throws {
        let file = try FileHandle(forReadingFrom: URL(filePath: path))
        defer { try? file.close() }
        var writer = try await store.beginAttachmentWrite()
        let digest: String
        do {
            while let piece = try file.read(upToCount: Self.pieceBytes), !piece.isEmpty {
                try await writer.write(Array(piece))
            }
            digest = try await writer.finishAttachment()
        } catch {
            // Without this call, the daemon would keep the unfinished content for another 60 seconds.
            try? await writer.end()
            throw error
        }
        let name = URL(filePath: path).lastPathComponent
        try await send("", id: id, attachments: [NewAttachment(.digest(digest), name: name)])
    }

    /// Writes an attachment to a new file. An existing file is left unchanged, and the call fails.
    func save(_ place: AttachmentPlace, to path: String) async throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            for try await piece in store.attachmentPieces(of: place.messageID, at: place.position) {
                try file.write(contentsOf: piece)
            }
            try file.close()
        } catch {
            // A part of the file could be taken for the whole file.
            unlink(path)
            throw error
        }
    }
}
