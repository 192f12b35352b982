import Interchange
import StoreBasics

/// Checks that records of an archive are within the limits that also apply to the requests of clients.
enum ArchiveBounds {
    /// - Throws: `.invalidArgument`, `.logMessageTooLarge`.
    static func check(_ record: ArchiveRecord) throws(StoreError) {
        switch record {
        case .header, .reaction, .directory, .removal, .footer: break
        case .contact(let contact):
            try FieldLimits.checkDisplayName(contact.displayName)
            try FieldLimits.checkNotes(contact.notes)
            try FieldLimits.checkAvatar(contact.avatar)
        case .conversation(let conversation):
            try FieldLimits.checkDisplayName(conversation.displayName)
            try FieldLimits.checkAvatar(conversation.avatar)
            try FieldLimits.checkKind(conversation.kind)
            for member in conversation.members ?? [] {
                try member.check()
            }
        case .message(let message):
            try FieldLimits.check(message.newMessage(in: .id(message.id)))
            try check(message.attachments)
            try UnknownFields.check(message.unknownFields, message.attachments)
            guard message.timer != nil || message.expiresAt == nil else {
                throw .invalidArgument("a message has a deletion time but no timer")
            }
        case .draft(let draft):
            guard !draft.content.isEmpty || !draft.attachments.isEmpty else {
                throw .invalidArgument("a draft is empty")
            }
            try FieldLimits.check(draft.content)
            try check(draft.attachments)
            try UnknownFields.check([], draft.attachments)
        case .sceneValue(let value): try FieldLimits.checkSceneValue(value.value)
        case .log(let log): try LogBounds.check(log.configuration)
        case .logEntry(let entry): try check(entry)
        case .file(let file):
            guard !file.path.isRoot else { throw .invalidArgument("the path of a file is only the name of an area") }
            try check(byteCount: file.byteCount)
        case .content(let content): try check(byteCount: content.byteCount)
        case .filePiece(let bytes):
            guard 1...ArchiveLimits.filePieceBytesMax ~= bytes.count else {
                throw .invalidArgument(
                    "a piece of a file has \(bytes.count) bytes; it must have 1 to \(ArchiveLimits.filePieceBytesMax)")
            }
        }
    }

    private static func check(byteCount: UInt64) throws(StoreError) {
        guard byteCount <= EngineLimits.fileBytesMax else {
            throw .invalidArgument("a content has \(byteCount) bytes; it can have at most \(EngineLimits.fileBytesMax)")
        }
    }

    private static func check(_ attachments: [NewAttachment]) throws(StoreError) {
        guard attachments.count <= EngineLimits.attachmentsMax else {
            throw .invalidArgument(
                "a message or draft has \(attachments.count) attachments; the limit is \(EngineLimits.attachmentsMax)")
        }
        for attachment in attachments {
            try check(byteCount: attachment.byteCount)
        }
    }

    /// The greatest sequence number and position that a log entry of an archive may have. The limit is above the
    /// numbers that any log reaches. It is far below the maximum of the column, because appends after a restore
    /// continue from these numbers.
    private static let logNumberMax: UInt64 = 1 << 50

    private static func check(_ entry: ArchivedLogEntry) throws(StoreError) {
        try LogBounds.check([entry.data], [])
        guard 1...logNumberMax ~= entry.sequence, entry.position <= logNumberMax,
            CacheAdvanceLayout.headerBytes...EngineLimits.logBytesMax ~= entry.offset
        else { throw .invalidArgument("a log entry has an impossible sequence number or position") }
    }
}
