package import StoreBasics

/// Data whose meaning the application defines, with its media type: a `Metadata` of metadata.proto.
package struct Metadata: Hashable, Sendable {
    /// The encoded protobuf message, as rows and batches contain it; empty for an update that removes metadata.
    package let bytes: [UInt8]

    /// - Parameter data: Empty for an update that removes metadata.
    /// - Throws: `.invalidArgument` for data or a type that is too long.
    package init(data: [UInt8], type: String) throws(StoreError) {
        var fields = MetadataFields()
        (fields.data, fields.type) = (data, type)
        try self.init(fields)
    }

    /// Creates metadata from bytes that the store contains.
    init(stored bytes: [UInt8]) {
        self.bytes = bytes
    }

    fileprivate init(_ fields: MetadataFields) throws(StoreError) {
        guard fields.data.count <= EngineLimits.metadataBytesMax else {
            throw .invalidArgument(
                "the metadata has \(fields.data.count) bytes; the limit is \(EngineLimits.metadataBytesMax)")
        }
        try FieldLimits.check(
            fields.type, named: "type of the metadata", bytesMax: EngineLimits.attachmentTypeBytesMax)
        try UnknownFields.check(ofMetadata: fields.unknownFields)
        bytes = fields.data.isEmpty ? [] : fields.encoded()
    }

    /// The data and its media type.
    package var content: (data: [UInt8], type: String) {
        let fields = bytes.withUnsafeBytes { try? MetadataFields($0) } ?? MetadataFields()
        return (fields.data, fields.type)
    }

    package var ifSet: Metadata? { bytes.isEmpty ? nil : self }

    /// True if bytes are encoded metadata with data, as rows and batches contain them. Bytes with a repeated field are
    /// not valid, because they could be longer than any metadata.
    static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let metadata = try? Metadata(MetadataFields(bytes)) else { return false }
        return metadata.ifSet != nil && metadata.bytes.count == bytes.count
    }
}

extension MessageForm {
    /// Describes a field with metadata. Metadata without data counts as absent in an archive, and is a fault in the
    /// body of a replicated record.
    package mutating func field(_ number: UInt32, _ metadata: inout Metadata?) throws {
        var bytes = metadata?.bytes
        try field(number, &bytes)
        guard isReading(number), let bytes else { return }
        metadata = try Metadata(bytes.withUnsafeBytes { try MetadataFields($0) }).ifSet
        guard metadata != nil || !isBody else { throw ProtobufFault() }
    }
}

/// The fields of the protobuf message `Metadata`.
private struct MetadataFields: FieldMessage {
    var data: [UInt8] = []
    var type = ""
    /// Fields of a later version, in the form of `TaggedFields.unknown`.
    var unknownFields: [UInt8] = []

    mutating func describe(_ form: inout MessageForm) throws {
        try form.field(1, &data)
        try form.field(2, &type)
        form.others(&unknownFields)
    }
}
