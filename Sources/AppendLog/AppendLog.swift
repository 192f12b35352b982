public import FoundationEssentials
public import StoreClient

/// A bounded log of messages kept by the daemon, with the calls of the
/// [CacheAdvance](https://github.com/dfed/CacheAdvance) file library.
///
/// ```swift
/// let events = try await AppendLog<Event>(
///     client: store, name: "events", maximumBytes: 1_048_576, shouldOverwriteOldMessages: true)
/// try await events.append(message: Event(text: "started"))
/// ```
///
/// Messages are kept as JSON, or as a coder given to the log makes them. Unlike a file, a log may be used by any number
/// of tasks and processes at once.
public final class AppendLog<Message: Codable & Sendable>: Sendable {
    /// What the log is called in the store.
    public let name: String
    let client: StoreClient
    let configuration: LogConfiguration
    let decoder: any MessageDecoder
    private let encoder: any MessageEncoder

    /// Most bytes of a message as it is kept: 8 MiB.
    public static var messageBytesMax: Int { LogEntry.bytesMax }

    /// Creates the log, or finds the one of this name.
    ///
    /// A log that was made with another size or another answer to being full is found too; it can be read but not
    /// written.
    ///
    /// - Parameters:
    ///   - client: stays the caller's; it must be open for as long as the log is used.
    ///   - name: 1 to 256 bytes.
    ///   - maximumBytes: most bytes the log takes: a header of 64, then each message with four bytes of length. Must be
    ///     the same for the life of the log.
    ///   - shouldOverwriteOldMessages: once it is full, new messages take the place of the oldest ones. Must be the
    ///     same for the life of the log.
    ///   - decoder: reads what is kept. Must understand the messages for the life of the log.
    ///   - encoder: writes what is kept. Must write what the decoder reads for the life of the log.
    /// - Throws: ``AppendLogError/failed(_:)``.
    public init(
        client: StoreClient, name: String, maximumBytes: UInt64, shouldOverwriteOldMessages: Bool,
        decoder: any MessageDecoder = JSONDecoder(), encoder: any MessageEncoder = JSONEncoder()
    ) async throws(AppendLogError) {
        self.name = name
        self.client = client
        self.decoder = decoder
        self.encoder = encoder
        configuration = LogConfiguration(
            maximumBytes: maximumBytes, overwritesOldest: shouldOverwriteOldMessages)
        try await AppendLogError.mapping { () throws(StoreClientError) in
            _ = try await client.openLog(name, configuration)
        }
    }

    /// Whether the log has the size and the answer to being full that this was made with.
    ///
    /// - Throws: ``AppendLogError/failed(_:)``.
    public func isWritable() async throws(AppendLogError) -> Bool {
        try await log().configuration == configuration
    }

    /// Whether the log holds no message.
    ///
    /// - Throws: ``AppendLogError/failed(_:)``.
    public func isEmpty() async throws(AppendLogError) -> Bool {
        try await log().isEmpty
    }

    /// Appends a message; when this returns it is on disk.
    ///
    /// - Parameter message: what is kept, at most ``messageBytesMax`` as the encoder writes it.
    /// - Throws: ``AppendLogError/messageLargerThanCacheCapacity``,
    ///   ``AppendLogError/messageLargerThanRemainingCacheSize``, ``AppendLogError/fileNotWritable``,
    ///   ``AppendLogError/messageNotEncodable``, ``AppendLogError/failed(_:)``.
    public func append(message: Message) async throws(AppendLogError) {
        try await append(messages: [message])
    }

    /// Appends every message or none; when this returns they are on disk.
    ///
    /// - Parameter messages: in the order they are read again; at most 256, and what one request holds (8 MiB). None
    ///   changes nothing.
    /// - Throws: as ``append(message:)``.
    public func append(messages: [Message]) async throws(AppendLogError) {
        guard !messages.isEmpty else { return }
        var encoded: [[UInt8]] = []
        encoded.reserveCapacity(messages.count)
        for message in messages {
            guard let data = try? encoder.encode(message), !data.isEmpty else { throw .messageNotEncodable }
            guard data.count <= Self.messageBytesMax else { throw .messageLargerThanCacheCapacity }
            encoded.append([UInt8](data))
        }
        try await append(encoded: encoded)
    }

    /// Every message the log holds, oldest first.
    ///
    /// - Throws: ``AppendLogError/messageUnreadable(sequence:)``, ``AppendLogError/failed(_:)``.
    public func messages() async throws(AppendLogError) -> [Message] {
        var messages: [Message] = []
        for entry in try await entries() {
            messages.append(try decoder.message(entry.data, sequence: entry.sequence))
        }
        return messages
    }

    /// Messages as they are appended, by this process or another, each once and in order. Goes on while the log is
    /// quiet and while the daemon is away.
    ///
    /// - Parameters:
    ///   - sequence: the last one that is not wanted, as ``FollowedMessages/Iterator/lastSequence`` told it; 0 starts
    ///     at the oldest.
    ///   - identity: which log `sequence` is of, as ``FollowedMessages/Iterator/identity`` told it; `nil`: whichever
    ///     has the name.
    /// - Returns: messages that are read while the sequence is iterated.
    public func follow(after sequence: UInt64 = 0, of identity: LogIdentity? = nil) -> FollowedMessages<Message> {
        FollowedMessages(stream: client.followLog(name, after: sequence, of: identity), decoder: decoder)
    }

    func append(encoded: [[UInt8]]) async throws(AppendLogError) {
        try await AppendLogError.mapping { () throws(StoreClientError) in
            _ = try await client.append(encoded, toLog: name, expecting: configuration)
        }
    }

    func entries() async throws(AppendLogError) -> [LogEntry] {
        try await AppendLogError.mapping { () throws(StoreClientError) in
            try await client.logEntries(name).collect()
        }
    }

    func log() async throws(AppendLogError) -> Log {
        try await AppendLogError.mapping { () throws(StoreClientError) in try await client.log(name) }
    }
}

/// Messages of a log as they are appended: ``AppendLog/follow(after:of:)``. Ends by throwing, as `LogStream` does.
public struct FollowedMessages<Message: Codable & Sendable>: AsyncSequence, Sendable {
    /// What the log's messages are.
    public typealias Element = Message
    /// What ends the sequence.
    public typealias Failure = AppendLogError

    let stream: LogStream
    let decoder: any MessageDecoder

    /// Starts to follow. Each iterator gets every message.
    public func makeAsyncIterator() -> Iterator {
        Iterator(entries: stream.makeAsyncIterator(), decoder: decoder)
    }

    /// Follows a log once.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        var entries: LogStream.Iterator
        let decoder: any MessageDecoder

        /// The number of the last message taken: keep it to go on behind it later.
        public var lastSequence: UInt64 {
            entries.lastSequence
        }

        /// Which log this follows: keep it with the number. `nil` before the first message.
        public var identity: LogIdentity? {
            entries.identity
        }

        /// Waits for the next message.
        ///
        /// - Parameter actor: where the caller runs.
        /// - Returns: never `nil`: a log has no end.
        /// - Throws: ``AppendLogError/messageUnreadable(sequence:)``, ``AppendLogError/failed(_:)``.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(AppendLogError) -> Message? {
            let entry: LogEntry?
            do throws(StoreClientError) {
                entry = try await entries.next(isolation: actor)
            } catch {
                throw AppendLogError(error)
            }
            guard let entry else { return nil }
            return try decoder.message(entry.data, sequence: entry.sequence)
        }
    }
}
