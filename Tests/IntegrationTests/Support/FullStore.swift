import FoundationEssentials
import GhostTestSupport
import StoreBasics
import StoreClient
import Testing

/// A store with an example of everything that a store can hold.
enum FullStore {
    static func fill(_ client: StoreClient) async throws {
        let dialogs = try lines(of: "dialogs-sample.jsonl")
        for (number, line) in dialogs.enumerated() {
            try await saveDialog(number, line, client)
        }
        try await client.updateConversation(
            .sessionID("05full-0"),
            ConversationUpdate(
                displayName: .set("first"), avatar: .set([1, 2, 3]), isPinned: true, isMuted: true,
                messageTimer: .set(MessageTimer(lifetime: .seconds(86_400_000), start: .reading)),
                keepFor: .set(.seconds(3_000_000_000)), keepCount: .set(10_000)))
        _ = try await client.setSceneValues(
            "scene", (0..<20).map { .set("key-\($0)", .array([.string(String(repeating: "é", count: $0))])) })
        _ = try await client.setGlobalSceneValues([.set("global", .dictionary(["one": .data([1, 2])]))])
        _ = try await client.openLog("log", LogConfiguration(maximumBytes: 4_000, overwritesOldest: true))
        _ = try await client.append((0..<100).map { Array("entry \($0)".utf8) }, toLog: "log")
        try await saveFiles(client)
        try await saveAttachments(client)
    }

    private static func saveDialog(_ number: Int, _ line: String, _ client: StoreClient) async throws {
        let session = "05full-\(number)"
        let texts = line.split(separator: "\"").filter { $0.count > 2 }.map(String.init)
        for (turn, text) in texts.enumerated() {
            try await client.saveMessage(
                NewMessage(
                    id: "\(number)-\(turn)", conversation: .sessionID(session), text: text, senderSessionID: session,
                    status: .sent, isOutgoing: turn.isMultiple(of: 2), isRead: turn.isMultiple(of: 3)))
        }
        if let last = texts.indices.last {
            try await client.addReaction("👍", to: "\(number)-\(last)", by: session)
            try await client.editMessage("\(number)-\(last)", text: texts[last] + " (edited)")
        }
        _ = try await client.saveContact(
            ContactUpdate(
                sessionID: session, displayName: .set("dialog \(number)"), avatar: .set([UInt8(number & 0xff)]),
                notes: .set(line), isBlocked: number.isMultiple(of: 5), isTrusted: number.isMultiple(of: 7)))
        if number.isMultiple(of: 4) {
            try await client.saveDraft(in: .sessionID(session), text: "draft \(number)")
        }
    }

    private static func saveFiles(_ client: StoreClient) async throws {
        var random = SplitMix(seed: 11)
        for (number, area) in VaultArea.allCases.enumerated() {
            for size in [0, 10, 65_536, 65_537, 300_000] {
                try await client.saveFile(
                    ContentBytes(size, &random).array, at: VaultPath(area, "folder \(number)/é \(size)"),
                    createsParents: true)
            }
            try await client.createDirectory(at: VaultPath(area, "empty"))
        }
        let written = VaultPath(.document, "written over")
        try await client.copyFile(from: VaultPath(.library, "folder 2/é 300000"), to: written)
        try await client.appendFile(ContentBytes(70_000, &random).array, at: written)
    }

    private static func saveAttachments(_ client: StoreClient) async throws {
        var random = SplitMix(seed: 12)
        for (number, size) in [5, 3_000, 70_000, 200_000, 70_000].enumerated() {
            let attachment = NewAttachment(
                .bytes(ContentBytes(size, &random).array), name: "photo \(number)", mimeType: "image/png",
                thumbnail: [1, 2, UInt8(number)])
            try await client.saveMessage(
                NewMessage(
                    id: "attached-\(number)", conversation: .sessionID("05full-0"), text: "",
                    attachments: [attachment, attachment]))
            if number == 2 {
                try await client.saveDraft(in: .sessionID("05full-1"), text: "with it", attachments: [attachment])
            }
        }
    }

    static func lines(of fixture: String) throws -> [String] {
        let path = BuiltPrograms.packageDirectory + "/Tests/Fixtures/" + fixture
        let data = try #require(FileManager.default.contents(atPath: path))
        return data.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    }
}
