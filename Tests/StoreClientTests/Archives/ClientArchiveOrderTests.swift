import StoreBasics
import TestBasics
import Testing

@testable import StoreClient

/// The order of records, by the table that the engine is held to as well.
@Suite struct ClientArchiveOrderTests {
    @Test func `records are taken and refused by the places they stand in`() {
        for one in ArchiveOrderCase.all {
            var order = ArchiveOrder()
            for (index, part) in one.parts.enumerated() {
                let fault = order.take(Self.record(part, one.isOfChanges, order.counts))
                let isAllowed = index < one.parts.count - 1 || one.isAllowed
                #expect((fault == nil) == isAllowed, "\(one): \(fault ?? "taken")")
            }
        }
    }

    @Test func `of the reactions to a message an archive of changes has as many as a message may`() {
        for isOfChanges in [false, true] {
            var order = ArchiveOrder()
            for part in [ArchivePart.header, .conversation, .message] {
                #expect(order.take(Self.record(part, isOfChanges, order.counts)) == nil)
            }
            let reaction = Self.record(.reaction, isOfChanges, order.counts)
            for _ in 0..<10_000 {
                #expect(order.take(reaction) == nil)
            }
            var next = order
            #expect((next.take(reaction) == nil) == !isOfChanges)
        }
    }

    private static let time = Timestamp(microseconds: 1)

    private static func record(
        _ part: ArchivePart, _ isOfChanges: Bool, _ counts: ArchiveCounts
    ) -> ArchiveRecord {
        ArchiveRecord(item(part, isOfChanges, counts), changedAt: part == .changedContact ? time : nil)
    }

    private static func item(_ part: ArchivePart, _ isOfChanges: Bool, _ counts: ArchiveCounts) -> ArchiveItem {
        switch part {
        case .header:
            .header(
                ArchiveHeader(historyID: .none, revision: 2, createdAt: time, sinceRevision: isOfChanges ? 1 : nil))
        case .contact, .changedContact:
            .contact(
                ArchivedContact(
                    id: "c", sessionID: "s", displayName: nil, avatar: nil, notes: nil, isBlocked: false,
                    isTrusted: false, createdAt: time, updatedAt: time))
        case .conversation:
            .conversation(
                ArchivedConversation(
                    id: "k", sessionID: "s", displayName: nil, avatar: nil, isPinned: false, isMuted: false,
                    retention: ConversationRetention(), createdAt: time, updatedAt: time))
        case .message:
            .message(
                ArchivedMessage(
                    id: "m", text: "text", senderSessionID: "", recipientSessionID: "", timestamp: time, status: .sent,
                    isOutgoing: false, isRead: false, attachmentURL: nil, attachmentType: nil, replyToMessageID: nil,
                    createdAt: time, editedAt: nil, timer: nil, expiresAt: nil))
        case .reaction: .reaction(ArchivedReaction(authorSessionID: "s", emoji: "👍", createdAt: time))
        case .draft:
            .draft(
                ArchivedDraft(
                    sessionID: "s", text: "text", attachmentURL: nil, attachmentType: nil, replyToMessageID: nil,
                    updatedAt: time))
        case .removal: .removal(ArchivedRemoval(kind: .contact, id: "c", removedAt: time))
        case .reactionRemoval, .reactionRemovalOfOther:
            .removal(
                ArchivedRemoval(kind: .reaction, id: part == .reactionRemoval ? "m" : "other", removedAt: time))
        case .footer: .footer(ArchiveFooter(counts: counts))
        case .sceneValue, .log, .logEntry, .directory, .emptyFile, .file, .content, .piece: state(part)
        }
    }

    private static func state(_ part: ArchivePart) -> ArchiveItem {
        let path = VaultPath(.document, "a")
        switch part {
        case .sceneValue:
            return .sceneValue(ArchivedSceneValue(scene: nil, key: "key", encodedValue: [1], updatedAt: time))
        case .log:
            return .log(
                ArchivedLog(
                    name: "log", configuration: LogConfiguration(maximumBytes: 1_000, overwritesOldest: true),
                    createdAt: time))
        case .logEntry: return .logEntry(ArchivedLogEntry(sequence: 1, offset: 64, position: 0, data: [1]))
        case .directory: return .directory(ArchivedDirectory(path: path, createdAt: time, modifiedAt: time))
        case .content:
            return .content(ArchivedContent(contentBytes: 1, digest: String(repeating: "ab", count: 32)))
        case .piece: return .filePiece([1])
        default:
            return .file(
                ArchivedFile(path: path, contentBytes: part == .file ? 1 : 0, createdAt: time, modifiedAt: time))
        }
    }
}
