public import FoundationEssentials

extension NewAttachment.Content {
    /// Returns the content `.bytes` with the bytes of `data`.
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
    /// The file may have any size, because only one piece of it is in memory at a time. Save a message or draft with
    /// the attachment within an hour; after that, the daemon deletes a content that no message or draft has.
    ///
    /// - Parameters:
    ///   - file: The URL of a regular file of this machine. Symbolic links are followed.
    ///   - name: At most 255 bytes; `nil` uses the name of the file.
    ///   - mimeType: The type, such as `image/jpeg`. It is not guessed.
    ///   - thumbnail: At most 16,384 bytes; empty for none.
    ///   - source: The address from which the application can fetch the content again; `nil` if there is none. The
    ///     store never evicts a content without a source.
    ///   - metadata: Data of the application's own; `nil` for none.
    ///   - store: The client of the store that the attachment will be saved in.
    /// - Throws: The errors of `StoreClient.writeAttachment(contentsOf:)`.
    public init(
        contentsOf file: URL, name: String? = nil, mimeType: String = "application/octet-stream",
        thumbnail: [UInt8] = [], source: String? = nil, metadata: Metadata? = nil, in store: StoreClient
    ) async throws(StoreClientError) {
        self.init(
            .digest(try await store.writeAttachment(contentsOf: file)), name: name ?? file.lastPathComponent,
            mimeType: mimeType, thumbnail: thumbnail, source: source, metadata: metadata)
    }
}

extension StoreClient {
    /// Writes the content of a file, of any size, for an attachment that is saved with a message or draft later. Only
    /// one piece of the file is in memory at a time.
    ///
    /// - Parameter file: The URL of a regular file of this machine. Symbolic links are followed.
    /// - Returns: The digest of the content, for `NewAttachment.Content.digest`.
    /// - Throws: `.inputOutputFailed` if the file cannot be read, or its size changed meanwhile; `.invalidArgument` if
    ///   there is no regular file at the URL; `.diskFull`; `.fileWriteNotFound` if the daemon was restarted meanwhile;
    ///   `.deadlineExceeded` if other writes left no room in time. After an error, nothing was written.
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
