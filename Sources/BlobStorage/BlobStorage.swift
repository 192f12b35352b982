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
/// Messages come back in the order of the list that was saved, whatever their timestamps; what other programs have
/// added to the conversation comes after them, by its timestamps. An empty list is something that was saved, too: the
/// conversation is what the file was. Any number of tasks may read at once. Save and clear from one at a time: two at
/// once may leave the messages of both, or throw `.messageNotFound` for what the other has deleted.
///
/// Takes the rights to read and write messages and conversations, and for ``getStorageSize()`` that to blobs.
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
    /// - Parameter messages: in any order, which is kept. None leaves an empty list.
    /// - Throws: `.blobDamaged` for a text above 1 MiB, `.blobTimestampOutOfRange` for a timestamp the store cannot
    ///   hold; what the client's calls throw.
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

    /// Everything that is kept; nothing where nothing was saved.
    ///
    /// - Throws: what the client's calls throw.
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

    /// Deletes every message, and the conversation with them: nothing is saved any more.
    ///
    /// - Throws: what the client's calls throw.
    public func clearMessages() async throws(StoreClientError) {
        try await unlessAbsent { () throws(StoreClientError) in
            _ = try await client.deleteConversation(conversation)
        }
    }

    /// Whether anything was saved and not cleared: also an empty list.
    ///
    /// - Throws: what the client's calls throw.
    public func hasMessages() async throws(StoreClientError) -> Bool {
        let page = try await unlessAbsent { () throws(StoreClientError) in
            try await client.messagePage(MessageQuery(conversation: conversation, limit: 1))
        }
        return page != nil
    }

    /// Bytes of the message file that holds what is kept; 0 where nothing was saved.
    ///
    /// - Throws: what the client's calls throw.
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
    /// By their timestamps.
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

/// The messages of one saved list, whose ids say their places.
struct SavedList {
    /// A place in a list; lists made later come later.
    struct Place: Comparable {
        let list: String
        let number: UInt64

        static func < (left: Self, right: Self) -> Bool {
            (left.list, left.number) < (right.list, right.number)
        }
    }

    private static let prefix = "blob-storage/"
    private let list = UUIDv7().description

    /// Numbers have leading zeros: messages with equal timestamps are listed in the order of their ids.
    func id(ofPlace number: Int) -> String {
        let digits = String(number)
        return Self.prefix + list + "/" + String(repeating: "0", count: max(0, 10 - digits.utf8.count)) + digits
    }

    /// - Returns: `nil` for messages that others have added.
    static func place(of id: String) -> Place? {
        guard id.hasPrefix(prefix) else { return nil }
        let parts = id.dropFirst(prefix.count).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = UInt64(parts[1]) else { return nil }
        return Place(list: String(parts[0]), number: number)
    }
}
