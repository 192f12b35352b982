import FoundationEssentials
import StoreBasics
import StoreEngine
import StoreProtocol
import SwiftProtobuf

extension WireArchiveRecord {
    /// - Throws: `.invalidArgument` for what no store holds.
    func record() throws(RequestFailure) -> ArchiveRecord {
        switch record {
        case .header(let header): .header(try ArchiveHeader(header))
        case .contact(let contact): .contact(try ArchivedContact(contact))
        case .conversation(let conversation): .conversation(try ArchivedConversation(conversation))
        case .message(let message): .message(try ArchivedMessage(message))
        case .reaction(let reaction):
            .reaction(
                ArchivedReaction(
                    authorSessionID: try name(reaction.authorSessionID), emoji: try Emoji(archived: reaction.emoji),
                    createdAt: Timestamp(microseconds: reaction.createdAtMicroseconds)))
        case .draft(let draft): .draft(try ArchivedDraft(draft))
        case .sceneValue(let value): .sceneValue(try ArchivedSceneValue(value))
        case .log(let log):
            .log(
                ArchivedLog(
                    name: try name(log.name),
                    configuration: LogConfiguration(
                        maximumBytes: log.maximumBytes, overwritesOldest: log.overwritesOldest),
                    isReplicated: log.isReplicated,
                    createdAt: Timestamp(microseconds: log.createdAtMicroseconds),
                    oldestSequence: log.hasOldestSequence ? log.oldestSequence : nil))
        case .logEntry(let entry):
            .logEntry(
                ArchivedLogEntry(
                    sequence: entry.sequence, offset: entry.offset, position: entry.position,
                    data: Array(entry.data)))
        case .directory(let directory):
            .directory(
                ArchivedDirectory(
                    path: try FilePath(wire: directory.path),
                    createdAt: Timestamp(microseconds: directory.createdAtMicroseconds),
                    modifiedAt: Timestamp(microseconds: directory.modifiedAtMicroseconds)))
        case .file(let file):
            .file(
                ArchivedFile(
                    path: try FilePath(wire: file.path), byteCount: file.byteCount,
                    createdAt: Timestamp(microseconds: file.createdAtMicroseconds),
                    modifiedAt: Timestamp(microseconds: file.modifiedAtMicroseconds)))
        case .filePiece(let bytes): .filePiece(Array(bytes))
        case .footer(let footer):
            .footer(ArchiveFooter(counts: ArchiveCounts(footer.counts), digest: Array(footer.digest)))
        case .content(let content):
            .content(
                ArchivedContent(digest: try AttachmentDigest(archived: content.digest), byteCount: content.byteCount))
        case .removal(let removal): .removal(try ArchivedRemoval(removal))
        case nil: throw .invalidArgument("the kind of the record is unknown to this daemon")
        }
    }
}

extension ArchiveHeader {
    fileprivate init(_ wire: WireArchiveHeader) throws(RequestFailure) {
        guard wire.formatVersion == Self.formatVersion else {
            throw .invalidArgument(
                "the version is \(wire.formatVersion); this daemon knows only version \(Self.formatVersion)")
        }
        guard let history = HistoryID(bytes: Array(wire.historyID)) else {
            throw .invalidArgument("the history id does not have 16 bytes")
        }
        self.init(
            history: history, revision: wire.revision,
            createdAt: Timestamp(microseconds: wire.createdAtMicroseconds), sinceRevision: wire.sinceRevision)
    }
}

extension ArchivedRemoval {
    fileprivate init(_ wire: WireArchivedRemoval) throws(RequestFailure) {
        let subject: Subject
        switch wire.kind {
        case .contact: subject = .contact(try name(wire.id))
        case .conversation: subject = .conversation(try name(wire.id))
        case .message: subject = .message(try name(wire.id))
        case .draft: subject = .draft(try name(wire.id))
        case .sceneValue where wire.id.isEmpty: subject = .scene(try name(wire.parentID))
        case .sceneValue:
            subject = .sceneValue(wire.parentID.isEmpty ? nil : try name(wire.parentID), try name(wire.id))
        case .log: subject = .log(try name(wire.id))
        case .file: subject = .file(try checked { () throws(StoreError) in try FilePath(text: wire.id) })
        case .reaction: subject = .reactions(of: try name(wire.id))
        case .unspecified, .store, .UNRECOGNIZED:
            throw .invalidArgument("the kind of the removed entry is unknown to this daemon")
        }
        self.init(subject, removedAt: Timestamp(microseconds: wire.removedAtMicroseconds))
    }
}

extension ArchivedContact {
    fileprivate init(_ wire: WireArchivedContact) throws(RequestFailure) {
        self.init(
            id: try name(wire.id), sessionID: try name(wire.sessionID),
            displayName: wire.hasDisplayName ? wire.displayName : nil,
            avatar: wire.hasAvatar ? Array(wire.avatar) : nil, notes: wire.hasNotes ? wire.notes : nil,
            isBlocked: wire.isBlocked, isTrusted: wire.isTrusted,
            createdAt: Timestamp(microseconds: wire.createdAtMicroseconds),
            updatedAt: Timestamp(microseconds: wire.updatedAtMicroseconds))
    }
}

