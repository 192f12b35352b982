import FoundationEssentials
import StoreBasics
import StoreEngine
import StoreProtocol
import SwiftProtobuf

/// Records of archives as protobuf (archives.proto).
struct ArchiveRecordCoding: ArchiveCoding {
    func encode(_ entry: ArchiveEntry) -> [UInt8] {
        var wire = WireArchiveRecord(entry.record)
        if let time = entry.changedAt { wire.changedAtMicroseconds = time.microseconds }
        let bytes: [UInt8]? = try? wire.serializedBytes()
        guard let bytes else { preconditionFailure("a record without required fields could not be serialized") }
        return bytes
    }

    func decode(_ bytes: ArraySlice<UInt8>) throws(StoreError) -> ArchiveEntry {
        let attachmentCount = NestedAttachments.count(archived: bytes)
        guard attachmentCount ?? 0 <= EngineLimits.attachmentsMax else {
            throw .invalidArgument("the record has more than \(EngineLimits.attachmentsMax) attachments")
        }
        guard attachmentCount != nil, let wire = try? WireArchiveRecord(serializedBytes: Array(bytes)) else {
            throw .invalidArgument("the bytes are not a record")
        }
        guard wire.contentFile.isEmpty else {
            throw .invalidArgument("the record names a file with its bytes, which is allowed only in JSON Lines")
        }
        do throws(RequestFailure) {
            return ArchiveEntry(
                try wire.record(),
                changedAt: wire.hasChangedAtMicroseconds
                    ? Timestamp(microseconds: wire.changedAtMicroseconds) : nil)
        } catch {
            throw .invalidArgument(error.message)
        }
    }
}

// MARK: To the wire

extension WireArchiveRecord {
    fileprivate init(_ record: ArchiveRecord) {
        self.init()
        self.record =
            switch record {
            case .header(let header): .header(WireArchiveHeader(header))
            case .contact(let contact): .contact(WireArchivedContact(contact))
            case .conversation(let conversation): .conversation(WireArchivedConversation(conversation))
            case .message(let message): .message(WireArchivedMessage(message))
            case .reaction(let reaction):
                .reaction(
                    .with {
                        $0.authorSessionID = reaction.authorSessionID.text
                        $0.emoji = reaction.emoji.text
                        $0.createdAtMicroseconds = reaction.createdAt.microseconds
                    })
            case .draft(let draft): .draft(WireArchivedDraft(draft))
            case .sceneValue(let value): .sceneValue(WireArchivedSceneValue(value))
            case .log(let log): .log(WireArchivedLog(log))
            case .logEntry(let entry):
                .logEntry(
                    .with {
                        $0.sequence = entry.sequence
                        $0.offset = entry.offset
                        $0.position = entry.position
                        $0.data = Data(entry.data)
                    })
            case .directory(let directory):
                .directory(
                    .with {
                        $0.path = WireFilePath(directory.path)
                        $0.createdAtMicroseconds = directory.createdAt.microseconds
                        $0.modifiedAtMicroseconds = directory.modifiedAt.microseconds
                    })
            case .file(let file):
                .file(
                    .with {
                        $0.path = WireFilePath(file.path)
                        $0.byteCount = file.byteCount
                        $0.createdAtMicroseconds = file.createdAt.microseconds
                        $0.modifiedAtMicroseconds = file.modifiedAt.microseconds
                    })
            case .content(let content):
                .content(
                    .with {
                        $0.byteCount = content.byteCount
                        $0.digest = Data(content.digest.bytes)
                    })
            case .filePiece(let bytes): .filePiece(Data(bytes))
            case .removal(let removal): .removal(WireArchivedRemoval(removal))
            case .footer(let footer):
                .footer(
                    .with {
                        $0.counts = WireArchiveCounts(footer.counts)
                        $0.digest = Data(footer.digest)
                    })
            }
    }
}

extension WireArchiveHeader {
    init(_ header: ArchiveHeader) {
        self.init()
        formatVersion = ArchiveHeader.formatVersion
        historyID = Data(header.history.bytes)
        revision = header.revision
        createdAtMicroseconds = header.createdAt.microseconds
        sinceRevision = header.sinceRevision
    }
}

extension WireArchivedRemoval {
    fileprivate init(_ removal: ArchivedRemoval) {
        self.init()
        removedAtMicroseconds = removal.removedAt.microseconds
        switch removal.subject {
        case .contact(let id): (kind, self.id) = (.contact, id.text)
        case .conversation(let id): (kind, self.id) = (.conversation, id.text)
        case .message(let id): (kind, self.id) = (.message, id.text)
        case .draft(let id): (kind, self.id) = (.draft, id.text)
        case .sceneValue(let scene, let key): (kind, id, parentID) = (.sceneValue, key.text, scene?.text ?? "")
        case .scene(let scene): (kind, parentID) = (.sceneValue, scene.text)
        case .log(let name): (kind, id) = (.log, name.text)
        case .file(let path): (kind, id) = (.file, path.text)
        case .reactions(let message): (kind, id) = (.reaction, message.text)
        }
    }
}

