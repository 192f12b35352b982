import StoreBasics

/// Fields of the messages in proto-docs/ghoststore/v1 that describe the state of entities.

/// Fields of a later version.
enum UnknownFields {
    /// How many bytes those of one entity come to, at most: an entity is never too large for an archive.
    static let bytesMax = 1 << 20

    /// - Throws: `.invalidArgument` for more.
    static func check(_ fields: [UInt8], _ attachments: [NewAttachment] = []) throws(StoreError) {
        let count = attachments.reduce(fields.count) { $0 + $1.unknownFields.count }
        guard count <= bytesMax else {
            throw .invalidArgument("fields of a later version have \(count) bytes; the limit is \(bytesMax)")
        }
    }
}

extension [UInt8] {
    /// Reads all of the bytes as the fields of a message.
    ///
    /// - Throws: `.invalidArgument` for bytes that are not that.
    func parsedFields<Value>(_ read: (inout TaggedFields) throws -> Value) throws(StoreError) -> Value {
        do {
            return try withUnsafeBytes { bytes in
                var fields = TaggedFields(bytes)
                return try read(&fields)
            }
        } catch {
            throw Self.unreadable
        }
    }

    mutating func append(field number: UInt32, optional text: String?) {
        if let text {
            append(field: number, present: text)
        }
    }

    mutating func append(field number: UInt32, optional time: Timestamp?) {
        if let time {
            append(field: number, present: UInt64(bitPattern: time.microseconds))
        }
    }

    /// Appends each as an `ArchivedAttachment`. Contents are named by their digests: their bytes have records of their
    /// own.
    mutating func append(field number: UInt32, _ attachments: [NewAttachment]) {
        for attachment in attachments {
            append(field: number, present: attachment.messageBytes)
        }
    }
}

extension TaggedFields.Field {
    func timestamp() throws(ProtobufFault) -> Timestamp { Timestamp(microseconds: try signed()) }
}

extension [NewAttachment] {
    mutating func append(_ field: TaggedFields.Field) throws {
        guard count < EngineLimits.attachmentsMax else { throw ProtobufFault() }
        append(try NewAttachment(messageBytes: field.bytes()))
    }
}

extension MessageTimer {
    /// A `MessageTimer` of messages.proto.
    var messageBytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(field: 1, lifetime.milliseconds)
        bytes.append(field: 2, UInt64(start.rawValue))
        return bytes
    }

    /// - Throws: `.invalidArgument` for bytes that are none.
    init(messageBytes: [UInt8]) throws(StoreError) {
        self = try messageBytes.parsedFields { fields in
            var (milliseconds, start): (UInt64, UInt64) = (0, 0)
            while let field = try fields.next() {
                switch field.number {
                case 1: milliseconds = try field.unsigned()
                case 2: start = try field.unsigned()
                default: break
                }
            }
            guard let start = Int(exactly: start).flatMap(Start.init(rawValue:)) else { throw ProtobufFault() }
            return MessageTimer(lifetime: try RetentionPeriod(milliseconds: milliseconds), start: start)
        }
    }
}

extension NewAttachment {
    /// The numbers of `ArchivedAttachment` in archives.proto.
    private enum Number {
        static let name: UInt32 = 1
        static let mimeType: UInt32 = 2
        static let byteCount: UInt32 = 3
        static let digest: UInt32 = 4
        static let source: UInt32 = 5
        static let thumbnail: UInt32 = 6
    }

    fileprivate var messageBytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(field: Number.name, name)
        bytes.append(field: Number.mimeType, mimeType.text)
        bytes.append(field: Number.byteCount, byteCount)
        bytes.append(field: Number.digest, digest.bytes)
        bytes.append(field: Number.source, source ?? "")
        bytes.append(field: Number.thumbnail, thumbnail)
        return bytes.inserting(unknown: unknownFields)
    }

    fileprivate init(messageBytes: [UInt8]) throws(StoreError) {
        self = try messageBytes.parsedFields { fields in
            var (name, type, source) = ("", "", "")
            var (digest, thumbnail): ([UInt8], [UInt8]) = ([], [])
            var byteCount: UInt64 = 0
            while let field = try fields.next() {
                switch field.number {
                case Number.name: name = try field.text()
                case Number.mimeType: type = try field.text()
                case Number.byteCount: byteCount = try field.unsigned()
                case Number.digest: digest = try field.bytes()
                case Number.source: source = try field.text()
                case Number.thumbnail: thumbnail = try field.bytes()
                default: fields.keep(field)
                }
            }
            guard digest.count == AttachmentDigest.byteCount else { throw ProtobufFault() }
            let content = Content.listed(AttachmentDigest(trusted: digest), byteCount: byteCount)
            return try NewAttachment(
                content, name: name, mimeType: MIMEType(type), thumbnail: thumbnail, source: source,
                unknownFields: fields.unknown)
        }
    }
}
