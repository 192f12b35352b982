public import FoundationEssentials
public import StoreClient

/// A log of limited size that the daemon stores, with the same functions as a file of the
/// [CacheAdvance](https://github.com/dfed/CacheAdvance) library.
///
/// ```swift
/// let events = try await AppendLog<Event>(
///     client: store, name: "events", maximumBytes: 1_048_576, shouldOverwriteOldMessages: true)
/// try await events.append(message: Event(text: "started"))
/// ```
///
/// Messages are stored as JSON, or in the format of the given coders. Unlike a file, a log may be used by any number of
/// tasks and processes at the same time.
public final class AppendLog<Message: Codable & Sendable>: Sendable {
    /// The name of the log. All objects with this name and with the same store use the same log.
    public let name: String
    let client: StoreClient
    let configuration: LogConfiguration
    let decoder: any MessageDecoder
    private let encoder: any MessageEncoder

    /// The largest size of an encoded message: 8 MiB.
    public static var messageBytesMax: Int { LogEntry.bytesMax }

    /// Opens the log with this name; creates it if it does not exist.
    ///
    /// A log that was created with another size or another overwriting policy can be read but not written.
    ///
    /// - Parameters:
    ///   - client: a client that the caller keeps open while the log is used.
    ///   - name: 1 to 256 bytes.
    ///   - maximumBytes: the size of the log in bytes. A header needs 64 of them, and each message needs 4 for its
    ///     length. To write to an existing log, give the size with which it was created.
    ///   - shouldOverwriteOldMessages: if true, new messages replace the oldest ones when the log is full. To write to
    ///     an existing log, give the value with which it was created.
    ///   - decoder: decodes stored messages. Must be able to decode all messages of the log.
    ///   - encoder: encodes messages in the decoder's format.
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

    /// Returns true if the log was created with the same size and overwriting policy as this object.
    ///
    /// - Throws: ``AppendLogError/failed(_:)``.
    public func isWritable() async throws(AppendLogError) -> Bool {
        try await log().configuration == configuration
    }

    /// Returns true if the log contains no message.
    ///
    /// - Throws: ``AppendLogError/failed(_:)``.
    public func isEmpty() async throws(AppendLogError) -> Bool {
        try await log().isEmpty
    }

    /// Appends a message. It is on disk when the function returns.
    ///
    /// - Parameter message: the message, at most ``messageBytesMax`` bytes after encoding.
    /// - Throws: ``AppendLogError/messageLargerThanCacheCapacity``,
    ///   ``AppendLogError/messageLargerThanRemainingCacheSize``, ``AppendLogError/fileNotWritable``,
    ///   ``AppendLogError/messageNotEncodable``, ``AppendLogError/failed(_:)``.
    public func append(message: Message) async throws(AppendLogError) {
        try await append(messages: [message])
    }

    /// Appends all messages or none. They are on disk when the function returns.
    ///
    /// - Parameter messages: the messages in the order in which they will be read; at most 256, with at most 8 MiB in
    ///   total. An empty array changes nothing.
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

    /// Returns all messages of the log, oldest first.
    ///
    /// - Throws: ``AppendLogError/messageUnreadable(sequence:)``, ``AppendLogError/failed(_:)``.
    public func messages() async throws(AppendLogError) -> [Message] {
        var messages: [Message] = []
        for entry in try await entries() {
            messages.append(try decoder.message(entry.data, sequence: entry.sequence))
        }
        return messages
    }

    /// Returns messages as they are appended by this process or another, each once and in order. The returned sequence
    /// waits while nothing is appended and while the daemon is unavailable.
    ///
    /// - Parameters:
    ///   - sequence: the number of the message after which to begin, from ``FollowedMessages/Iterator/lastSequence``; 0
    ///     begins with the oldest message.
    ///   - identity: the log that `sequence` belongs to, from ``FollowedMessages/Iterator/identity``; `nil` for any log
    ///     with this name.
    /// - Returns: a sequence that reads the messages while it is iterated.
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

/// The sequence that ``AppendLog/follow(after:of:)`` returns: the messages of a log as they are appended. It ends only
/// by throwing an error; `LogStream` lists the reasons.
public struct FollowedMessages<Message: Codable & Sendable>: AsyncSequence, Sendable {
    /// A message that was appended to the log, decoded.
    public typealias Element = Message
    /// The error that `next()` throws when the sequence ends.
    public typealias Failure = AppendLogError

    let stream: LogStream
    let decoder: any MessageDecoder

    /// Starts to follow the log. Each iterator gets every message.
    public func makeAsyncIterator() -> Iterator {
        Iterator(entries: stream.makeAsyncIterator(), decoder: decoder)
    }

    /// An iteration over the messages of a followed log.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        var entries: LogStream.Iterator
        let decoder: any MessageDecoder

        /// The number of the last returned message. Store it to continue after this message later.
        public var lastSequence: UInt64 {
            entries.lastSequence
        }

        /// The identity of the followed log. Store it together with ``lastSequence``. It is `nil` before the first
        /// message.
        public var identity: LogIdentity? {
            entries.identity
        }

        /// Waits for the next message.
        ///
        /// - Parameter actor: the actor on which the caller runs.
        /// - Returns: never `nil`, because a log has no end.
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
