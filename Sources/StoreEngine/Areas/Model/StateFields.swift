package import StoreBasics

/// Fields that messages in proto-docs/ghoststore/v1 use for the state of entities. Archives contain whole messages.
/// Replicated batches contain bodies: messages without the fields that the name or the record of the entity already
/// contains. Each function describes one field: it writes, reads or checks the field, as the form requires.
extension MessageForm {
    /// Returns true for a whole message, which has the field, and false for a body, which must not have it.
    ///
    /// - Throws: `ProtobufFault` for a body with this field.
    package func isWhole(_ number: UInt32) throws(ProtobufFault) -> Bool {
        guard isBody else { return true }
        guard !isReading(number) else { throw ProtobufFault() }
        return false
    }

    /// Describes a field that contains a name. A whole message has this field; a body may lack it.
    ///
    /// - Throws: `ProtobufFault`, and `.invalidArgument` for an invalid name.
    package mutating func field<Kind>(_ number: UInt32, _ name: inout Name<Kind>) throws {
        var text = name.text
        try field(number, &text)
        if isReading(number) {
            name = Name(trusted: text)
        } else if isChecking, !isBody || hasRead(number) {
            name = try Name(text)
        }
    }

    package mutating func field<Kind>(_ number: UInt32, _ name: inout Name<Kind>?) throws {
        var text = name?.text
        try field(number, &text)
        if isReading(number) {
            name = try text.map { (text) throws(StoreError) in try Name(text) }
        }
    }

    package mutating func field(_ number: UInt32, _ emoji: inout Emoji) throws {
        var text = emoji.text
        try field(number, &text)
        if isReading(number) {
            emoji = Emoji(trusted: text)
        } else if isChecking {
            emoji = try Emoji(text)
        }
    }

    package mutating func field(_ number: UInt32, _ digest: inout AttachmentDigest) throws {
        var bytes = digest.bytes
        try field(number, &bytes)
        if isReading(number) {
            digest = AttachmentDigest(trusted: bytes)
        } else if isChecking {
            digest = try AttachmentDigest(bytes)
        }
    }

    package mutating func field(_ number: UInt32, _ status: inout MessageStatus) throws {
        var value = UInt64(status.rawValue)
        try field(number, &value)
        guard isReading(number) || isChecking else { return }
        guard hasRead(number), let read = Int(exactly: value).flatMap(MessageStatus.init(rawValue:)) else {
            throw StoreError.invalidArgument("the status of a message is unknown to this daemon")
        }
        status = read
    }

    /// Describes a field with a timer. A timer without a lifetime counts as absent in an archive, and is a fault in the
    /// body of a replicated record.
    package mutating func field(_ number: UInt32, _ timer: inout MessageTimer?) throws {
        guard isWriting || isReading(number) else { return }
        var fields = timer.map(TimerFields.init)
        try field(number, &fields)
        guard !isWriting, let fields else { return }
        guard isBody || fields.milliseconds > 0 else {
            timer = nil
            return
        }
        guard let start = Int(exactly: fields.start).flatMap(MessageTimer.Start.init(rawValue:)) else {
            throw StoreError.invalidArgument(
                "a timer of messages does not name the event that starts it: sending or reading")
        }
        timer = MessageTimer(lifetime: try RetentionPeriod(milliseconds: fields.milliseconds), start: start)
    }

    /// Describes a field with a period. A period of 0 counts as absent in an archive, and is a fault in the body of a
    /// replicated record.
    package mutating func field(_ number: UInt32, _ period: inout RetentionPeriod?) throws {
        var milliseconds = period?.milliseconds ?? 0
        try field(number, &milliseconds)
        guard isReading(number) else { return }
        period = milliseconds == 0 && !isBody ? nil : try RetentionPeriod(milliseconds: milliseconds)
    }

    /// Describes a field with attachments. An attachment contains only the digest of its content, because contents have
    /// records of their own.
    package mutating func field(_ number: UInt32, _ attachments: inout [NewAttachment]) throws {
        guard isWriting || isReading(number) else { return }
        if !isWriting, attachments.count >= EngineLimits.attachmentsMax || attachments.isEmpty {
            // The count is checked before any attachment is decoded.
            guard try attachments.count + count(of: number) <= EngineLimits.attachmentsMax else {
                throw StoreError.invalidArgument(
                    "a message or draft has more than \(EngineLimits.attachmentsMax) attachments")
            }
        }
        var fields = isWriting ? attachments.map(AttachmentFields.init) : []
        try field(number, &fields)
        for read in fields where !isWriting {
            attachments.append(try read.attachment)
        }
    }
}

/// A `MessageTimer` of messages.proto.
private struct TimerFields: FieldMessage {
    var milliseconds: UInt64 = 0
    var start: UInt64 = 0

    init() {}

    init(_ timer: MessageTimer) {
        milliseconds = timer.lifetime.milliseconds
        start = UInt64(timer.start.rawValue)
    }

    mutating func describe(_ form: inout MessageForm) throws {
        try form.field(1, &milliseconds)
        try form.field(2, &start)
    }
}

/// An `ArchivedAttachment` of archives.proto.
private struct AttachmentFields: FieldMessage {
    var name = ""
    var mimeType = ""
    var byteCount: UInt64 = 0
    var digest = AttachmentDigest(trusted: [])
    var source = ""
    var thumbnail: [UInt8] = []
    var metadata: Metadata?
    var unknownFields: [UInt8] = []

    init() {}

    init(_ attachment: NewAttachment) {
        name = attachment.name
        mimeType = attachment.mimeType.text
        byteCount = attachment.byteCount
        digest = attachment.digest
        source = attachment.source ?? ""
        thumbnail = attachment.thumbnail
        metadata = attachment.metadata
        unknownFields = attachment.unknownFields
    }

    var attachment: NewAttachment {
        get throws(StoreError) {
            try NewAttachment(
                .listed(digest, byteCount: byteCount), name: name, mimeType: try MIMEType(mimeType),
                thumbnail: thumbnail, source: source, metadata: metadata, unknownFields: unknownFields)
        }
    }

    mutating func describe(_ form: inout MessageForm) throws {
        try form.field(1, &name)
        try form.field(2, &mimeType)
        try form.field(3, &byteCount)
        try form.field(4, &digest)
        try form.field(5, &source)
        try form.field(6, &thumbnail)
        try form.field(7, &metadata)
        form.others(&unknownFields)
    }
}

/// A `ConversationRetention` of conversations.proto.
extension ConversationRetention: FieldMessage {
    package init() {
        self.init(messageTimer: nil)
    }

    package mutating func describe(_ form: inout MessageForm) throws {
        try form.field(1, &messageTimer)
        try form.field(2, &keepFor)
        var count = keepCount ?? 0
        try form.field(3, &count)
        try form.expect(!form.isBody || !form.hasRead(3) || count > 0)
        keepCount = count == 0 ? nil : count
    }
}
