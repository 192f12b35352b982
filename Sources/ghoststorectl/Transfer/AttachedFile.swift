import ArgumentParser
import StoreClient

/// A file of this machine that is attached to a message or draft: `FILE` or `FILE:TYPE`.
struct AttachedFile: ExpressibleByArgument {
    let path: String
    let mimeType: String

    init(argument: String) {
        // A type has a slash and no other colon behind it; a path may have both.
        let colon = argument.lastIndex(of: ":")
        let type = colon.map { String(argument[argument.index(after: $0)...]) } ?? ""
        guard let colon, type.split(separator: "/", omittingEmptySubsequences: false).count == 2, !type.hasPrefix("/")
        else {
            path = argument
            mimeType = "application/octet-stream"
            return
        }
        path = String(argument[..<colon])
        mimeType = type
    }

    /// Its content goes along with the message or draft, or is written before it, a piece in memory at a time.
    func attachment(_ client: StoreClient) async throws -> NewAttachment {
        let file = try InputFile(path)
        let name = path == "-" ? "" : path.split(separator: "/").last.map(String.init) ?? ""
        let first = try file.readChunk(bytes: StoreClient.filePieceBytes)
        guard first.count == StoreClient.filePieceBytes else {
            return NewAttachment(.bytes(first), name: name, mimeType: mimeType)
        }
        let digest = try await client.beginAttachmentWrite().endingOnFailure { writer in
            try await writer.write(first, restOf: file)
            return try await writer.finishAttachment()
        }
        return NewAttachment(.digest(digest), name: name, mimeType: mimeType)
    }
}
