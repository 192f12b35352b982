import ConversationStorage
import Foundation
import GhostTestSupport
import StoreClient
import Testing

/// Many tasks call each writing method at the same time, and every call succeeds.
@Suite(.timeLimit(.minutes(2))) struct ParallelConversationTests {
    private typealias Try = ParallelTry<StorageManager>

    private static func message(_ number: Int) -> Message {
        Message(id: "m\(number)", text: String(repeating: "text ", count: 2_000), isOutgoing: true)
    }

    private static func save(_ storage: StorageManager, _ messages: [Message]) async throws {
        let conversation = try await storage.getOrCreateConversation(withSessionID: "05a")
        try await storage.saveMessages(
            messages, conversationID: conversation.id, senderSessionID: "05me", recipientSessionID: "05a")
    }

    private static let tries: [Try] = [
        Try("getOrCreateConversation") { _ = try await $0.getOrCreateConversation(withSessionID: "05c\($1)") },
        Try("saveMessage") { storage, number in
            let conversation = try await storage.getConversation(withSessionID: "05c\(number)")
            try await storage.saveMessage(
                message(number), conversationID: conversation.id, senderSessionID: "05me", recipientSessionID: "05c")
        },
        Try("saveMessages") { try await save($0, [message($1), message($1 + 1_000)]) },
        Try("updateMessageStatus") { try await $0.updateMessageStatus("m\($1)", status: .sent) },
        Try("markMessageAsRead") { try await $0.markMessageAsRead("m\($1)") },
        Try("editMessage") { try await $0.editMessage("m\($1)", text: "edited") },
        Try("deleteMessage") { try await $0.deleteMessage("m\($1)") },
        Try("updateConversation") { try await $0.updateConversation(withSessionID: "05a", displayName: "n\($1)") },
        Try("updateConversation large") { storage, _ in
            try await storage.updateConversation(
                withSessionID: "05a", avatarData: [UInt8](repeating: 1, count: 100_000))
        },
        Try("setConversationPinned") { try await $0.setConversationPinned($1 % 2 == 0, forSessionID: "05a") },
        Try("setConversationMuted") { try await $0.setConversationMuted($1 % 2 == 0, forSessionID: "05a") },
        Try("markConversationAsRead") { storage, _ in try await storage.markConversationAsRead(withSessionID: "05a") },
        Try("deleteConversation") { try await $0.deleteConversation(withSessionID: "05c\($1)") },
        Try("saveContact") {
            try await $0.saveContact(sessionID: "05d\($1)", notes: String(repeating: "n", count: 60_000))
        },
        Try("blockContact") { try await $0.blockContact(sessionID: "05d\($1)") },
        Try("unblockContact") { try await $0.unblockContact(sessionID: "05d\($1)") },
        Try("deleteContact") { try await $0.deleteContact(sessionID: "05d\($1)") },
    ]

    @Test func `every call has a trial or is listed as left out`() throws {
        let reads = [
            "getAllContacts", "getAllConversations", "getContact", "getConversation", "getMessage", "getMessages",
            "getStatistics",
        ]
        // `clearAllData` is left out because it would delete what the other tasks save.
        let (forgotten, unknown) = try ParallelCalls.differences(
            in: ["ConversationStorage"], tried: Self.tries.map(\.name), leftOut: reads + ["clearAllData"])
        #expect(forgotten == [] && unknown == [])
    }

    @Test func `all tasks write at the same time`() async throws {
        try await withStorage { storage in
            for attempt in Self.tries {
                #expect(await attempt.failures(storage) == [:], "\(attempt.name)")
            }
        }
    }

    @Test func `localizedDescription equals description`() {
        let inner = StoreClientError(code: .unavailable, reason: .storeBusy, message: "busy", isRetryable: true)
        for error in [StorageError.conversationNotFound, .saveFailed(inner), .failed(inner)] {
            #expect((error as any Error).localizedDescription == error.description)
        }
    }
}
