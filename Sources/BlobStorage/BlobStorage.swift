import Interchange
public import StoreClient

/// A list of messages kept by the daemon in one conversation: the binary message file's library with the store in the
/// file's place.
///
/// ```swift
/// let storage = BlobStorage(client: store)
/// try await storage.saveMessages([BlobMessage(text: "Hello", isSent: true, messageType: .shortMessage)])
/// let messages = try await storage.loadMessages()
/// ```
///
/// Messages come back ordered by their timestamps; those of one timestamp in the order they were saved. Any number of
/// tasks may read at once. Save and clear from one at a time: two at once may leave the messages of both, or throw
/// `.messageNotFound` for what the other has deleted.
public struct BlobStorage: Sendable {
    /// The session id of the conversation where none is named.
    public static let defaultSessionID = "blob-storage"

    /// The connection, which stays the caller's.
    public let client: StoreClient
    /// What the messages' conversation is known by. It is created by the first save.
    public let sessionID: String

    /// Asks nothing of the daemon yet.
    ///
    /// - Parameters:
    ///   - client: stays the caller's; it must be open for as long as this is used.
    ///   - sessionID: 1 to 256 bytes.
    public init(client: StoreClient, sessionID: String = BlobStorage.defaultSessionID) {
        self.client = client
        self.sessionID = sessionID
    }

    private var conversation: ConversationReference { .sessionID(sessionID) }

    /// Keeps these messages in the place of whatever was kept before. When it returns, they are on disk.
    ///
    /// All of them are checked before anything is changed. The new ones are saved before the old ones are deleted, so
    /// that no failure loses both; one in between leaves both, and saving again puts it right.
    ///
    /// - Parameter messages: in any order. None leaves none.
    /// - Throws: `.blobDamaged` for a text above 1 MiB or a timestamp the store cannot hold; what the client's calls
    ///   throw.
    public func saveMessages(_ messages: [BlobMessage]) async throws(StoreClientError) {
        let file = BlobEncoder.encode(messages.map(\.inFile))
        try await send(file, BlobImportOptions(conversation: conversation, isDryRun: true))
        let old = try await storedIDs()
        try await send(file, BlobImportOptions(conversation: conversation, importID: UUIDv7().description))
        try await delete(old)
    }

    /// Everything that is kept; nothing where nothing was saved.
    ///
    /// - Throws: what the client's calls throw.
    public func loadMessages() async throws(StoreClientError) -> [BlobMessage] {
        guard let export = try await beginExport() else { return [] }
        var decoder = BlobDecoder(fileBytes: export.totalBytes)
        var messages: [BlobMessage] = []
        var offset: UInt64 = 0
        var isOver = false
        while !isOver {
            let piece = try await client.readBlobExport(export.session, offset: offset)
            offset += UInt64(piece.data.count)
            isOver = piece.isLast
            decoder.feed(piece.data)
            while let located = try Self.decoded({ () throws(InterchangeError) in try decoder.next() }) {
                messages.append(BlobMessage(located.message))
            }
        }
        try Self.decoded { () throws(InterchangeError) in try decoder.finish() }
        return messages
    }

    /// Deletes every message. The conversation stays.
    ///
    /// - Throws: what the client's calls throw.
    public func clearMessages() async throws(StoreClientError) {
        try await delete(try await storedIDs())
    }

    /// Whether any message is kept.
    ///
    /// - Throws: what the client's calls throw.
    public func hasMessages() async throws(StoreClientError) -> Bool {
        let newest = try await unlessAbsent { () throws(StoreClientError) in
            try await client.messagePage(MessageQuery(conversation: conversation, limit: 1))
        }
        return newest?.messages.isEmpty == false
    }

    /// Bytes of the message file that holds what is kept; 0 where nothing is.
    ///
    /// - Throws: what the client's calls throw.
    public func getStorageSize() async throws(StoreClientError) -> Int64 {
        guard let export = try await beginExport() else { return 0 }
        try await client.endBlobSession(export.session)
        return export.messageCount == 0 ? 0 : Int64(clamping: export.totalBytes)
    }
}

extension BlobStorage {
    /// - Returns: `nil` when nothing was ever saved.
    private func beginExport() async throws(StoreClientError) -> BlobExport? {
        try await unlessAbsent { () throws(StoreClientError) in try await client.beginBlobExport(of: conversation) }
    }

    private func send(_ file: [UInt8], _ options: BlobImportOptions) async throws(StoreClientError) {
        var options = options
        options.totalBytes = UInt64(file.count)
        let session = try await client.beginBlobImport(options)
        for start in stride(from: 0, to: file.count, by: StoreClient.blobPieceBytesMax) {
            let piece = file[start..<min(start + StoreClient.blobPieceBytesMax, file.count)]
            try await client.writeBlobImport(session, offset: UInt64(start), data: Array(piece))
        }
        _ = try await client.finishBlobImport(session)
    }

    private func storedIDs() async throws(StoreClientError) -> [String] {
        let ids = try await unlessAbsent { () throws(StoreClientError) in
            var ids: [String] = []
            for try await message in client.messages(in: conversation, order: .oldestFirst) {
                ids.append(message.id)
            }
            return ids
        }
        return ids ?? []
    }

    private func unlessAbsent<Value: Sendable>(
        _ body: () async throws(StoreClientError) -> Value
    ) async throws(StoreClientError) -> Value? {
        do throws(StoreClientError) {
            return try await body()
        } catch {
            guard error.reason == .conversationNotFound else { throw error }
            return nil
        }
    }

    private func delete(_ ids: [String]) async throws(StoreClientError) {
        for start in stride(from: 0, to: ids.count, by: Self.deletedAtOnceMax) {
            try await client.deleteMessages(Array(ids[start..<min(start + Self.deletedAtOnceMax, ids.count)]))
        }
    }

    private static func decoded<Value>(
        _ body: () throws(InterchangeError) -> Value
    ) throws(StoreClientError) -> Value {
        do throws(InterchangeError) {
            return try body()
        } catch {
            throw StoreClientError(code: .internal, reason: .answerUnreadable, message: error.description)
        }
    }

    private static let deletedAtOnceMax = 1_000
}
