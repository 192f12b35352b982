import Foundation
import StoreClient

/// Sending and saving files. They are transferred in pieces, so a file of any size needs little memory.
extension Talk {
    func send(fileAt path: String, id: String) async throws {
        let attachment = try await NewAttachment(contentsOf: URL(filePath: path), in: store)
        try await send("", id: id, attachments: [attachment])
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
            // Removes the incomplete file, because a person could take it for the whole file.
            unlink(path)
            throw error
        }
    }
}
