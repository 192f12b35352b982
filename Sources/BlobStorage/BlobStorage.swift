public import StoreClient

/// A list of messages that the daemon stores in one conversation. It has the functions of the library for binary
/// message files, but stores the messages in the daemon instead of a file.
///
/// ```swift
/// let storage = BlobStorage(client: store)
/// try await storage.saveMessages([BlobMessage(text: "Hello", isSent: true, messageType: .shortMessage)])
/// let messages = try await storage.loadMessages()
/// ```
///
/// Messages are loaded in the order of the saved list, whatever their timestamps are. Messages that other programs have
/// added to the conversation follow in the order of their timestamps. An empty list can be saved, too:
/// ``hasMessages()`` then returns true. Any number of tasks may read at the same time. Save and clear from one task at
/// a time: concurrent calls may leave the messages of both, or throw `.messageNotFound` for messages that the other
/// call deleted.
///
/// The functions need the rights to read and write messages and conversations, and ``getStorageSize()`` also the right
/// for blobs.
public struct BlobStorage: Sendable {
    /// The session id if the initializer gets none. Storages with the same session id share their messages.
    public static let defaultSessionID = "blob-storage"

    /// The connection, which the caller must close.
    public let client: StoreClient
    /// The session id of the conversation. The first save creates the conversation.
    public let sessionID: String

    /// Creates the storage without a request to the daemon.
    ///
    /// - Parameters:
    ///   - client: a client that the caller keeps open while the storage is used.
    ///   - sessionID: 1 to 256 bytes.
    public init(client: StoreClient, sessionID: String = BlobStorage.defaultSessionID) {
        self.client = client
        self.sessionID = sessionID
    }

    private var conversation: ConversationReference { .sessionID(sessionID) }

    /// Replaces all stored messages by the given ones. They are on disk when the function returns.
    ///
    /// All messages are checked before anything is changed. The new messages are saved before the old ones are deleted,
    /// so that a failure cannot lose both. After a failure in between, the store contains the old and the new messages.
    /// Saving again then removes the old ones.
    ///
    /// - Parameter messages: the messages in the order in which ``loadMessages()`` returns them. An empty array saves
    ///   an empty list.
    /// - Throws: `.blobDamaged` for a text above 1 MiB, `.blobTimestampOutOfRange` for a timestamp outside the store's
    ///   range, and errors of the client.
    public func saveMessages(_ messages: [BlobMessage]) async throws(StoreClientError) {
        let list = SavedList()
        var new: [NewMessage] = []
        new.reserveCapacity(messages.count)
        for (place, message) in messages.enumerated() {
            new.append(try message.saved(as: list.id(ofPlace: place), in: sessionID))
        }
        let old = try await kept().map(\.id)
        if new.isEmpty {
            _ = try await client.getOrCreateConversation(sessionID: sessionID)
        }
        let batches = new.batches(countMax: StoreClient.entriesPerRequestMax, bytesMax: Self.savedAtOnceBytesMax) {
            $0.text.utf8.count
        }
        for batch in batches {
            try await client.saveMessages(Array(new[batch]))
        }
        for start in stride(from: 0, to: old.count, by: StoreClient.entriesPerRequestMax) {
            try await client.deleteMessages(Array(old[start...].prefix(StoreClient.entriesPerRequestMax)))
        }
    }

    /// Returns all stored messages; an empty array if nothing was saved.
    ///
    /// - Throws: errors of the client.
    public func loadMessages() async throws(StoreClientError) -> [BlobMessage] {
        let kept = try await kept().enumerated().map { (place: SavedList.place(of: $1.id), number: $0, message: $1) }
        return kept.sorted { left, right in
            switch (left.place, right.place) {
            case (.some(let first), .some(let second)): first < second
            case (.some, .none): true
            case (.none, .some): false
            case (.none, .none): left.number < right.number
            }
        }.map { BlobMessage($0.message) }
    }

    /// Deletes all messages together with the conversation, so that `hasMessages` returns false.
    ///
    /// - Throws: errors of the client.
    public func clearMessages() async throws(StoreClientError) {
        try await unlessAbsent { () throws(StoreClientError) in
            _ = try await client.deleteConversation(conversation)
        }
    }

    /// Returns true if a list, even an empty one, was saved and not cleared.
    ///
    /// - Throws: errors of the client.
    public func hasMessages() async throws(StoreClientError) -> Bool {
        let page = try await unlessAbsent { () throws(StoreClientError) in
            try await client.messagePage(MessageQuery(conversation: conversation, limit: 1))
        }
        return page != nil
    }

    /// Returns the size of the message file with the stored messages; 0 if nothing was saved.
    ///
    /// - Throws: errors of the client.
    public func getStorageSize() async throws(StoreClientError) -> Int64 {
        let export = try await unlessAbsent { () throws(StoreClientError) in
            try await client.beginBlobExport(of: conversation)
        }
        guard let export else { return 0 }
        try await client.endBlobSession(export.session)
        return Int64(clamping: export.totalBytes)
    }
}

extension BlobStorage {
    /// Returns all messages of the conversation, ordered by their timestamps.
    private func kept() async throws(StoreClientError) -> [Message] {
        let messages = try await unlessAbsent { () throws(StoreClientError) in
            try await client.messages(in: conversation, order: .oldestFirst).collect()
        }
        return messages ?? []
    }

    @discardableResult
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

    private static let savedAtOnceBytesMax = 4 << 20
}

/// The messages of one saved list. Their ids contain their positions in the list.
struct SavedList {
    /// A position in a list. Positions in lists that were saved later come later.
    struct Place: Comparable {
        let list: String
        let number: UInt64

        static func < (left: Self, right: Self) -> Bool {
            (left.list, left.number) < (right.list, right.number)
        }
    }

    private static let prefix = "blob-storage/"
    private let list = UUIDv7().description

    /// Returns the id of the message at a position. The number in the id has leading zeros, because messages with equal
    /// timestamps are ordered by their ids.
    func id(ofPlace number: Int) -> String {
        let digits = String(number)
        return Self.prefix + list + "/" + String(repeating: "0", count: max(0, 10 - digits.utf8.count)) + digits
    }

    /// Returns the position that the id of a message contains; `nil` if another program has added the message.
    static func place(of id: String) -> Place? {
        guard id.hasPrefix(prefix) else { return nil }
        let parts = id.dropFirst(prefix.count).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = UInt64(parts[1]) else { return nil }
        return Place(list: String(parts[0]), number: number)
    }
}
