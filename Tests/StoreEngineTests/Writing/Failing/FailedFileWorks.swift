import StoreBasics
import StoreCrypto

@testable import StoreEngine

/// Work of every kind on files, and an archive with a record of every kind.
enum FailedFileWorks {
    private static func path(_ text: String, _ area: FileArea = .document) throws -> FilePath {
        try FilePath(area, text)
    }

    static func all() throws -> [FailedWork] {
        let inDatabase = FileCompletion(
            goal: .file(try path("a/completed"), createsParents: true, .anything), content: .database([1, 2, 3]))
        let bytes = Array("an attachment in pieces".utf8)
        let attachment = FileCompletion(
            goal: .attachment(try AttachmentStore.digest(bytes), byteCount: UInt64(bytes.count)),
            content: .database(bytes))
        return try files().map { .request($0) } + [
            .request(.completeFile(inDatabase)), .request(.completeFile(nil)), .request(.completeFile(attachment)),
            .ownRequest { try completion(of: .whole, 150_000, $0) },
            .ownRequest { try completion(of: .offset(70_000), 10, $0) },
            .ownRequest(forgetting),
            .request(.copyFile(try path("large"), to: path("copy"))), .request(.deleteFile(try path("large"))),
            .removal,
        ]
    }

    private static func files() throws -> [Mutation] {
        let bytes = [UInt8](repeating: 5, count: 700)
        return [
            .createDirectory(try path("a/b"), createsParents: true),
            .saveFile(try path("a/b/f"), [1, 2, 3], createsParents: false),
            .appendFile(try path("a/b/f"), [4, 5], createsParents: false),
            .appendFile(try path("a/c/g"), [6], createsParents: true),
            .saveFile(try path("c", .cache), bytes, createsParents: false),
            .saveFile(try path("d", .cache), bytes, createsParents: false),
            .copyFile(try path("a"), to: try path("z")),
            .moveFile(try path("a/b/f"), to: try path("m", .cache)),
            .moveFile(try path("a"), to: try path("z/moved")),
            .removeDirectory(try path("z/b"), withChildren: true),
            .deleteFile(try path("m", .cache)),
            .deleteFile(try path("m", .cache)),
            .removeDirectory(try path("z"), withChildren: true),
        ]
    }

    /// Returns the mutation that completes a write in parts to a file of the vault.
    private static func completion(
        of place: FileWriteRequest.Place, _ byteCount: Int, _ hand: WriterInHand
    ) throws -> Mutation {
        try hand.context.commitPages()
        let reader = hand.engine.makeReader()
        defer { reader.close() }
        let goal = FileWriteGoal.file(FileWriteRequest(path: try path("large"), place: place))
        let folder = try VaultFolder(in: hand.engine.directory)
        let write = try FileWrite(goal, over: reader.writeBase(goal, folder) { _ in false }, folder)
        _ = try write.write((0..<byteCount).map { UInt8(truncatingIfNeeded: $0 >> 4) }, at: 0)
        while true {
            if let completion = try write.finishStep() { return .completeFile(completion) }
        }
    }

    /// Returns the mutation with which `VaultCleaning` reports that it has overwritten slots. The previous write freed
    /// these slots.
    private static func forgetting(_ hand: WriterInHand) throws -> Mutation {
        guard let freed = try FreedSlotRows.first(of: nil, hand.context.openConnection()) else {
            throw StoreError(.internal, "nothing was freed")
        }
        return .forgetFreedSlots(freed.content, freed.slots)
    }

    // MARK: An archive

    static func archived() throws -> RestoreBatch {
        let time = Timestamp(microseconds: 1_650_000_000_000_000)
        var batch = RestoreBatch(isDryRun: false)
        let things = try people(time) + state(time)
        batch.records = things.map { RestoredRecord(thing: $0, byteCount: 100) }
        return batch
    }

    private static func people(_ time: Timestamp) throws -> [RestoredThing] {
        let eve = SessionID(trusted: "eve")
        let bytes = Array("restored".utf8)
        let digest = try AttachmentStore.digest(bytes)
        let message = ArchivedMessage(
            id: EntityID(trusted: "r1"), text: "word restored", senderSessionID: "", recipientSessionID: "",
            timestamp: time, status: .sent, isOutgoing: false, isRead: false, attachmentURL: nil, attachmentType: nil,
            replyToMessageID: nil, createdAt: time, editedAt: nil, timer: nil, expiresAt: nil,
            attachments: [
                try NewAttachment(
                    .listed(digest, byteCount: UInt64(bytes.count)), name: "restored", mimeType: MIMEType("text/plain"))
            ])
        return [
            .content(ArchivedContent(digest: digest, byteCount: UInt64(bytes.count)), .database(bytes)),
            .contact(
                ArchivedContact(
                    id: EntityID(trusted: "p-eve"), sessionID: eve, displayName: "Eve", avatar: [1], notes: nil,
                    isBlocked: false, isTrusted: true, createdAt: time, updatedAt: time)),
            .conversation(
                ArchivedConversation(
                    id: EntityID(trusted: "c-eve"), sessionID: eve, displayName: "Eve", avatar: nil, isPinned: false,
                    isMuted: true, retention: ConversationRetention(keepCount: 100), createdAt: time, updatedAt: time)),
            .message(message, in: eve),
            .reaction(
                ArchivedReaction(authorSessionID: eve, emoji: try Emoji("👍"), createdAt: time),
                to: EntityID(trusted: "r1")),
            .draft(ArchivedDraft(sessionID: eve, content: DraftContent(text: "restored"), updatedAt: time)),
        ]
    }

    private static func state(_ time: Timestamp) throws -> [RestoredThing] {
        let log = ArchivedLog(
            name: LogName(trusted: "restored"),
            configuration: LogConfiguration(maximumBytes: 500, overwritesOldest: true), createdAt: time)
        let entry = ArchivedLogEntry(sequence: 1, offset: 32, position: 0, data: [1, 2, 3])
        let file = ArchivedFile(path: try path("r/file"), byteCount: 3, createdAt: time, modifiedAt: time)
        return [
            .sceneValue(ArchivedSceneValue(scene: nil, key: SceneKey(trusted: "r"), value: [1], updatedAt: time)),
            .log(log), .logEntry(entry, of: log, LogRun(sequences: 1...1, isFirst: true)),
            .directory(ArchivedDirectory(path: try path("r"), createdAt: time, modifiedAt: time)),
            .file(file, .database([1, 2, 3])),
            .removal(ArchivedRemoval(.contact(EntityID(trusted: "p-x")), removedAt: time)),
        ]
    }
}
