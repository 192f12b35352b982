import FoundationEssentials
import StoreProtocol
import SwiftProtobuf
import TestBasics
import Testing

@testable import StoreServer

private func passphrase(_ text: String) -> WireSecret {
    .with {
        $0.kind = .passphrase
        $0.value = Data(text.utf8)
    }
}

private let alice = WireConversationReference.with { $0.sessionID = "alice" }

@Suite(.serialized) struct EveryCallTests {
    @Test func `every call has the documented result`() async throws {
        try await RunningServer.with { server in
            let caller = try RecordingCaller(server.connect())
            try makeServiceCalls(caller)
            try makeConversationCalls(caller)
            try makeMessageCalls(caller)
            try makeAttachmentCalls(caller)
            try makeSearchCalls(caller)
            try makeDraftCalls(caller)
            try makeContactCalls(caller)
            try makeSceneCalls(caller)
            try makeLogCalls(caller)
            try makeFileCalls(caller)
            try makeBlobCalls(caller)
            try makeArchiveCalls(caller)
            try makeReplicationCalls(caller)
            try makeChangeCalls(caller)
            try makeKeyCalls(caller)
            try makeBackupCalls(caller)
            _ = try caller.expect("commit", .deleteConversation(.with { $0.conversation = alice }))
            _ = try caller.expect("commit", .clearAllData_p(.with { $0.confirmation = "clear all data" }))
            #expect(caller.made == Set(CallKind.allCases))
        }
    }

    private func makeServiceCalls(_ caller: RecordingCaller) throws {
        _ = try caller.expect("hello", .hello(.init()))
        _ = try caller.expect("ping", .ping(.init()))
        _ = try caller.expect("status", .getStatus(.init()))
        _ = try caller.expect("metrics", .getMetrics(.init()))
        _ = try caller.expect("statistics", .getStatistics(.init()))
    }

    private func makeConversationCalls(_ caller: RecordingCaller) throws {
        let avatar = Data(repeating: 7, count: 300_000)
        _ = try caller.expect("get_or_create_conversation", .getOrCreateConversation(.with { $0.sessionID = "alice" }))
        let update = WireUpdateConversationRequest.with {
            $0.conversation = alice
            $0.displayName = "Alice"
            $0.avatar = avatar
            $0.isPinned = true
        }
        _ = try caller.expect("commit", .updateConversation(update))
        let plain = try caller.expect("conversation", .getConversation(.with { $0.conversation = alice }))
        #expect(plain.conversation.displayName == "Alice")
        #expect(plain.conversation.hasAvatar_p)
        #expect(!plain.conversation.hasAvatar)
        let whole = try caller.expect(
            "conversation",
            .getConversation(
                .with {
                    $0.conversation = alice
                    $0.includeAvatar = true
                }))
        #expect(whole.conversation.avatar == avatar)
        _ = try caller.expect(
            "commit",
            .setConversationMembers(
                .with {
                    $0.conversation.sessionID = "alice"
                    $0.members = [.with { $0.sessionID = "member" }]
                }))
        _ = try caller.expect(
            "conversation_members", .listConversationMembers(.with { $0.conversation.sessionID = "alice" }))
        _ = try caller.expect(
            "commit",
            .removeConversationMembers(
                .with {
                    $0.conversation.sessionID = "alice"
                    $0.sessionIds = ["member"]
                }))
        let list = try caller.expect("conversations", .listConversations(.with { $0.isPinned = true }))
        #expect(list.conversations.conversations.map(\.sessionID) == ["alice"])
    }

