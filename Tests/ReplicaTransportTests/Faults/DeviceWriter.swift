import StoreBasics
import StoreClient
import TestBasics

/// A client of one device that makes every kind of write. Most entries that it writes have names that only this
/// writer uses, so it knows the expected result. The other entries have names that all writers share.
struct DeviceWriter: Sendable {
    /// A text that is part of every text, name and content.
    let marker: String
    let name: String
    let client: StoreClient
    private(set) var expectations = Expectations()
    /// Refused changes of existing entries that only this writer changes. A daemon must never refuse such a change.
    private(set) var refusals: [String] = []
    private var random: SplitMix
    private var number = 0
    private var messages: [String] = []

    init(_ name: String, _ client: StoreClient, seed: UInt64, marker: String = "") {
        self.name = name
        self.client = client
        self.marker = marker
        random = SplitMix(seed: seed)
    }

    mutating func write() async {
        number += 1
        switch below(24) {
        case 0...4: await saveMessage()
        case 5...6: await editMessage()
        case 7: await deleteMessage()
        case 8...9: await saveContact()
        case 10: await renameConversation()
        case 11...12: await saveDraft()
        case 13...14: await setValue()
        case 15...16: await react()
        case 17...18: await saveFile()
        case 19: await deleteFile()
        default: await writeShared()
        }
    }

    // MARK: Own names

    /// Makes a write to a name that only this writer uses, and records the possible results.
    private mutating func own(
        _ key: String, _ value: String?, _ write: (StoreClient) async throws(StoreClientError) -> Void
    ) async {
        let wasThere = expectations.isThere(key)
        expectations.noteTry(key, value)
        do throws(StoreClientError) {
            try await write(client)
            expectations.noteAnswer(key, value)
        } catch  where Self.isAnswer(error.reason) {
            if wasThere { refusals.append("\(key): \(error)") }
        } catch {
            // Without an acknowledgement, the write may or may not have been applied.
        }
    }

    private static func isAnswer(_ reason: StoreClientError.Reason) -> Bool {
        [
            .messageNotFound, .conversationNotFound, .contactNotFound, .fileNotFound, .alreadyExists, .invalidArgument,
            .parentDirectoryNotFound, .attachmentContentNotFound, .internal, .storageFailed, .databaseDamaged,
        ].contains(reason)
    }

    private mutating func saveMessage() async {
        let id = "\(name)-\(number)"
        let (text, party) = (text(), "05\(marker)party\(below(3))")
        let attachments = below(4) == 0 ? [attachment()] : []
        let value = ([text] + attachments.map(\.name)).joined(separator: " + ")
        await own("message \(id)", value) { client throws(StoreClientError) in
            try await client.saveMessage(
                NewMessage(id: id, conversation: .sessionID(party), text: text, attachments: attachments))
        }
        if attachments.isEmpty, expectations.isThere("message \(id)") { messages.append(id) }
    }

    private mutating func editMessage() async {
        guard let id = messages.randomElement(using: &random) else { return }
        let text = text()
        await own("message \(id)", text) { client throws(StoreClientError) in
            try await client.editMessage(id, text: text)
        }
    }

    private mutating func deleteMessage() async {
        guard let id = messages.randomElement(using: &random) else { return }
        messages.removeAll { $0 == id }
        for emoji in Self.emoji {
            expectations.noteTry("reaction \(id) 05\(name) \(emoji)", nil)
        }
        await own("message \(id)", nil) { client throws(StoreClientError) in
            try await client.deleteMessages([id])
        }
        if !expectations.isThere("message \(id)") {
            for emoji in Self.emoji {
                expectations.noteAnswer("reaction \(id) 05\(name) \(emoji)", nil)
            }
        }
    }

    private mutating func saveContact() async {
        let (person, text) = ("05\(marker)\(name)friend\(below(4))", text())
        await own("contact \(person)", text) { client throws(StoreClientError) in
            try await client.saveContact(ContactUpdate(sessionID: person, notes: .set(text)))
        }
    }

    private mutating func renameConversation() async {
        let (session, text) = ("05\(marker)\(name)", text())
        _ = try? await client.getOrCreateConversation(sessionID: session)
        await own("conversation \(session)", text) { client throws(StoreClientError) in
            try await client.updateConversation(.sessionID(session), ConversationUpdate(displayName: .set(text)))
        }
    }

