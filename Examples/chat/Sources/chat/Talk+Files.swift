import Foundation
import StoreClient

/// Files go through the store in pieces, so that their size does not matter.
extension Talk {
    func send(fileAt path: String, id: String) async throws {
        let attachment = try await NewAttachment(contentsOf: URL(filePath: path), in: store)
        try await send("", id: id, attachments: [attachment])
    }

    /// Writes an attachment into a new file of the person. A file that is there already is left alone.
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
            // Half of a file would look like a whole one.
            unlink(path)
            throw error
        }
    }
}