    private func makeMessageCalls(_ caller: RecordingCaller) throws {
        let messages = (1...3).map { number in
            WireNewMessage.with {
                $0.id = "m\(number)"
                $0.conversation.sessionID = "alice"
                $0.text = "text \(number)"
                $0.timestampMicroseconds = Int64(number) * 1_000
                $0.replyToMessageID = "m0"
            }
        }
        _ = try caller.expect("commit", .saveMessage(.with { $0.message = messages[0] }))
        _ = try caller.expect("commit", .saveMessages(.with { $0.messages = messages }))
        _ = try caller.expect(
            "commit",
            .updateMessageStatus(
                .with {
                    $0.ids = ["m1"]
                    $0.status = .delivered
                }))
        _ = try caller.expect("commit", .markMessagesRead(.with { $0.ids = ["m1"] }))
        _ = try caller.expect("commit", .markConversationRead(.with { $0.conversation = alice }))
        _ = try caller.expect(
            "commit",
            .editMessage(
                .with {
                    $0.id = "m1"
                    $0.text = "edited"
                }))
        let got = try caller.expect("message", .getMessage(.with { $0.id = "m1" }))
        #expect(got.message.text == "edited")
        #expect(got.message.status == .delivered)
        #expect(got.message.replyToMessageID == "m0")
        let list = try caller.expect(
            "messages",
            .listMessages(
                .with {
                    $0.conversation.sessionID = "alice"
                    $0.limit = 2
                    $0.order = .oldestFirst
                }))
        #expect(list.messages.messages.map(\.id) == ["m1", "m2"])
        #expect(list.messages.hasMore_p)
        try makeReactionCalls(caller)
        _ = try caller.expect("commit", .deleteMessages(.with { $0.ids = ["m2"] }))
    }

