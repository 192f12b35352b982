import StoreBasics
import StoreCrypto
import Synchronization
import TestBasics

@testable import StoreEngine

/// A coding of archives for tests. The file contains only the number of each record, and the table keeps the record
/// itself.
final class RecordTable: ArchiveCoding {
    /// The number of bytes that each record takes in the file.
    static let recordBytes = 12

    private let table = Mutex<[ArchiveEntry]>([])

    var entries: [ArchiveEntry] { table.withLock { $0 } }
    var records: [ArchiveRecord] { entries.map(\.record) }

    func encode(_ entry: ArchiveEntry) -> [UInt8] {
        let number = table.withLock { table in
            table.append(entry)
            return table.count - 1
        }
        return withUnsafeBytes(of: UInt64(number).littleEndian) { Array($0) }
    }

    func decode(_ bytes: ArraySlice<UInt8>) throws(StoreError) -> ArchiveEntry {
        let number = bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
        guard bytes.count == 8, let record = table.withLock({ $0.indices.contains(number) ? $0[number] : nil }) else {
            throw .invalidArgument("there is no such record")
        }
        return record
    }

    /// The records without the header and the footer, because these two differ between archives of the same content.
    /// The pieces of a file are joined, because a busy machine makes shorter pieces.
    var content: [ArchiveRecord] {
        records.reduce(into: []) { content, record in
            if case .filePiece(let next) = record {
                guard case .filePiece(let bytes) = content.last else { return content.append(record) }
                content[content.count - 1] = .filePiece(bytes + next)
            } else if record.kind != nil {
                content.append(record)
            }
        }
    }
}

extension StoreEngine {
    func beginArchive(
        _ table: RecordTable, _ sealing: FileSeal = .none, since revision: UInt64 = 0
    ) throws -> ArchiveStart {
        guard
            case .archiveBegun(let start) = try blob(
                .archive(ArchiveRequest(coding: table, sealing: sealing, sinceRevision: revision)))
        else { throw StoreError(.internal, "an archive begins with its start") }
        return start
    }

    func archivePiece(_ session: BlobSessionID, at offset: Int) throws -> BlobPiece {
        guard case .archivePiece(let piece) = try blob(.archivePiece(session, offset: UInt64(offset))) else {
            throw StoreError(.internal, "reading gives a piece")
        }
        return piece
    }

    /// Returns a whole archive of the store, or with `since` an archive of the changes after that revision.
    func archive(_ table: RecordTable, _ sealing: FileSeal = .none, since revision: UInt64 = 0) throws -> [UInt8] {
        let session = try beginArchive(table, sealing, since: revision).session
        var file: [UInt8] = []
        while true {
            let piece = try archivePiece(session, at: file.count)
            file += piece.data
            guard !piece.isLast else { return file }
        }
    }

    /// Returns the records of a new archive of the whole store, without the header and the footer.
    func archived() throws -> [ArchiveRecord] {
        let table = RecordTable()
        _ = try archive(table)
        return table.content
    }

    /// Writes a content in parts.
    func writeAttachment(_ bytes: [UInt8]) throws {
        guard case .begun(let id) = try fileWrite(.beginAttachment(AttachmentWriteRequest())) else {
            throw StoreError(.internal, "a write begins with its id")
        }
        for start in stride(from: 0, to: bytes.count, by: 250_000) {
            try fileWrite(.write(id, offset: UInt64(start), data: Array(bytes[start...].prefix(250_000))))
        }
        try fileWrite(.finish(id))
    }

    @discardableResult
    func restore(
        _ file: [UInt8], _ table: RecordTable, _ aim: ArchiveRestoreRequest.Aim, isDryRun: Bool = false,
        isWithoutDigest: Bool = false, secret: consuming SlotSecret? = nil, pieceBytes: Int = 100_000
    ) throws -> RestoreReport {
        var box: SlotSecretBox?
        if let secret = consume secret {
            box = SlotSecretBox(secret)
        }
        let request = ArchiveRestoreRequest(
            coding: table, aim: aim, isDryRun: isDryRun, secret: box, isWithoutDigest: isWithoutDigest)
        guard case .restoreBegun(let session) = try blob(.beginRestore(request)) else {
            throw StoreError(.internal, "a restore begins with its session")
        }
        for start in stride(from: 0, to: file.count, by: pieceBytes) {
            let piece = Array(file[start..<min(file.count, start + pieceBytes)])
            _ = try blob(.writeRestore(session, offset: UInt64(start), data: piece))
        }
        guard case .restoreFinished(let report) = try blob(.finishRestore(session)) else {
            throw StoreError(.internal, "a restore ends with its report")
        }
        return report
    }
}

/// Functions that fill a store with content of every kind.
enum FullStore {
    static func fill(_ engine: StoreEngine) throws {
        try fillPeople(engine)
        try fillAttachments(engine)
        try fillState(engine)
        try fillFiles(engine)
    }

