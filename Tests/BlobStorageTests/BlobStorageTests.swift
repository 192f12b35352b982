import BlobStorage
import GhostTestSupport
import StoreBasics
import StoreClient
import TestBasics
import Testing

@Suite(.timeLimit(.minutes(1))) struct BlobStorageTests {
    @Test func `saving again replaces the saved list`() async throws {
        try await withStorage { storage in
            try await storage.saveMessages(
                (0..<700).map { BlobMessage(text: "old \($0)", isSent: true, timestamp: $0) })
            let new = [BlobMessage(text: "new", isSent: false, messageType: .video, timestamp: 0)]
            try await storage.saveMessages(new)
            #expect(try await storage.loadMessages() == new)
        }
    }

    @Test func `the list's order is kept, whatever the timestamps`() async throws {
        try await withStorage { storage in
            var random = SplitMix(seed: 3)
            for count in [1, 2, 11, 1_203] {
                let messages = (0..<count).map { number in
                    BlobMessage(
                        text: "\(number)", isSent: number % 3 == 0,
                        timestamp: Int64.random(in: -5...5, using: &random))
                }
                try await storage.saveMessages(messages)
                #expect(try await storage.loadMessages() == messages)
            }
        }
    }

    @Test func `messages that another client adds come after the list, and a save removes them`() async throws {
        try await withStorage { storage in
            try await storage.saveMessages([
                BlobMessage(text: "b", isSent: true, timestamp: 2), BlobMessage(text: "a", isSent: true, timestamp: 1),
            ])
            let conversation = ConversationReference.sessionID(storage.sessionID)
            for (text, time) in [("d", Int64(-1)), ("c", -2)] {
                try await storage.client.saveMessage(
                    NewMessage(conversation: conversation, text: text, timestamp: Timestamp(microseconds: time)))
            }
            #expect(try await storage.loadMessages().map(\.text) == ["b", "a", "c", "d"])
            try await storage.saveMessages([BlobMessage(text: "new", isSent: true)])
            #expect(try await storage.loadMessages().map(\.text) == ["new"])
        }
    }

    @Test func `a saved empty list exists until it is cleared`() async throws {
        try await withStorage { storage in
            #expect(try await storage.hasMessages() == false)
            #expect(try await storage.getStorageSize() == 0)
            try await storage.clearMessages()
            for messages in [[], [BlobMessage(text: "one", isSent: true)], []] {
                try await storage.saveMessages(messages)
                #expect(try await storage.hasMessages())
                #expect(try await storage.getStorageSize() == (messages.isEmpty ? 4 : 21))
                #expect(try await storage.loadMessages() == messages)
            }
            try await storage.clearMessages()
            #expect(try await storage.hasMessages() == false)
            #expect(try await storage.getStorageSize() == 0)
        }
    }

    @Test(arguments: [Int64.max, .min, .max / 1_000 + 1])
    func `a time outside the range of the store is rejected and changes nothing`(timestamp: Int64) async throws {
        try await withStorage { storage in
            let kept = [BlobMessage(text: "kept", isSent: true, timestamp: .max / 1_000)]
            try await storage.saveMessages(kept)
            let error = await #expect(throws: StoreClientError.self) {
                try await storage.saveMessages([BlobMessage(text: "x", isSent: true, timestamp: timestamp)])
            }
            #expect(error?.reason == .blobTimestampOutOfRange && error?.code == .outOfRange)
            #expect(try await storage.loadMessages() == kept)
        }
    }

    @Test func `types, times and texts are loaded as they were saved`() async throws {
        try await withStorage { storage in
            var messages: [BlobMessage] = []
            for (index, type) in MessageType.allCases.enumerated() {
                messages.append(
                    BlobMessage(text: "a\0é🙂", isSent: true, messageType: type, timestamp: Int64(index) - 2))
                messages.append(
                    BlobMessage(
                        text: String(repeating: "l", count: 3_000), isSent: false, messageType: type,
                        timestamp: Int64(index) - 2))
            }
            try await storage.saveMessages(messages)
            #expect(try await storage.loadMessages() == messages)
        }
    }

    @Test func `texts of 1 MiB are saved, and longer ones are rejected and change nothing`() async throws {
        try await withStorage(.smallFrames) { storage in
            // Together these messages are larger than one frame.
            let count = TestTier.count(8, long: 20)
            let large = (0..<Int64(count)).map {
                BlobMessage(text: String(repeating: "\($0 % 10)", count: 1 << 20), isSent: true, timestamp: $0)
            }
            try await storage.saveMessages(large)
            #expect(try await storage.loadMessages() == large)
            let tooLong = BlobMessage(text: String(repeating: "x", count: (1 << 20) + 1), isSent: true)
            let error = await #expect(throws: StoreClientError.self) { try await storage.saveMessages([tooLong]) }
            #expect(error?.reason == .blobDamaged)
            #expect(try await storage.loadMessages().count == count)
            try await storage.clearMessages()
            #expect(try await storage.hasMessages() == false)
        }
    }

    @Test func `storages with different names have separate messages`() async throws {
        try await withStorage { storage in
            let other = BlobStorage(client: storage.client, sessionID: "other")
            try await storage.saveMessages([BlobMessage(text: "mine", isSent: true)])
            #expect(try await other.loadMessages().isEmpty)
            try await other.saveMessages([BlobMessage(text: "theirs", isSent: true)])
            #expect(try await storage.loadMessages().map(\.text) == ["mine"])
        }
    }

    @Test func `a message without a given type gets its type from the length of its text`() {
        #expect(BlobMessage(text: String(repeating: "x", count: 1_023), isSent: true).messageType == .shortMessage)
        #expect(BlobMessage(text: String(repeating: "x", count: 1_024), isSent: true).messageType == .longMessage)
    }

    private func withStorage(
        _ options: TestDaemonOptions = TestDaemonOptions(), _ body: (BlobStorage) async throws -> Void
    ) async throws {
        try await withDaemon(options) { daemon in
            let client = try await daemon.connect()
            try await body(BlobStorage(client: client))
            await client.close()
        }
    }
}
