import FoundationEssentials
public import StoreClient

/// A bounded log of messages kept by the daemon, with the calls of the CacheAdvance file library
/// (https://github.com/dfed/CacheAdvance): moving over is naming a log instead of a file, and adding `await`.
///
/// Messages are JSON. Unlike a file, a log may be used by any number of tasks and processes at once.
public final class AppendLog<Message: Codable & Sendable>: Sendable {
    public let name: String
    let client: StoreClient
    let configuration: LogConfiguration

    /// Creates the log, or finds the one of this name.
    ///
    /// - Parameters:
    ///   - name: 1 to 256 bytes.
    ///   - maximumBytes: most bytes it takes: a header of 64, then each message with four bytes of length. Must be the
    ///     same for the life of the log: with another value it can be read but not written.
    ///   - shouldOverwriteOldMessages: once it is full, new messages take the place of the oldest ones. Must be the
    ///     same for the life of the log.
    public init(
        name: String, client: StoreClient, maximumBytes: UInt64, shouldOverwriteOldMessages: Bool
    ) async throws(AppendLogError) {
        self.name = name
        self.client = client
        configuration = LogConfiguration(
            maximumBytes: maximumBytes, overwritesOldest: shouldOverwriteOldMessages)
        do throws(StoreClientError) {
            try await client.openLog(name, configuration)
        } catch {
            throw AppendLogError(error)
        }
    }

    /// Whether the log has the size and overwriting this was made with.
    public func isWritable() async throws(AppendLogError) -> Bool {
        try await log().configuration == configuration
    }

    public func isEmpty() async throws(AppendLogError) -> Bool {
        try await log().isEmpty
    }

    /// Appends a message; when this returns it is on disk.
    ///
    /// - Throws: `.messageLargerThanCacheCapacity`, `.messageLargerThanRemainingCacheSize`, `.fileNotWritable`.
    public func append(message: Message) async throws(AppendLogError) {
        try await append(messages: [message])
    }

    /// Appends every message or none; when this returns they are on disk.
    public func append(messages: [Message]) async throws(AppendLogError) {
        guard !messages.isEmpty else { return }
        var encoded: [[UInt8]] = []
        for message in messages {
            guard let data = try? JSONEncoder().encode(message) else {
                throw .messageUnreadable(sequence: 0)
            }
            encoded.append([UInt8](data))
        }
        try await append(encoded: encoded)
    }

    /// Every message the log holds, oldest first.
    public func messages() async throws(AppendLogError) -> [Message] {
        var messages: [Message] = []
        try await forEachPage { entries throws(AppendLogError) in
            for entry in entries {
                messages.append(try Self.decode(entry.data, sequence: entry.sequence))
            }
        }
        return messages
    }

    /// Messages as they are appended, by this process or another, each once and in order. Goes on while the log is
    /// quiet and while the daemon is away.
    ///
    /// - Parameter sequence: the last one that is not wanted; 0 starts at the oldest.
    public func follow(after sequence: UInt64 = 0) -> FollowedMessages<Message> {
        FollowedMessages(stream: client.followLog(name, after: sequence))
    }

    func append(encoded: [[UInt8]]) async throws(AppendLogError) {
        do throws(StoreClientError) {
            try await client.append(encoded, toLog: name, expecting: configuration)
        } catch {
            throw AppendLogError(error)
        }
    }

    func forEachPage(_ body: ([LogEntry]) throws(AppendLogError) -> Void) async throws(AppendLogError) {
        var last: UInt64 = 0
        var hasMore = true
        while hasMore {
            let page: LogPage
            do throws(StoreClientError) {
                page = try await client.logMessages(name, after: last, limit: 1_000)
            } catch {
                throw AppendLogError(error)
            }
            try body(page.entries)
            last = page.entries.last?.sequence ?? last
            hasMore = page.hasMore
        }
    }

    static func decode(_ bytes: [UInt8], sequence: UInt64) throws(AppendLogError) -> Message {
        guard let message = try? JSONDecoder().decode(Message.self, from: Data(bytes)) else {
            throw .messageUnreadable(sequence: sequence)
        }
        return message
    }

    func log() async throws(AppendLogError) -> Log {
        do throws(StoreClientError) {
            return try await client.log(name)
        } catch {
            throw AppendLogError(error)
        }
    }
}

/// Messages of a log as they are appended. Ends by throwing, as `LogStream` does.
public struct FollowedMessages<Message: Codable & Sendable>: AsyncSequence, Sendable {
    public typealias Element = Message
    public typealias Failure = AppendLogError

    let stream: LogStream

    public func makeAsyncIterator() -> Iterator {
        Iterator(entries: stream.makeAsyncIterator())
    }

    public struct Iterator: AsyncIteratorProtocol, Sendable {
        var entries: LogStream.Iterator

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(AppendLogError) -> Message? {
            let entry: LogEntry?
            do throws(StoreClientError) {
                entry = try await entries.next(isolation: actor)
            } catch {
                throw AppendLogError(error)
            }
            guard let entry else { return nil }
            return try AppendLog<Message>.decode(entry.data, sequence: entry.sequence)
        }

        public mutating func next() async throws(AppendLogError) -> Message? {
            try await next(isolation: nil)
        }
    }
}
