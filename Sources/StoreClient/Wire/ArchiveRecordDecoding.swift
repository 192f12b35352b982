import StoreBasics
import StoreProtocol

/// Why a record of an archive cannot be. Holds no content.
struct ArchiveFault: Error {
    let cause: String

    init(_ cause: String) {
        self.cause = cause
    }
}

extension ArchiveRecord {
    init(_ wire: WireArchiveRecord) throws(ArchiveFault) {
        guard let record = wire.record else { throw ArchiveFault("it is of a kind that this client does not know") }
        let changedAt = wire.hasChangedAtMicroseconds ? wire.changedAtMicroseconds : nil
        self.init(try ArchiveItem(record), changedAt: changedAt.map(Timestamp.init(microseconds:)))
    }
}

extension ArchiveItem {
    fileprivate init(_ wire: WireArchiveRecord.OneOf_Record) throws(ArchiveFault) {
        switch wire {
        case .header(let header): self = .header(try ArchiveHeader(header))
        case .contact(let contact): self = .contact(ArchivedContact(contact))
        case .conversation(let conversation): self = .conversation(try ArchivedConversation(conversation))
        case .message(let message): self = .message(try ArchivedMessage(message))
        case .reaction(let reaction): self = .reaction(ArchivedReaction(reaction))
        case .draft(let draft): self = .draft(try ArchivedDraft(draft))
        case .sceneValue(let value): self = .sceneValue(ArchivedSceneValue(value))
        case .log(let log): self = .log(ArchivedLog(log))
        case .logEntry(let entry): self = .logEntry(ArchivedLogEntry(entry))
        case .directory(let directory): self = .directory(try ArchivedDirectory(directory))
        case .file(let file): self = .file(try ArchivedFile(file))
        case .filePiece(let bytes): self = .filePiece(Array(bytes))
        case .content(let content):
            self = .content(
                ArchivedContent(contentBytes: content.byteCount, digest: try ArchiveField.digest(content.digest)))
        case .removal(let removal): self = .removal(try ArchivedRemoval(removal))
        case .footer(let footer): self = .footer(try ArchiveFooter(footer))
        }
    }
}

extension ArchiveHeader {
    fileprivate init(_ wire: WireArchiveHeader) throws(ArchiveFault) {
        guard let history = HistoryID(bytes: wire.historyID) else {
            throw ArchiveFault("its history id does not have 16 bytes")
        }
        self.init(
            formatVersion: wire.formatVersion, historyID: history, revision: wire.revision,
            createdAt: Timestamp(microseconds: wire.createdAtMicroseconds),
            sinceRevision: wire.sinceRevision == 0 ? nil : wire.sinceRevision)
    }
}

extension ArchivedContact {
    fileprivate init(_ wire: WireArchivedContact) {
        self.init(
            id: wire.id, sessionID: wire.sessionID, displayName: wire.hasDisplayName ? wire.displayName : nil,
            avatar: wire.hasAvatar ? Array(wire.avatar) : nil, notes: wire.hasNotes ? wire.notes : nil,
            isBlocked: wire.isBlocked, isTrusted: wire.isTrusted,
            createdAt: Timestamp(microseconds: wire.createdAtMicroseconds),
            updatedAt: Timestamp(microseconds: wire.updatedAtMicroseconds))
    }
}

extension ArchivedConversation {
    fileprivate init(_ wire: WireArchivedConversation) throws(ArchiveFault) {
        var retention = ConversationRetention(wire.retention)
        retention.messageTimer =
            wire.retention.hasMessageTimer ? try ArchiveField.timer(wire.retention.messageTimer) : nil
        self.init(
            id: wire.id, sessionID: wire.sessionID, displayName: wire.hasDisplayName ? wire.displayName : nil,
            avatar: wire.hasAvatar ? Array(wire.avatar) : nil, isPinned: wire.isPinned, isMuted: wire.isMuted,
            retention: retention, createdAt: Timestamp(microseconds: wire.createdAtMicroseconds),
            updatedAt: Timestamp(microseconds: wire.updatedAtMicroseconds))
    }
}

extension ArchivedMessage {
    fileprivate init(_ wire: WireArchivedMessage) throws(ArchiveFault) {
        let status = MessageStatus(wire.status)
        guard status != .unknown else { throw ArchiveFault("the status of a message is unknown to this client") }
        self.init(
            id: wire.id, text: wire.text, senderSessionID: wire.senderSessionID,
            recipientSessionID: wire.recipientSessionID,
            timestamp: Timestamp(microseconds: wire.timestampMicroseconds), status: status,
            isOutgoing: wire.isOutgoing, isRead: wire.isRead,
            attachmentURL: wire.hasAttachmentURL ? wire.attachmentURL : nil,
            attachmentType: wire.hasAttachmentType ? wire.attachmentType : nil,
            replyToMessageID: wire.hasReplyToMessageID ? wire.replyToMessageID : nil,
            createdAt: Timestamp(microseconds: wire.createdAtMicroseconds),
            editedAt: wire.hasEditedAtMicroseconds ? Timestamp(microseconds: wire.editedAtMicroseconds) : nil,
            timer: wire.hasTimer ? try ArchiveField.timer(wire.timer) : nil,
            expiresAt: wire.hasExpiresAtMicroseconds ? Timestamp(microseconds: wire.expiresAtMicroseconds) : nil,
            attachments: try ArchiveField.attachments(wire.attachments))
    }
}

