import FoundationEssentials
import StoreBasics
import StoreProtocol
import SwiftProtobuf

extension WireArchiveRecord {
    init(_ record: ArchiveRecord) {
        self.init()
        self.record = OneOf_Record(record.item)
        if let time = record.changedAt {
            changedAtMicroseconds = time.microseconds
        }
    }
}

extension WireArchiveRecord.OneOf_Record {
    fileprivate init(_ item: ArchiveItem) {
        self =
            switch item {
            case .header(let header): .header(WireArchiveHeader(header))
            case .contact(let contact): .contact(WireArchivedContact(contact))
            case .conversation(let conversation): .conversation(WireArchivedConversation(conversation))
            case .message(let message): .message(WireArchivedMessage(message))
            case .reaction(let reaction): .reaction(WireArchivedReaction(reaction))
            case .draft(let draft): .draft(WireArchivedDraft(draft))
            case .sceneValue(let value): .sceneValue(WireArchivedSceneValue(value))
            case .log(let log): .log(WireArchivedLog(log))
            case .logEntry(let entry): .logEntry(WireArchivedLogEntry(entry))
            case .directory(let directory): .directory(WireArchivedDirectory(directory))
            case .file(let file): .file(WireArchivedFile(file))
            case .filePiece(let bytes): .filePiece(Data(bytes))
            case .content(let content):
                .content(
                    .with {
                        $0.byteCount = content.contentBytes
                        $0.digest = Data(digest: content.digest)
                    })
            case .removal(let removal): .removal(WireArchivedRemoval(removal))
            case .footer(let footer):
                .footer(
                    .with {
                        $0.counts = WireArchiveCounts(footer.counts)
                        $0.digest = Data(digest: footer.digest)
                    })
            }
    }
}

extension WireArchiveHeader {
    fileprivate init(_ header: ArchiveHeader) {
        self.init()
        formatVersion = header.formatVersion
        historyID = Data(header.historyID.bytes)
        revision = header.revision
        createdAtMicroseconds = header.createdAt.microseconds
        sinceRevision = header.sinceRevision ?? 0
    }
}

extension WireArchivedContact {
    fileprivate init(_ contact: ArchivedContact) {
        self.init()
        id = contact.id
        sessionID = contact.sessionID
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
        id = conversation.id
        sessionID = conversation.sessionID
        if let name = conversation.displayName { displayName = name }
        if let bytes = conversation.avatar { avatar = Data(bytes) }
        isPinned = conversation.isPinned
        isMuted = conversation.isMuted
        if conversation.retention != ConversationRetention() {
            retention = WireConversationRetention(conversation.retention)
        }
        createdAtMicroseconds = conversation.createdAt.microseconds
        updatedAtMicroseconds = conversation.updatedAt.microseconds
    }
}

extension WireConversationRetention {
    fileprivate init(_ retention: ConversationRetention) {
        self.init()
        if let timer = retention.messageTimer { messageTimer = WireMessageTimer(timer) }
        keepForMilliseconds = retention.keepForMilliseconds ?? 0
        keepCount = UInt32(clamping: retention.keepCount ?? 0)
    }
}

extension WireArchivedMessage {
    fileprivate init(_ message: ArchivedMessage) {
        self.init()
        id = message.id
        text = message.text
        senderSessionID = message.senderSessionID
        recipientSessionID = message.recipientSessionID
        timestampMicroseconds = message.timestamp.microseconds
        status = WireMessageStatus(message.status)
        isOutgoing = message.isOutgoing
        isRead = message.isRead
        if let url = message.attachmentURL { attachmentURL = url }
        if let type = message.attachmentType { attachmentType = type }
        if let replied = message.replyToMessageID { replyToMessageID = replied }
        createdAtMicroseconds = message.createdAt.microseconds
        if let time = message.editedAt { editedAtMicroseconds = time.microseconds }
        if let timer = message.timer { self.timer = WireMessageTimer(timer) }
        if let time = message.expiresAt { expiresAtMicroseconds = time.microseconds }
        attachments = message.attachments.map(WireArchivedAttachment.init)
    }
}

