import FoundationEssentials
import StoreEngine
import StoreProtocol
import SwiftProtobuf
import TestBasics
import Testing

@testable import StoreServer

@Suite(.serialized) struct LargePageTests {
    @Test func `large texts and avatars are listed in pages that fit a frame`() async throws {
        try await RunningServer.with { server in
            let connection = try server.connect()
            let text = String(repeating: "x", count: EngineLimits.messageTextBytesMax)
            let avatar = Data(repeating: 1, count: EngineLimits.avatarBytesMax)
            // Five messages in the listed conversation, and one in each of the others.
            for number in [0, 0, 0, 0, 0, 1, 2, 3] {
                let saved = try connection.call(
                    .saveMessage(
                        .with {
                            $0.message.conversation.sessionID = "c\(number)"
                            $0.message.text = text
                        }))
                #expect(saved.commit.createdCount == 1)
            }
            for number in 0..<4 {
                _ = try connection.call(
                    .updateConversation(
                        .with {
                            $0.conversation.sessionID = "c\(number)"
                            $0.avatar = avatar
                        }))
            }
            #expect(try messageCounts(connection).reduce(0, +) == 5)
            #expect(try conversationCounts(connection) == [1, 1, 1, 1])
        }
    }

    /// Returns the number of messages in each page.
    private func messageCounts(_ connection: RawConnection) throws -> [Int] {
        var counts: [Int] = []
        var list = WireListMessagesRequest.with { $0.conversation.sessionID = "c0" }
        var hasMore = true
        while hasMore, counts.count < 10 {
            let response = try connection.call(.listMessages(list))
            #expect(try response.resultName == "messages")
            counts.append(response.messages.messages.count)
            list.beforeCursor = response.messages.lastCursor
            hasMore = response.messages.hasMore_p
        }
        return counts
    }

    private func conversationCounts(_ connection: RawConnection) throws -> [Int] {
        var counts: [Int] = []
        var list = WireListConversationsRequest.with { $0.includeAvatars = true }
        repeat {
            let response = try connection.call(.listConversations(list))
            #expect(try response.resultName == "conversations")
            counts.append(response.conversations.conversations.count)
            list.cursor = response.conversations.nextCursor
        } while !list.cursor.isEmpty && counts.count < 10
        return counts
    }
}