    private mutating func saveDraft() async {
        let (session, text) = ("05\(marker)\(name)draft\(below(3))", text())
        _ = try? await client.getOrCreateConversation(sessionID: session)
        await own("draft \(session)", text) { client throws(StoreClientError) in
            try await client.saveDraft(in: .sessionID(session), text: text)
        }
    }

    private mutating func setValue() async {
        let (scene, key, text) = ("\(marker)\(name)", "key\(below(5))", text())
        await own("value \(scene) \(key)", text) { client throws(StoreClientError) in
            try await client.setSceneValues(scene, [.set(key, .string(text))])
        }
    }

    private static let emoji = ["👍", "🎉", "🦊"]

    private mutating func react() async {
        guard let id = messages.randomElement(using: &random) else { return }
        let (emoji, author, isRemoval) = (Self.emoji[below(3)], "05\(name)", below(3) == 0)
        await own("reaction \(id) \(author) \(emoji)", isRemoval ? nil : "there") { client throws(StoreClientError) in
            if isRemoval {
                try await client.removeReaction(emoji, from: id, by: author)
            } else {
                try await client.addReaction(emoji, to: id, by: author)
            }
        }
    }

    private mutating func saveFile() async {
        let (path, bytes) = (ownPath(), content())
        await own("file \(path)", StoreContent.digest(bytes)) { client throws(StoreClientError) in
            try await client.saveFile(bytes, at: path, createsParents: true)
        }
    }

    private mutating func deleteFile() async {
        let path = ownPath()
        guard expectations.isThere("file \(path)") else { return }
        await own("file \(path)", nil) { client throws(StoreClientError) in
            try await client.deleteFile(at: path)
        }
    }

    // MARK: Shared names

    /// Writes to names that all writers share. Any result is valid, if it is the same on all devices.
    private mutating func writeShared() async {
        let (text, id) = (text(), "shared-\(below(8))")
        let shared = ConversationReference.sessionID("05\(marker)shared")
        switch below(9) {
        case 0...1: _ = try? await client.saveMessage(NewMessage(id: id, conversation: shared, text: text))
        case 2: _ = try? await client.editMessage(id, text: text)
        case 3: _ = try? await client.updateMessageStatus([id], to: below(2) == 0 ? .sent : .delivered)
        case 4: _ = try? await client.saveDraft(in: shared, text: text)
        case 5:
            let update = ContactUpdate(sessionID: "05\(marker)known", notes: .set(text), isBlocked: below(2) == 0)
            _ = try? await client.saveContact(update)
        case 6: _ = try? await client.setSceneValues("\(marker)shared", [.set("key\(below(3))", .string(text))])
        case 7:
            let path = VaultPath(.document, "\(marker)shared/file\(below(3))")
            _ = try? await client.saveFile(content(), at: path, createsParents: true)
        default: await writeShortLived(text)
        }
    }

    /// Writes to a conversation that is often deleted and created again.
    private mutating func writeShortLived(_ text: String) async {
        let brief = ConversationReference.sessionID("05\(marker)brief")
        if below(4) == 0 {
            _ = try? await client.deleteConversation(brief)
        } else {
            _ = try? await client.saveMessage(NewMessage(id: "\(name)-\(number)", conversation: brief, text: text))
        }
    }

    // MARK: Random values

    private mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    private mutating func text() -> String { "\(marker)text \(name) \(number) \(below(1_000_000))" }

    private mutating func ownPath() -> VaultPath { VaultPath(.document, "\(marker)\(name)/file\(below(4))") }

    private mutating func attachment() -> NewAttachment {
        NewAttachment(.bytes(content()), name: "\(marker)picture \(number)", mimeType: "image/png")
    }

    /// Returns a content that is usually small and sometimes has several pieces.
    private mutating func content() -> [UInt8] {
        let count = below(12) == 0 ? 150_000 + below(300_000) : below(6_000)
        let line = Array("\(marker)content \(name) \(number) ".utf8)
        return (0..<(count / line.count + 1)).flatMap { _ in line }
    }
}