extension ArchivedReaction {
    fileprivate init(_ wire: WireArchivedReaction) {
        self.init(
            authorSessionID: wire.authorSessionID, emoji: wire.emoji,
            createdAt: Timestamp(microseconds: wire.createdAtMicroseconds))
    }
}

extension ArchivedDraft {
    fileprivate init(_ wire: WireArchivedDraft) throws(ArchiveFault) {
        self.init(
            sessionID: wire.sessionID, text: wire.text,
            attachmentURL: wire.hasAttachmentURL ? wire.attachmentURL : nil,
            attachmentType: wire.hasAttachmentType ? wire.attachmentType : nil,
            replyToMessageID: wire.hasReplyToMessageID ? wire.replyToMessageID : nil,
            updatedAt: Timestamp(microseconds: wire.updatedAtMicroseconds),
            attachments: try ArchiveField.attachments(wire.attachments))
    }
}

extension ArchivedSceneValue {
    fileprivate init(_ wire: WireArchivedSceneValue) {
        self.init(
            scene: wire.hasScene ? wire.scene : nil, key: wire.key, encodedValue: Array(wire.value),
            updatedAt: Timestamp(microseconds: wire.updatedAtMicroseconds))
    }
}

extension ArchivedLog {
    fileprivate init(_ wire: WireArchivedLog) {
        self.init(
            name: wire.name,
            configuration: LogConfiguration(
                maximumBytes: wire.maximumBytes, overwritesOldest: wire.overwritesOldest),
            createdAt: Timestamp(microseconds: wire.createdAtMicroseconds),
            oldestSequence: wire.hasOldestSequence ? wire.oldestSequence : nil, isReplicated: wire.isReplicated)
    }
}

extension ArchivedLogEntry {
    fileprivate init(_ wire: WireArchivedLogEntry) {
        self.init(sequence: wire.sequence, offset: wire.offset, position: wire.position, data: Array(wire.data))
    }
}

extension ArchivedDirectory {
    fileprivate init(_ wire: WireArchivedDirectory) throws(ArchiveFault) {
        self.init(
            path: try ArchiveField.path(wire.path), createdAt: Timestamp(microseconds: wire.createdAtMicroseconds),
            modifiedAt: Timestamp(microseconds: wire.modifiedAtMicroseconds))
    }
}

extension ArchivedFile {
    fileprivate init(_ wire: WireArchivedFile) throws(ArchiveFault) {
        self.init(
            path: try ArchiveField.path(wire.path), contentBytes: wire.byteCount,
            createdAt: Timestamp(microseconds: wire.createdAtMicroseconds),
            modifiedAt: Timestamp(microseconds: wire.modifiedAtMicroseconds))
    }
}

extension ArchivedRemoval {
    fileprivate init(_ wire: WireArchivedRemoval) throws(ArchiveFault) {
        let kind = Change.Kind(wire.kind)
        guard kind != .unknown else {
            throw ArchiveFault("the kind of entry that it removes is unknown to this client")
        }
        self.init(
            kind: kind, id: wire.id, parentID: wire.parentID.isEmpty ? nil : wire.parentID,
            removedAt: Timestamp(microseconds: wire.removedAtMicroseconds))
    }
}

extension ArchiveFooter {
    fileprivate init(_ wire: WireArchiveFooter) throws(ArchiveFault) {
        self.init(
            counts: ArchiveCounts(wire.counts), digest: wire.digest.isEmpty ? "" : try ArchiveField.digest(wire.digest))
    }
}

/// Parts of records.
private enum ArchiveField {
    private static let digestBytes = 32

    static func digest(_ bytes: some Collection<UInt8>) throws(ArchiveFault) -> String {
        guard bytes.count == digestBytes else { throw ArchiveFault("a digest does not have \(digestBytes) bytes") }
        return Hexadecimal.encode(bytes)
    }

    /// A lifetime of 0 is none.
    static func timer(_ wire: WireMessageTimer) throws(ArchiveFault) -> MessageTimer? {
        guard wire.lifetimeMilliseconds > 0 else { return nil }
        switch wire.start {
        case .sending, .reading: return MessageTimer(wire)
        case .unspecified, .UNRECOGNIZED: throw ArchiveFault("a timer does not say what starts it")
        }
    }

    static func attachments(_ wire: [WireArchivedAttachment]) throws(ArchiveFault) -> [ArchivedAttachment] {
        var attachments: [ArchivedAttachment] = []
        for attachment in wire {
            attachments.append(
                ArchivedAttachment(
                    name: attachment.name, mimeType: attachment.mimeType, contentBytes: attachment.byteCount,
                    digest: try digest(attachment.digest), source: attachment.source.isEmpty ? nil : attachment.source,
                    thumbnail: Array(attachment.thumbnail)))
        }
        return attachments
    }

    static func path(_ wire: WireFilePath) throws(ArchiveFault) -> VaultPath {
        guard let area = VaultArea(wire.area) else { throw ArchiveFault("a path has an area unknown to this client") }
        return VaultPath(area, wire.path)
    }
}