    private static func fillPeople(_ engine: StoreEngine) throws {
        let (alice, bob) = (try SessionID("alice"), try SessionID("bob"))
        try engine.write(
            .saveContact(
                ContactUpdate(
                    sessionID: alice, displayName: "Älice", avatar: [1, 2, 3], notes: "notes", isTrusted: true)))
        try engine.write(.saveContact(ContactUpdate(sessionID: bob, isBlocked: true)))
        try engine.write(.getOrCreateConversation(bob, id: nil, displayName: nil))
        try engine.write(.getOrCreateConversation(alice, id: try EntityID("with-alice"), displayName: "Alice"))
        try engine.write(
            .updateConversation(
                .session(alice),
                ConversationUpdate(
                    avatar: [9, 9], isPinned: true,
                    retention: RetentionUpdate(all: ConversationRetention(keepCount: 1_000)))))
        let ids = try (0..<20).map { try EntityID("message-\($0)") }
        for (index, id) in ids.enumerated() {
            try engine.write(
                .saveMessage(
                    NewMessage(
                        id: id, conversation: .session(index % 3 == 0 ? bob : alice), text: "text \(index)",
                        senderSessionID: "me", timestamp: Timestamp(microseconds: 1_000_000 * Int64(index / 2)),
                        status: MessageStatus(rawValue: index % 4 + 1) ?? .sent, isOutgoing: index % 2 == 0,
                        isRead: index % 5 == 0, attachmentURL: index == 4 ? "https://example.org/a" : nil,
                        attachmentType: index == 4 ? "image/png" : nil, replyToMessageID: index == 5 ? ids[1] : nil)))
        }
        try engine.write(.editMessage(ids[2], text: "edited", editedAt: nil))
        for author in ["x", "y", "z"] {
            try engine.write(
                .addReaction(
                    ReactionReference(
                        messageID: ids[7], authorSessionID: try SessionID(author),
                        emoji: try Emoji(author == "y" ? "🎉" : "👍"))))
        }
        try engine.write(
            .saveDraft(NewDraft(conversation: .session(bob), content: DraftContent(text: "a draft"))))
    }

    /// Saves attachments of every size, including some that share a content.
    private static func fillAttachments(_ engine: StoreEngine) throws {
        try engine.writeAttachment(largeContent)
        let alice = ConversationReference.session(try SessionID("alice"))
        let attachments = [
            try AttachmentStore.attachment("small", source: "elsewhere", thumbnail: [1, 2, 3]),
            try AttachmentStore.known(largeContent), try AttachmentStore.attachment(""),
        ]
        for (index, id) in ["with-1", "with-2"].enumerated() {
            try engine.write(
                .saveMessage(
                    NewMessage(
                        id: try EntityID(id), conversation: alice, text: id,
                        timestamp: Timestamp(microseconds: 500_000_000 + Int64(index)),
                        attachments: Array(attachments.dropFirst(index)))))
        }
        try engine.write(
            .saveDraft(
                NewDraft(
                    conversation: alice, content: DraftContent(),
                    attachments: [try AttachmentStore.attachment("of a draft", type: "image/png")])))
    }

    static let largeContent = [UInt8]((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 17 >> 2) })

    private static func fillState(_ engine: StoreEngine) throws {
        let key = try SceneKey("key")
        try engine.write(
            .setSceneValues(
                .sceneAndGlobal(try SceneName("scene")), [SceneChange(key: key, value: [1, 2])], conditions: []))
        try engine.write(
            .setSceneValues(.globalOnly, [SceneChange(key: try SceneKey("other"), value: [3])], conditions: []))
        let names = try ["round", "full", "empty"].map { try LogName($0) }
        try engine.write(.openLog(names[0], LogConfiguration(maximumBytes: 400, overwritesOldest: true)))
        try engine.write(.openLog(names[1], LogConfiguration(maximumBytes: 10_000, overwritesOldest: false)))
        try engine.write(.openLog(names[2], LogConfiguration(maximumBytes: 10_000, overwritesOldest: false)))
        for index in 0..<50 {
            try engine.write(
                .appendLog(LogAppend(log: names[0], expected: nil, messages: [Array("entry \(index)".utf8)])))
        }
        try engine.write(.appendLog(LogAppend(log: names[1], expected: nil, messages: [[1], [2, 2], [3, 3, 3]])))
    }

    static let largeFile = [UInt8]((0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })

    private static func fillFiles(_ engine: StoreEngine) throws {
        try engine.write(
            .saveFile(try FilePath(.document, "a/b/small.txt"), Array("small".utf8), createsParents: true))
        try engine.write(.saveFile(try FilePath(.cache, "empty"), [], createsParents: false))
        try engine.write(.createDirectory(try FilePath(.library, "nothing in it"), createsParents: false))
        let write = FileWriteRequest(path: try FilePath(.document, "a/large"), place: .whole)
        guard case .begun(let id) = try engine.fileWrite(.begin(write)) else {
            throw StoreError(.internal, "what is begun has a session")
        }
        try engine.fileWrite(.write(id, offset: 0, data: largeFile))
        try engine.fileWrite(.finish(id))
        try engine.write(
            .copyFile(try FilePath(.document, "a/large"), to: try FilePath(.library, "copy")))
    }
}
