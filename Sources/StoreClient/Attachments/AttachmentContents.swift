public import FoundationEssentials

extension NewAttachment.Content {
    /// Returns the content itself, of any size, as `.bytes` does.
    public static func data(_ data: Data) -> Self {
        .bytes([UInt8](data))
    }
}

extension NewAttachment {
    /// Writes the content of a file to the store, and creates an attachment with it.
    ///
    /// ```swift
    /// let photo = try await NewAttachment(contentsOf: URL(filePath: "photo.jpg"), mimeType: "image/jpeg", in: store)
    /// try await store.saveMessage(NewMessage(conversation: .sessionID("05alice"), text: "look", attachments: [photo]))
    /// ```
    ///
    /// The file may have any size: one piece at a time is in memory. Save a message or draft with the attachment within
    /// an hour; after that the daemon deletes a content that nothing has.
    ///
    /// - Parameters:
    ///   - file: the URL of a regular file of this machine; symbolic links are followed.
    ///   - name: at most 255 bytes; `nil`: the name of the file.
    ///   - mimeType: such as `image/jpeg`. It is not guessed.
    ///   - thumbnail: at most 16,384 bytes; empty for none.
    ///   - source: where the application can fetch the content again; `nil`: nowhere, and the store keeps it.
    ///   - store: the client of the store that the attachment will be saved in.
    /// - Throws: what `StoreClient.writeAttachment(contentsOf:)` throws.
    public init(
        contentsOf file: URL, name: String? = nil, mimeType: String = "application/octet-stream",
        thumbnail: [UInt8] = [], source: String? = nil, in store: StoreClient
    ) async throws(StoreClientError) {
        self.init(
            .digest(try await store.writeAttachment(contentsOf: file)), name: name ?? file.lastPathComponent,
            mimeType: mimeType, thumbnail: thumbnail, source: source)
    }
}

extension StoreClient {
    /// Writes the content of a file, of any size, for an attachment that is saved with a message or draft later. One
    /// piece of the file at a time is in memory.
    ///
    /// - Parameter file: the URL of a regular file of this machine; symbolic links are followed.
    /// - Returns: the digest of the content, for `NewAttachment.Content.digest`.
    /// - Throws: `.inputOutputFailed` if the file cannot be read, or became longer or shorter meanwhile;
    ///   `.invalidArgument` if the URL names no regular file; `.diskFull`; `.fileWriteNotFound` if the daemon was
    ///   restarted meanwhile; `.deadlineExceeded` if other writes left no room in time. Nothing was written then.
    public func writeAttachment(contentsOf file: URL) async throws(StoreClientError) -> String {
        let file = try HostFile(file)
        return try await writingLarge { () throws(StoreClientError) in
            let writer = try await beginAttachmentWrite(byteCount: file.byteCount)
            return try await writer.endingOnFailure { (writer) throws(StoreClientError) in
                var offset = 0
                while true {
                    let piece = try file.read(from: offset, byteCountMax: Self.filePieceBytes)
                    guard !piece.isEmpty else { break }
                    try await writer.write(piece)
                    offset += piece.count
                }
                return try await writer.finishAttachment()
            }
        }
    }
}
