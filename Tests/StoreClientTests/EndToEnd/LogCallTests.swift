import GhostTestSupport
import StoreClient
import Testing

@Suite(.timeLimit(.minutes(1))) struct LogCallTests {
    private let configuration = LogConfiguration(maximumBytes: 200, overwritesOldest: true)

    @Test func `messages are appended, read from a sequence number on, and the oldest are overwritten`() async throws {
        try await withDaemonAndClient { _, client in
            let opened = try await client.openLog("events", configuration)
            #expect(opened.isEmpty && opened.configuration == configuration)
            let appended = try await client.append([[1], [2, 2]], toLog: "events", expecting: configuration)
            #expect(appended.sequences == 1...2 && !appended.isReplayed)
            let page = try await client.logEntryPage("events", after: 1)
            #expect(page.entries.map(\.sequence) == [2] && page.entries.map(\.data) == [[2, 2]] && !page.hasMore)
            for number in UInt8(3)...30 {
                try await client.append([[UInt8](repeating: number, count: 30)], toLog: "events")
            }
            let log = try await client.log("events")
            #expect(log.sequences?.upperBound == 30)
            #expect(log.messageCount <= 4 && log.usedBytes <= 136)
            #expect(try await client.logPage().logs == [log])
            try await client.deleteLog("events")
            let error = await #expect(throws: StoreClientError.self) { _ = try await client.log("events") }
            #expect(error?.reason == .logNotFound)
        }
    }

    @Test func `messages keep their metadata in every way of reading them`() async throws {
        try await withDaemonAndClient { _, client in
            try await client.openLog("events", LogConfiguration(maximumBytes: 1 << 24, overwritesOldest: false))
            let metadata = [Metadata(data: [0, 255], type: "application/json"), nil, Metadata(data: [1])]
            try await client.append([[1], [2], [3]], metadata: metadata, toLog: "events")
            #expect(try await client.logEntryPage("events").entries.map(\.metadata) == metadata)
            #expect(try await client.logEntries("events").collect().map(\.metadata) == metadata)
            #expect(try await client.logEntriesOfAllDevices("events").collect().map(\.metadata) == metadata)
            var followed = client.followLog("events").makeAsyncIterator()
            #expect(try await followed.next()?.metadata == metadata[0])
            var pages = client.followLogOfAllDevices("events").makeAsyncIterator()
            #expect(try await pages.next()?.entries.map(\.metadata) == metadata)
            let used = try await client.log("events").usedBytes
            let some = await #expect(throws: StoreClientError.self) {
                try await client.append([[4], [5]], metadata: [metadata[0]], toLog: "events")
            }
            #expect(some?.code == .invalidArgument)
            // The largest message can have the largest metadata.
            let largest = Metadata(data: [UInt8](repeating: 3, count: 65_536), type: String(repeating: "t", count: 256))
            let message = [UInt8](repeating: 4, count: LogEntry.bytesMax)
            try await client.append([message], metadata: [largest], toLog: "events")
            let last = try #require(try await client.logEntryPage("events", after: 3).entries.first)
            #expect(last.data == message && last.metadata == largest)
            // Besides the message and the metadata, an entry uses four bytes for the length of each, and the tags and
            // lengths of the metadata's two fields.
            let bytes = UInt64(LogEntry.bytesMax + 65_536 + 256 + 2 * 4 + (1 + 3) + (1 + 2))
            #expect(try await client.log("events").usedBytes == used + bytes)
        }
    }

    @Test func `an append that does not fit gives the reason, and appends nothing`() async throws {
        try await withDaemonAndClient { _, client in
            let kept = LogConfiguration(maximumBytes: 84, overwritesOldest: false)
            try await client.openLog("kept", kept)
            let large = await #expect(throws: StoreClientError.self) {
                try await client.append([[UInt8](repeating: 1, count: 17)], toLog: "kept")
            }
            #expect(large?.reason == .logMessageTooLarge)
            let full = await #expect(throws: StoreClientError.self) {
                try await client.append([[1, 1, 1, 1], [UInt8](repeating: 1, count: 9)], toLog: "kept")
            }
            #expect(full?.reason == .logFull)
            let mismatch = await #expect(throws: StoreClientError.self) {
                try await client.append([[1]], toLog: "kept", expecting: configuration)
            }
            #expect(mismatch?.reason == .logNotWritable)
            #expect(try await client.log("kept").isEmpty)
        }
    }

    @Test func `a repeated append with the same key appends once`() async throws {
        try await withDaemonAndClient { _, client in
            try await client.openLog("events", configuration)
            let key = IdempotencyKey()
            let first = try await client.append([[1]], toLog: "events", idempotencyKey: key)
            let second = try await client.append([[1]], toLog: "events", idempotencyKey: key)
            #expect(second.sequences == first.sequences && second.isReplayed)
            #expect(try await client.log("events").messageCount == 1)
        }
    }

    @Test func `a follower gets every message once, in order, across a restart of the daemon`() async throws {
        try await withDaemonAndClient { daemon, client in
            try await client.openLog("events", LogConfiguration(maximumBytes: 100_000, overwritesOldest: false))
            async let followed = Self.followed(client, count: 60)
            for number in UInt8(0)..<60 {
                try await client.append([[number]], toLog: "events")
                if number == 30 {
                    try await daemon.restart()
                }
            }
            #expect(try await followed == Array(0..<60))
        }
    }

    private static func followed(_ client: StoreClient, count: Int) async throws -> [UInt8] {
        var received: [UInt8] = []
        for try await entry in client.followLog("events") {
            received += entry.data
            if received.count == count {
                break
            }
        }
        return received
    }

    @Test func `cancelling a follower ends it`() async throws {
        try await withDaemonAndClient { _, client in
            try await client.openLog("events", configuration)
            let follower = Task { try await Self.followed(client, count: 1) }
            try await Task.sleep(for: .milliseconds(100))
            follower.cancel()
            let error = await #expect(throws: StoreClientError.self) { _ = try await follower.value }
            #expect(error?.reason == .cancelled)
        }
    }

    @Test func `a follower outlives the deadline of other calls, on a quiet log and without a daemon`() async throws {
        try await withDaemonAndClient { daemon, client in
            try await client.openLog("events", LogConfiguration(maximumBytes: 1_000, overwritesOldest: false))
            async let followed = Self.followed(client.with(deadline: .milliseconds(200)), count: 2)
            try await Task.sleep(for: .milliseconds(450))
            try await client.append([[1]], toLog: "events")
            try await daemon.kill9()
            try await Task.sleep(for: .milliseconds(450))
            try await daemon.startAgain()
            try await client.append([[2]], toLog: "events")
            #expect(try await followed == [1, 2])
        }
    }

    @Test func `closing the client ends a follower`() async throws {
        try await withDaemonAndClient { daemon, client in
            try await client.openLog("events", configuration)
            let other = try await daemon.connect()
            let follower = Task { try await Self.followed(other, count: 1) }
            try await Task.sleep(for: .milliseconds(100))
            await other.close()
            let error = await #expect(throws: StoreClientError.self) { _ = try await follower.value }
            #expect(error?.reason == .clientClosed)
        }
    }
}