extension WireArchivedContact {
    fileprivate init(_ contact: ArchivedContact) {
        self.init()
        id = contact.id.text
        sessionID = contact.sessionID.text
        if let name = contact.displayName { displayName = name }
        if let bytes = contact.avatar { avatar = Data(bytes) }
        if let text = contact.notes { notes = text }
        isBlocked = contact.isBlocked
        isTrusted = contact.isTrusted
        createdAtMicroseconds = contact.createdAt.microseconds
        updatedAtMicroseconds = contact.updatedAt.microseconds
    }
}

extension WireArchivedConversation {
    fileprivate init(_ conversation: ArchivedConversation) {
        self.init()
        id = conversation.id.text
        sessionID = conversation.sessionID.text
        if let name = conversation.displayName { displayName = name }
        if let bytes = conversation.avatar { avatar = Data(bytes) }
        isPinned = conversation.isPinned
        isMuted = conversation.isMuted
        if let kept = WireConversationRetention(conversation.retention) { retention = kept }
        createdAtMicroseconds = conversation.createdAt.microseconds
        updatedAtMicroseconds = conversation.updatedAt.microseconds
    }
}

extension SwiftProtobuf.Message {
    /// A message with fields of a later version only.
    ///
    /// - Parameter unknownFields: as the engine keeps them; always fields.
    fileprivate init(unknownFields: [UInt8]) {
        self = unknownFields.isEmpty ? Self() : (try? Self(serializedBytes: unknownFields)) ?? Self()
    }
}

extension WireArchivedMessage {
    fileprivate init(_ message: ArchivedMessage) {
        self.init(unknownFields: message.unknownFields)
        id = message.id.text
        text = message.text
        senderSessionID = message.senderSessionID
        recipientSessionID = message.recipientSessionID
        timestampMicroseconds = message.timestamp.microseconds
        status = WireMessageStatus(message.status)
        isOutgoing = message.isOutgoing
        isRead = message.isRead
        if let url = message.attachmentURL { attachmentURL = url }
        if let type = message.attachmentType { attachmentType = type }
        if let reply = message.replyToMessageID { replyToMessageID = reply.text }
        createdAtMicroseconds = message.createdAt.microseconds
        if let time = message.editedAt { editedAtMicroseconds = time.microseconds }
        if let running = message.timer { timer = WireMessageTimer(running) }
        if let time = message.expiresAt { expiresAtMicroseconds = time.microseconds }
        attachments = message.attachments.map { WireArchivedAttachment($0) }
    }
}

extension WireArchivedAttachment {
    fileprivate init(_ attachment: NewAttachment) {
        self.init(unknownFields: attachment.unknownFields)
        name = attachment.name
        mimeType = attachment.mimeType.text
        byteCount = attachment.byteCount
        digest = Data(attachment.digest.bytes)
        source = attachment.source ?? ""
        thumbnail = Data(attachment.thumbnail)
    }
}

extension WireArchivedDraft {
    fileprivate init(_ draft: ArchivedDraft) {
        self.init()
        sessionID = draft.sessionID.text
        text = draft.content.text
        if let url = draft.content.attachmentURL { attachmentURL = url }
        if let type = draft.content.attachmentType { attachmentType = type }
        if let reply = draft.content.replyToMessageID { replyToMessageID = reply.text }
        updatedAtMicroseconds = draft.updatedAt.microseconds
        attachments = draft.attachments.map { WireArchivedAttachment($0) }
    }
}

extension WireArchivedSceneValue {
    fileprivate init(_ value: ArchivedSceneValue) {
        self.init()
        if let name = value.scene { scene = name.text }
        key = value.key.text
        self.value = Data(value.value)
        updatedAtMicroseconds = value.updatedAt.microseconds
    }
}

extension WireArchivedLog {
    fileprivate init(_ log: ArchivedLog) {
        self.init()
        name = log.name.text
        maximumBytes = log.configuration.maximumBytes
        overwritesOldest = log.configuration.overwritesOldest
        createdAtMicroseconds = log.createdAt.microseconds
        isReplicated = log.isReplicated
        if let oldest = log.oldestSequence { oldestSequence = oldest }
    }
}

extension WireArchiveCounts {
    init(_ counts: ArchiveCounts) {
        self.init()
        contacts = counts[.contact]
        conversations = counts[.conversation]
        messages = counts[.message]
        reactions = counts[.reaction]
        drafts = counts[.draft]
        sceneValues = counts[.sceneValue]
        logs = counts[.log]
        logEntries = counts[.logEntry]
        directories = counts[.directory]
        files = counts[.file]
        contents = counts[.content]
        removals = counts[.removal]
    }
}