    private func makeReactionCalls(_ caller: RecordingCaller) throws {
        let add = try WireAddReactionRequest(
            jsonString: #"{"messageId": "m1", "emoji": "👍", "authorSessionId": "bob"}"#)
        _ = try caller.expect("commit", .addReaction(add))
        let message = try caller.expect("message", .getMessage(.with { $0.id = "m1" })).message
        #expect(message.reactions.map(\.emoji) == ["👍"] && message.reactions.map(\.count) == [1])
        let list = try caller.expect("reactions", .listReactions(.with { $0.messageID = "m1" })).reactions
        #expect(list.reactions.map(\.authorSessionID) == ["bob"] && list.nextCursor.isEmpty)
        let remove = try WireRemoveReactionRequest(jsonString: try add.jsonString())
        #expect(try caller.expect("commit", .removeReaction(remove)).commit.deletedCount == 1)
    }

    private func makeSearchCalls(_ caller: RecordingCaller) throws {
        let id = "searched"
        let message = WireNewMessage.with {
            $0.id = id
            $0.conversation = alice
            $0.text = "Ein Haus am Meer"
        }
        _ = try caller.expect("commit", .saveMessage(.with { $0.message = message }))
        let conversations = try caller.expect(
            "conversations", .searchConversations(.with { $0.query = "alic" })
        ).conversations
        #expect(conversations.conversations.map(\.sessionID) == ["alice"])
        let search = WireSearchMessagesRequest.with { $0.query = "meer haus NOT see" }
        let found = try caller.expect("found_messages", .searchMessages(search)).foundMessages
        #expect(found.messages.map(\.message.id) == [id])
        #expect(found.messages.first?.snippet == message.text)
        #expect(found.messages.first?.matches.map(\.offset) == [4, 12])
        _ = try caller.expect("error", .searchMessages(.with { $0.query = "" }))
        let saved = try caller.expect("message", .getMessage(.with { $0.id = id })).message
        #expect(found.messages.first?.message == saved)
        _ = try caller.expect("commit", .deleteMessages(.with { $0.ids = [id] }))
    }

    private func makeDraftCalls(_ caller: RecordingCaller) throws {
        let save = WireSaveDraftRequest.with {
            $0.conversation = alice
            $0.text = "not sent"
            $0.replyToMessageID = "m1"
        }
        let saved = try caller.expect("commit", .saveDraft(save)).commit
        #expect(saved.createdCount == 1)
        let got = try caller.expect("draft", .getDraft(.with { $0.conversation = alice })).draft.draft
        #expect(got.text == "not sent" && got.replyToMessageID == "m1" && !got.hasAttachmentURL)
        #expect(got.conversationID == saved.ids.first && got.revision == saved.revision)
        #expect(try caller.expect("drafts", .listDrafts(.init())).drafts.drafts == [got])
        _ = try caller.expect("commit", .deleteDraft(.with { $0.conversation = alice }))
        #expect(try !caller.expect("draft", .getDraft(.with { $0.conversation = alice })).draft.hasDraft)
    }

    private func makeContactCalls(_ caller: RecordingCaller) throws {
        _ = try caller.expect(
            "commit",
            .saveContact(
                .with {
                    $0.sessionID = "bob"
                    $0.displayName = "Bob"
                    $0.avatar = Data([1, 2, 3])
                }))
        _ = try caller.expect(
            "commit",
            .setContactBlocked(
                .with {
                    $0.sessionID = "bob"
                    $0.isBlocked = true
                }))
        let contact = try caller.expect(
            "contact",
            .getContact(
                .with {
                    $0.sessionID = "bob"
                    $0.includeAvatar = true
                }))
        #expect(contact.contact.avatar == Data([1, 2, 3]))
        #expect(contact.contact.isBlocked)
        _ = try caller.expect("contact", .getContact(.with { $0.sessionID = "bob" }))
        _ = try caller.expect("contacts", .listContacts(.with { $0.includeAvatars = true }))
        let contacts = try caller.expect("contacts", .searchContacts(.with { $0.query = "bo" })).contacts
        #expect(contacts.contacts.map(\.sessionID) == ["bob"])
        _ = try caller.expect("commit", .deleteContact(.with { $0.sessionID = "bob" }))
    }

    private func makeSceneCalls(_ caller: RecordingCaller) throws {
        let changes = [("a", WireSceneValue.with { $0.integer = -7 }), ("b", .with { $0.string = "é" })]
        let set = WireSetSceneValuesRequest.with {
            $0.scene = "main"
            $0.changes = changes.map { key, value in
                .with {
                    $0.key = key
                    $0.value = value
                }
            }
        }
        let committed = try caller.expect("commit", .setSceneValues(set))
        #expect(committed.commit.createdCount == 2)
        let all = try caller.expect("scene_values", .getSceneValues(.with { $0.scene = "main" }))
        #expect(all.sceneValues.entries.map(\.key) == ["a", "b"])
        #expect(all.sceneValues.entries.map(\.value) == changes.map(\.1))
        #expect(all.sceneValues.entries.allSatisfy { $0.tier == .scene })
        #expect(all.sceneValues.revision == committed.commit.revision)
        let one = WireGetSceneValuesRequest.with {
            $0.scene = "other"
            $0.keys = ["b"]
        }
        let shared = try caller.expect("scene_values", .getSceneValues(one))
        #expect(shared.sceneValues.entries.map(\.tier) == [.global])
        let list = try caller.expect("scenes", .listScenes(.init()))
        #expect(list.scenes.scenes.map(\.keyCount) == [2])
        _ = try caller.expect("commit", .removeScene(.with { $0.scene = "main" }))
    }

    private func makeBlobCalls(_ caller: RecordingCaller) throws {
        let export = try caller.expect(
            "blob_export", .beginBlobExport(.with { $0.conversation.sessionID = "alice" })
        ).blobExport
        let piece = try caller.expect(
            "blob_export_piece", .readBlobExport(.with { $0.session = export.session })
        ).blobExportPiece
        #expect(piece.isLast && UInt64(piece.data.count) == export.totalBytes)
        let begun = try caller.expect(
            "blob_import",
            .beginBlobImport(
                .with {
                    $0.conversation.sessionID = "copy"
                    $0.importID = "first"
                }))
        let write = WireWriteBlobImportRequest.with {
            $0.session = begun.blobImport.session
            $0.data = piece.data
        }
        let progress = try caller.expect("blob_import_progress", .writeBlobImport(write))
        #expect(progress.blobImportProgress.bytesReceived == export.totalBytes)
        let report = try caller.expect(
            "blob_import_report", .finishBlobImport(.with { $0.session = begun.blobImport.session })
        ).blobImportReport
        #expect(report.messageCount == export.messageCount && report.createdCount == export.messageCount)
        _ = try caller.expect("blob_session_ended", .endBlobSession(.with { $0.session = begun.blobImport.session }))
    }

    private func makeArchiveCalls(_ caller: RecordingCaller) throws {
        let archive = try caller.expect("archive", .beginArchive(.init())).archive
        let piece = try caller.expect(
            "archive_piece", .readArchive(.with { $0.session = archive.session })
        ).archivePiece
        #expect(piece.isLast)
        let begun = try caller.expect("archive_restore", .beginArchiveRestore(.with { $0.aim = .merge }))
        let write = WireWriteArchiveRestoreRequest.with {
            $0.session = begun.archiveRestore.session
            $0.data = piece.data
        }
        let progress = try caller.expect("archive_restore_progress", .writeArchiveRestore(write))
        #expect(progress.archiveRestoreProgress.bytesReceived == UInt64(piece.data.count))
        let report = try caller.expect(
            "archive_restore_report", .finishArchiveRestore(.with { $0.session = begun.archiveRestore.session })
        ).archiveRestoreReport
        #expect(report.header.revision == archive.revision)
        #expect(report.counts == report.equal && report.counts.messages > 0)
        _ = try caller.expect(
            "archive_session_ended", .endArchiveSession(.with { $0.session = begun.archiveRestore.session }))
    }

    private func makeChangeCalls(_ caller: RecordingCaller) throws {
        let changes = try caller.expect("changes", .listChanges(.with { $0.limit = 3 }))
        #expect(changes.changes.changes.map(\.revision) == [1, 2, 3])
        #expect(changes.changes.hasMore_p)
        _ = try caller.expect("compact_changes", .compactChanges(.with { $0.throughRevision = 2 }))
        let watch = try caller.expect("watch_event", .watch(.init()))
        #expect(watch.more)
        _ = try caller.expect("cancel", .cancel(.with { $0.requestID = 0 }))
    }

    private func makeKeyCalls(_ caller: RecordingCaller) throws {
        let own = passphrase(RunningServer.passphrase)
        _ = try caller.expect("error", .initializeStore(.with { $0.secret = own }))
        let added = try caller.expect(
            "add_key_slot",
            .addKeySlot(
                .with {
                    $0.secret = own
                    $0.newSecret = passphrase("second")
                    $0.lowCost = true
                }))
        let slots = try caller.expect("key_slots", .listKeySlots(.init()))
        #expect(slots.keySlots.slots.map(\.number) == [1, 2])
        _ = try caller.expect(
            "change_passphrase",
            .changePassphrase(
                .with {
                    $0.secret = passphrase("second")
                    $0.newSecret = passphrase("third")
                    $0.lowCost = true
                }))
        _ = try caller.expect(
            "remove_key_slot",
            .removeKeySlot(
                .with {
                    $0.secret = own
                    $0.slot = added.addKeySlot.slot
                }))
        let rotated = try caller.expect("rotate_master_key", .rotateMasterKey(.init()))
        #expect(rotated.rotateMasterKey.generation >= 1)
    }

    private func makeBackupCalls(_ caller: RecordingCaller) throws {
        _ = try caller.expect("rebuild_search_index", .rebuildSearchIndex(.init()))
        let check = try caller.expect("check_report", .checkStore(.init()))
        #expect(check.checkReport.isClean, "\(check.checkReport.findings)")
        let name = try caller.expect("backup", .createBackup(.init())).backup.name
        let backups = try caller.expect("backups", .listBackups(.init()))
        #expect(backups.backups.backups.map(\.name) == [name])
        var data = Data()
        var size: UInt64 = 1
        while UInt64(data.count) < size {
            let chunk = try caller.expect(
                "backup_data",
                .readBackup(
                    .with {
                        $0.name = name
                        $0.offset = UInt64(data.count)
                        $0.length = 1 << 20
                    }))
            data += chunk.backupData.data
            size = chunk.backupData.totalBytes
            try #require(!chunk.backupData.data.isEmpty)
        }
        let upload = try caller.expect("begin_backup_upload", .beginBackupUpload(.with { $0.totalBytes = size }))
        for start in stride(from: 0, to: data.count, by: 1 << 20) {
            _ = try caller.expect(
                "write_backup",
                .writeBackup(
                    .with {
                        $0.name = upload.beginBackupUpload.name
                        $0.offset = UInt64(start)
                        $0.data = data[start..<min(start + 1 << 20, data.count)]
                    }))
        }
        let verified = try caller.expect(
            "backup_report", .verifyBackup(.with { $0.name = upload.beginBackupUpload.name }))
        #expect(verified.backupReport.isClean)
        _ = try caller.expect("delete_backup", .deleteBackup(.with { $0.name = name }))
        try restore(upload.beginBackupUpload.name, caller)
    }

    private func restore(_ name: String, _ caller: RecordingCaller) throws {
        let restore = WireRestoreBackupRequest.with {
            $0.name = name
            $0.secret = passphrase(RunningServer.passphrase)
            $0.replaceExisting = true
        }
        let restored = try caller.expect("restore_backup", .restoreBackup(restore))
        #expect(restored.restoreBackup.statistics.messageCount == 4)
        #expect(caller.endedWatches == ["HISTORY_CHANGED"])
        _ = try caller.expect("lock", .lock(.init()))
        _ = try caller.expect("unlock", .unlock(.with { $0.secret = passphrase(RunningServer.passphrase) }))
    }
}