extension WireArchivedAttachment {
    fileprivate init(_ attachment: ArchivedAttachment) {
        self.init()
        name = attachment.name
        mimeType = attachment.mimeType
        byteCount = attachment.contentBytes
        digest = Data(digest: attachment.digest)
        source = attachment.source ?? ""
        thumbnail = Data(attachment.thumbnail)
    }
}

extension WireArchivedReaction {
    fileprivate init(_ reaction: ArchivedReaction) {
        self.init()
        authorSessionID = reaction.authorSessionID
        emoji = reaction.emoji
        createdAtMicroseconds = reaction.createdAt.microseconds
    }
}

extension WireArchivedDraft {
    fileprivate init(_ draft: ArchivedDraft) {
        self.init()
        sessionID = draft.sessionID
        text = draft.text
        if let url = draft.attachmentURL { attachmentURL = url }
        if let type = draft.attachmentType { attachmentType = type }
        if let replied = draft.replyToMessageID { replyToMessageID = replied }
        updatedAtMicroseconds = draft.updatedAt.microseconds
        attachments = draft.attachments.map(WireArchivedAttachment.init)
    }
}

extension WireArchivedSceneValue {
    fileprivate init(_ value: ArchivedSceneValue) {
        self.init()
        if let name = value.scene { scene = name }
        key = value.key
        self.value = Data(value.encodedValue)
        updatedAtMicroseconds = value.updatedAt.microseconds
    }
}

extension WireArchivedLog {
    fileprivate init(_ log: ArchivedLog) {
        self.init()
        name = log.name
        maximumBytes = log.configuration.maximumBytes
        overwritesOldest = log.configuration.overwritesOldest
        createdAtMicroseconds = log.createdAt.microseconds
        isReplicated = log.isReplicated
        if let oldest = log.oldestSequence { oldestSequence = oldest }
    }
}

extension WireArchivedLogEntry {
    fileprivate init(_ entry: ArchivedLogEntry) {
        self.init()
        sequence = entry.sequence
        offset = entry.offset
        position = entry.position
        data = Data(entry.data)
    }
}

extension WireArchivedDirectory {
    fileprivate init(_ directory: ArchivedDirectory) {
        self.init()
        path = WireFilePath(directory.path)
        createdAtMicroseconds = directory.createdAt.microseconds
        modifiedAtMicroseconds = directory.modifiedAt.microseconds
    }
}

extension WireArchivedFile {
    fileprivate init(_ file: ArchivedFile) {
        self.init()
        path = WireFilePath(file.path)
        byteCount = file.contentBytes
        createdAtMicroseconds = file.createdAt.microseconds
        modifiedAtMicroseconds = file.modifiedAt.microseconds
    }
}

extension WireArchivedRemoval {
    fileprivate init(_ removal: ArchivedRemoval) {
        self.init()
        kind = WireEntityKind(removal.kind)
        id = removal.id
        parentID = removal.parentID ?? ""
        removedAtMicroseconds = removal.removedAt.microseconds
    }
}

extension WireArchiveCounts {
    fileprivate init(_ counts: ArchiveCounts) {
        self.init()
        contacts = counts.contacts
        conversations = counts.conversations
        messages = counts.messages
        reactions = counts.reactions
        drafts = counts.drafts
        sceneValues = counts.sceneValues
        logs = counts.logs
        logEntries = counts.logEntries
        directories = counts.directories
        files = counts.files
        contents = counts.contents
        removals = counts.removals
    }
}

extension ArchivedSceneValue {
    /// - Parameters:
    ///   - scene: `nil`: what all scenes share.
    ///   - key: the key.
    ///   - value: what is under it.
    ///   - updatedAt: when it was set.
    public init(scene: String?, key: String, value: SceneValue, updatedAt: Timestamp) {
        let bytes: [UInt8]? = try? WireSceneValue(value).serializedBytes()
        self.init(scene: scene, key: key, encodedValue: bytes ?? [], updatedAt: updatedAt)
    }

    /// The value of the key; `nil` where this client does not know its kind.
    public var value: SceneValue? {
        guard let wire = try? WireSceneValue(serializedBytes: encodedValue),
            let value = try? SceneValue(wire), let bytes = try? WireSceneValue(value).serializedBytes() as [UInt8],
            bytes == encodedValue
        else { return nil }
        return value
    }
}
