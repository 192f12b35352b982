import GhostTestSupport
import StoreClient

/// Calls about messages, contacts, scenes and logs. Each uses what the calls before it have stored.
enum ParallelEntityTries {
    typealias Try = ParallelTry<StoreClient>

    static let all = messages + conversations + contacts + scenesAndLogs

    private static let talk = ConversationReference.sessionID("05talk")
    private static let longText = String(repeating: "long ", count: 2_000)

    private static func attachment(_ number: Int) -> NewAttachment {
        NewAttachment(.bytes(ParallelFileTries.piece(number)), name: "photo", mimeType: "image/png")
    }

    private static let messages: [Try] = [
        Try("saveMessage") { try await $0.saveMessage(NewMessage(id: "m\($1)", conversation: talk, text: "t")) },
        Try("saveMessage with attachments, small and large") { client, number in
            try await client.saveMessage(
                NewMessage(conversation: talk, text: "t", attachments: [attachment(number), attachment(number + 1)]))
        },
        Try("saveMessages") { client, number in
            let messages = (0..<4).map { NewMessage(id: "n\(number)-\($0)", conversation: talk, text: longText) }
            try await client.saveMessages(messages)
        },
        Try("updateMessageStatus") { try await $0.updateMessageStatus(["m\($1)"], to: .delivered) },
        Try("markMessagesRead") { try await $0.markMessagesRead(["m\($1)"]) },
        Try("editMessage") { try await $0.editMessage("m\($1)", text: longText) },
        Try("addReaction") { try await $0.addReaction("👍", to: "m1", by: "05p\($1)") },
        Try("removeReaction") { try await $0.removeReaction("👍", from: "m1", by: "05p\($1)") },
        Try("deleteMessages") { try await $0.deleteMessages(["m\($1)"]) },
    ]

    private static let conversations: [Try] = [
        Try("saveDraft") { try await $0.saveDraft(in: talk, text: "\($1)") },
        Try("saveDraft with an attachment, small or large") { client, number in
            try await client.saveDraft(in: talk, text: "d", attachments: [attachment(number)])
        },
        Try("deleteDraft") { client, _ in try await client.deleteDraft(in: talk) },
        Try("getOrCreateConversation") { _ = try await $0.getOrCreateConversation(sessionID: "05c\($1)") },
        Try("updateConversation") { client, number in
            try await client.updateConversation(.sessionID("05c\(number)"), ConversationUpdate(isPinned: true))
        },
        Try("setConversationMembers") { client, number in
            try await client.setConversationMembers([ConversationMember(sessionID: "05p\(number)")], of: talk)
        },
        Try("removeConversationMembers") { try await $0.removeConversationMembers(["05p\($1)"], from: talk) },
        Try("markConversationRead") { client, _ in try await client.markConversationRead(talk) },
        Try("deleteConversation") { try await $0.deleteConversation(.sessionID("05c\($1)")) },
        Try("compactChanges") { _ = try await $0.compactChanges(through: UInt64($1)) },
    ]

    private static let contacts: [Try] = [
        Try("saveContact") { try await $0.saveContact(ContactUpdate(sessionID: "05d\($1)")) },
        Try("saveContact large") { client, number in
            let update = ContactUpdate(sessionID: "05d\(number)", avatar: .set(ParallelFileTries.large))
            try await client.saveContact(update)
        },
        Try("blockContact") { try await $0.blockContact(sessionID: "05d\($1)") },
        Try("unblockContact") { try await $0.unblockContact(sessionID: "05d\($1)") },
        Try("deleteContact") { try await $0.deleteContact(sessionID: "05d\($1)") },
    ]

    private static let scenesAndLogs: [Try] = [
        Try("setSceneValues") { try await $0.setSceneValues("s\($1)", [.set("k", .integer(Int64($1)))]) },
        Try("setSceneValues large") {
            try await $0.setSceneValues("s", [.set("k\($1)", .data(ParallelFileTries.large))])
        },
        Try("setGlobalSceneValues") { try await $0.setGlobalSceneValues([.set("k\($1)", .bool(true))]) },
        Try("removeScene") { try await $0.removeScene("s\($1)") },
        Try("openLog") { client, _ in
            _ = try await client.openLog("l", LogConfiguration(maximumBytes: 1 << 30, overwritesOldest: false))
        },
        Try("openLog each its own") { client, number in
            _ = try await client.openLog("l\(number)", LogConfiguration(maximumBytes: 1 << 20, overwritesOldest: true))
        },
        Try("append") { try await $0.append([[UInt8($1)]], toLog: "l") },
        Try("append large") { client, _ in try await client.append([ParallelFileTries.large], toLog: "l") },
        Try("deleteLog") { try await $0.deleteLog("l\($1)") },
    ]
}
