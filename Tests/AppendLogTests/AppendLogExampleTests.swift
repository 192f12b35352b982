import AppendLog
import GhostTestSupport
import StoreClient
import Testing

private struct MyMessageType: Codable, Sendable, Equatable {
    var text: String
}

/// Runs the examples from the documentation of CacheAdvance, in order, against the daemon. They show what an
/// application has to change when it replaces CacheAdvance with AppendLog: it passes the name of a log instead of the
/// path of a file, and adds `await`.
@Suite(.timeLimit(.minutes(1))) struct AppendLogExampleTests {
    @Test func `the documented examples do what they say`() async throws {
        try await withDaemonAndClient { _, client in
            let myCache = try await AppendLog<MyMessageType>(
                client: client, name: "MyCache", maximumBytes: 5000, shouldOverwriteOldMessages: false)
            #expect(try await myCache.isEmpty())
            #expect(try await myCache.isWritable())
            let aMessageInstance = MyMessageType(text: "Hello")
            try await myCache.append(message: aMessageInstance)
            let cachedMessages = try await myCache.messages()
            #expect(cachedMessages == [aMessageInstance])
            #expect(try await !myCache.isEmpty())
        }
    }

    @Test func `a full log rejects new messages, or overwrites the oldest if it was created so`() async throws {
        try await withDaemonAndClient { _, client in
            for overwrites in [false, true] {
                let log = try await AppendLog<MyMessageType>(
                    client: client, name: "log-\(overwrites)", maximumBytes: 300,
                    shouldOverwriteOldMessages: overwrites)
                let messages = (0..<40).map { MyMessageType(text: "message \($0)") }
                var error: AppendLogError?
                for message in messages where error == nil {
                    do throws(AppendLogError) {
                        try await log.append(message: message)
                    } catch let caught {
                        error = caught
                    }
                }
                let kept = try await log.messages()
                #expect(error == (overwrites ? nil : .messageLargerThanRemainingCacheSize))
                #expect(kept == Array(overwrites ? messages.suffix(kept.count) : messages.prefix(kept.count)))
                #expect(kept.count > 3)
                let tooLarge = await #expect(throws: AppendLogError.self) {
                    try await log.append(message: MyMessageType(text: String(repeating: "x", count: 300)))
                }
                #expect(tooLarge == .messageLargerThanCacheCapacity)
            }
        }
    }

    @Test func `another configuration makes a log readable but not writable`() async throws {
        try await withDaemonAndClient { _, client in
            let log = try await AppendLog<MyMessageType>(
                client: client, name: "log", maximumBytes: 300, shouldOverwriteOldMessages: true)
            try await log.append(message: MyMessageType(text: "kept"))
            let other = try await AppendLog<MyMessageType>(
                client: client, name: "log", maximumBytes: 301, shouldOverwriteOldMessages: true)
            #expect(try await !other.isWritable())
            #expect(try await other.messages().map(\.text) == ["kept"])
            let error = await #expect(throws: AppendLogError.self) {
                try await other.append(message: MyMessageType(text: "refused"))
            }
            #expect(error == .fileNotWritable)
        }
    }

    @Test func `a message that JSON cannot express is rejected with the whole call`() async throws {
        try await withDaemonAndClient { _, client in
            let log = try await AppendLog<Double>(
                client: client, name: "log", maximumBytes: 300, shouldOverwriteOldMessages: true)
            let error = await #expect(throws: AppendLogError.self) { try await log.append(messages: [1, .nan]) }
            #expect(error == .messageNotEncodable && error?.storeError == nil)
            #expect(try await log.isEmpty())
        }
    }

    @Test func `a follower receives a message that is appended later`() async throws {
        try await withDaemonAndClient { _, client in
            let log = try await AppendLog<MyMessageType>(
                client: client, name: "log", maximumBytes: 5000, shouldOverwriteOldMessages: true)
            async let first = Self.first(of: log)
            try await log.append(message: MyMessageType(text: "one"))
            #expect(try await first?.text == "one")
        }
    }

    @Test func `following resumes after the last received message, and fails if the log was replaced`() async throws {
        try await withDaemonAndClient { _, client in
            func open() async throws -> AppendLog<MyMessageType> {
                try await AppendLog(client: client, name: "log", maximumBytes: 5000, shouldOverwriteOldMessages: true)
            }
            let log = try await open()
            try await log.append(messages: ["one", "two", "three"].map { MyMessageType(text: $0) })
            var earlier = log.follow().makeAsyncIterator()
            #expect(earlier.identity == nil && earlier.lastSequence == 0)
            _ = try await earlier.next()
            _ = try await earlier.next()
            #expect(earlier.lastSequence == 2)
            let place = (earlier.lastSequence, try #require(earlier.identity))
            var later = log.follow(after: place.0, of: place.1).makeAsyncIterator()
            #expect(try await later.next()?.text == "three")
            try await client.deleteLog("log")
            try await open().append(messages: ["four", "five", "six"].map { MyMessageType(text: $0) })
            var other = log.follow(after: place.0, of: place.1).makeAsyncIterator()
            let error = await #expect(throws: AppendLogError.self) { _ = try await other.next() }
            #expect(error?.storeError?.reason == .logNotFound)
        }
    }

    private static func first(of log: AppendLog<MyMessageType>) async throws -> MyMessageType? {
        for try await message in log.follow() {
            return message
        }
        return nil
    }
}
