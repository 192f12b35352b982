import StoreBasics
import StoreCrypto
import TestBasics
import Testing

@testable import StoreEngine

/// Tests of the order of records with the same cases as the client's tests.
@Suite struct ArchiveOrderTests {
    @Test func `records are accepted only in the allowed order`() throws {
        for one in ArchiveOrderCase.all {
            #expect(try refused(one.parts.dropLast(), one) == nil, "\(one)")
            #expect(try (refused(one.parts[...], one) == nil) == one.isAllowed, "\(one)")
        }
    }

    /// Restores records in the given order.
    ///
    /// - Returns: the reason for which they count as damaged; `nil` if they are accepted.
    private func refused(_ parts: ArraySlice<ArchivePart>, _ one: ArchiveOrderCase) throws -> String? {
        let table = RecordTable()
        var counts = ArchiveCounts()
        var file = ArchiveForm.magic
        for part in parts {
            let entry = try entry(part, one.isOfChanges, counts)
            if let kind = entry.record.kind {
                counts[kind] += 1
            }
            let bytes = table.encode(entry)
            file += [0, 0, 0, UInt8(bytes.count)] + bytes
        }
        var reader = ArchiveStreamReader(table, isWithoutDigest: true)
        reader.feed(file)
        do throws(StoreError) {
            while try reader.next() != nil {}
            return nil
        } catch {
            #expect(error.reason == .archiveDamaged)
            return error.message
        }
    }

    private func entry(_ part: ArchivePart, _ isOfChanges: Bool, _ counts: ArchiveCounts) throws -> ArchiveEntry {
        let time = Timestamp(microseconds: 1)
        switch part {
        case .header:
            return ArchiveEntry(
                .header(
                    ArchiveHeader(history: .none, revision: 2, createdAt: time, sinceRevision: isOfChanges ? 1 : 0)))
        case .contact, .changedContact:
            let contact = ArchivedContact(
                id: try EntityID("c"), sessionID: try SessionID("s"), displayName: nil, avatar: nil, notes: nil,
                isBlocked: false, isTrusted: false, createdAt: time, updatedAt: time)
            return ArchiveEntry(.contact(contact), changedAt: part == .contact ? nil : time)
        case .conversation:
            return ArchiveEntry(
                .conversation(
                    ArchivedConversation(
                        id: try EntityID("k"), sessionID: try SessionID("s"), displayName: nil, avatar: nil,
                        isPinned: false, isMuted: false, retention: ConversationRetention(), createdAt: time,
                        updatedAt: time)))
        case .message:
            return ArchiveEntry(
                .message(
                    ArchivedMessage(
                        id: try EntityID("m"), text: "text", senderSessionID: "", recipientSessionID: "",
                        timestamp: time, status: .sent, isOutgoing: false, isRead: false, attachmentURL: nil,
                        attachmentType: nil, replyToMessageID: nil, createdAt: time, editedAt: nil, timer: nil,
                        expiresAt: nil)))
        case .reaction:
            return ArchiveEntry(
                .reaction(ArchivedReaction(authorSessionID: try SessionID("s"), emoji: try Emoji("👍"), createdAt: time))
            )
        case .draft:
            return ArchiveEntry(
                .draft(
                    ArchivedDraft(
                        sessionID: try SessionID("s"), content: DraftContent(text: "text"), updatedAt: time)))
        case .sceneValue, .log, .logEntry: return ArchiveEntry(try state(part, time))
        case .directory, .emptyFile, .file, .content, .piece: return ArchiveEntry(try file(part, time))
        case .removal: return ArchiveEntry(.removal(ArchivedRemoval(.contact(try EntityID("c")), removedAt: time)))
        case .reactionRemoval, .reactionRemovalOfOther:
            let id = try EntityID(part == .reactionRemoval ? "m" : "other")
            return ArchiveEntry(.removal(ArchivedRemoval(.reactions(of: id), removedAt: time)))
        case .footer: return ArchiveEntry(.footer(ArchiveFooter(counts: counts, digest: [])))
        }
    }

    private func state(_ part: ArchivePart, _ time: Timestamp) throws -> ArchiveRecord {
        switch part {
        case .sceneValue:
            .sceneValue(ArchivedSceneValue(scene: nil, key: try SceneKey("key"), value: [1], updatedAt: time))
        case .log:
            .log(
                ArchivedLog(
                    name: try LogName("log"),
                    configuration: LogConfiguration(maximumBytes: 1_000, overwritesOldest: true), createdAt: time))
        default: .logEntry(ArchivedLogEntry(sequence: 1, offset: 64, position: 0, data: [1]))
        }
    }

    private func file(_ part: ArchivePart, _ time: Timestamp) throws -> ArchiveRecord {
        let path = try FilePath(.document, "a")
        switch part {
        case .directory: return .directory(ArchivedDirectory(path: path, createdAt: time, modifiedAt: time))
        case .content:
            var digest = ContentDigest()
            digest.update([1])
            return .content(ArchivedContent(digest: AttachmentDigest(trusted: digest.finish()), byteCount: 1))
        case .piece: return .filePiece([1])
        default:
            return .file(
                ArchivedFile(path: path, byteCount: part == .file ? 1 : 0, createdAt: time, modifiedAt: time))
        }
    }
}