extension ArchivedConversation {
    fileprivate init(_ wire: WireArchivedConversation) throws(RequestFailure) {
        var retention = ConversationRetention()
        if wire.retention.hasMessageTimer {
            retention.messageTimer = try MessageTimer(wire: TimerFields(wire.retention.messageTimer))
        }
        if wire.retention.keepForMilliseconds > 0 {
            retention.keepFor = try RetentionPeriod(wire: wire.retention.keepForMilliseconds)
        }
        if wire.retention.keepCount > 0 {
            retention.keepCount = wire.retention.keepCount
        }
        self.init(
            id: try name(wire.id), sessionID: try name(wire.sessionID),
            displayName: wire.hasDisplayName ? wire.displayName : nil,
            avatar: wire.hasAvatar ? Array(wire.avatar) : nil, isPinned: wire.isPinned, isMuted: wire.isMuted,
            retention: retention, createdAt: Timestamp(microseconds: wire.createdAtMicroseconds),
            updatedAt: Timestamp(microseconds: wire.updatedAtMicroseconds))
    }
}

extension ArchivedMessage {
    fileprivate init(_ wire: WireArchivedMessage) throws(RequestFailure) {
        guard let status = MessageStatus(rawValue: wire.status.rawValue) else {
            throw .invalidArgument("the status of a message is unknown to this daemon")
        }
        self.init(
            id: try name(wire.id), text: wire.text, senderSessionID: wire.senderSessionID,
            recipientSessionID: wire.recipientSessionID,
            timestamp: Timestamp(microseconds: wire.timestampMicroseconds), status: status,
            isOutgoing: wire.isOutgoing, isRead: wire.isRead,
            attachmentURL: wire.hasAttachmentURL ? wire.attachmentURL : nil,
            attachmentType: wire.hasAttachmentType ? wire.attachmentType : nil,
            replyToMessageID: wire.hasReplyToMessageID ? try name(wire.replyToMessageID) : nil,
            createdAt: Timestamp(microseconds: wire.createdAtMicroseconds),
            editedAt: wire.hasEditedAtMicroseconds ? Timestamp(microseconds: wire.editedAtMicroseconds) : nil,
            timer: wire.hasTimer ? try MessageTimer(wire: TimerFields(wire.timer)) : nil,
            expiresAt: wire.hasExpiresAtMicroseconds ? Timestamp(microseconds: wire.expiresAtMicroseconds) : nil,
            attachments: try NewAttachment.archived(wire.attachments), unknownFields: wire.unknownFields.inOrder)
    }
}

extension ArchivedDraft {
    fileprivate init(_ wire: WireArchivedDraft) throws(RequestFailure) {
        self.init(
            sessionID: try name(wire.sessionID),
            content: DraftContent(
                text: wire.text, attachmentURL: wire.hasAttachmentURL ? wire.attachmentURL : nil,
                attachmentType: wire.hasAttachmentType ? wire.attachmentType : nil,
                replyToMessageID: wire.hasReplyToMessageID ? try name(wire.replyToMessageID) : nil),
            attachments: try NewAttachment.archived(wire.attachments),
            updatedAt: Timestamp(microseconds: wire.updatedAtMicroseconds))
    }
}

extension ArchivedSceneValue {
    fileprivate init(_ wire: WireArchivedSceneValue) throws(RequestFailure) {
        let bytes = Array(wire.value)
        let value = try bytes.withUnsafeBufferPointer { (buffer) throws(RequestFailure) in
            try SceneValueForm.canonical(UnsafeRawBufferPointer(buffer), 0..<buffer.count)
        }
        self.init(
            scene: wire.hasScene ? try name(wire.scene) : nil, key: try name(wire.key), value: value,
            updatedAt: Timestamp(microseconds: wire.updatedAtMicroseconds))
    }
}

extension ArchiveCounts {
    fileprivate init(_ wire: WireArchiveCounts) {
        self.init()
        self[.contact] = wire.contacts
        self[.conversation] = wire.conversations
        self[.message] = wire.messages
        self[.reaction] = wire.reactions
        self[.draft] = wire.drafts
        self[.sceneValue] = wire.sceneValues
        self[.log] = wire.logs
        self[.logEntry] = wire.logEntries
        self[.directory] = wire.directories
        self[.file] = wire.files
        self[.content] = wire.contents
        self[.removal] = wire.removals
    }
}

extension NewAttachment {
    fileprivate static func archived(_ wire: [WireArchivedAttachment]) throws(RequestFailure) -> [NewAttachment] {
        try wire.map { (attachment) throws(RequestFailure) in
            let digest = try AttachmentDigest(archived: attachment.digest)
            return try checked { () throws(StoreError) in
                try NewAttachment(
                    .listed(digest, byteCount: attachment.byteCount), name: attachment.name,
                    mimeType: try MIMEType(attachment.mimeType), thumbnail: Array(attachment.thumbnail),
                    source: attachment.source, unknownFields: attachment.unknownFields.inOrder)
            }
        }
    }
}

extension UnknownStorage {
    /// The fields of a later version, as `TaggedFields.unknown` has them.
    fileprivate var inOrder: [UInt8] { [UInt8]().inserting(unknown: Array(data)) }
}

extension AttachmentDigest {
    fileprivate init(archived bytes: Data) throws(RequestFailure) {
        self = try checked { () throws(StoreError) in try AttachmentDigest(Array(bytes)) }
    }
}

extension Emoji {
    fileprivate init(archived text: String) throws(RequestFailure) {
        self = try checked { () throws(StoreError) in try Emoji(text) }
    }
}

private func name<Kind>(_ text: String) throws(RequestFailure) -> Name<Kind> {
    try checked { () throws(StoreError) in try Name<Kind>(text) }
}
