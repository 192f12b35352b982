import ReplicaModel
import StoreBasics

/// The form of a thing's field in batches, and the part of its value that this version knows.
///
/// The value of a field of a contact or a conversation is exactly this field of its message in archives.proto. A thing
/// with one value has its message of archives.proto without the fields that its name contains; a file has the form that
/// REPLICATION.md describes.
struct ThingFieldForm {
    let kind: ThingKind
    let field: FieldNumber

    /// The most bytes of a field that this version does not know. Because of this limit, a thing with all of its fields
    /// fits in a record.
    static let unknownFieldBytesMax = 64 << 10

    private var number: UInt32 { UInt32(field.rawValue) }
    private var isRetention: Bool { kind == .conversation && field == .retention }

    /// Reads a value that another device wrote.
    ///
    /// - Returns: The part that this version knows, in the form in which this version writes it, and the rest.
    /// - Throws: `.invalidArgument` for a value that no store can have written.
    func read(_ value: [UInt8]) throws(StoreError) -> (known: [UInt8], unknown: [UInt8]) {
        guard kind.fields.contains(field) else {
            guard value.count <= Self.unknownFieldBytesMax else {
                throw .invalidArgument(
                    """
                    a field that only a later version knows has \(value.count) bytes; the limit is \
                    \(Self.unknownFieldBytesMax)
                    """)
            }
            try value.checkFields()
            return ([], value)
        }
        let form: (known: [UInt8], unknown: [UInt8]) =
            if kind.fields == [.value] {
                try readWhole(value)
            } else if isRetention {
                try readRetention(value)
            } else {
                (try readPart(value), [])
            }
        try UnknownFields.check(form.unknown)
        return form
    }

    /// Returns a value together with the part that this version does not know.
    func completed(_ known: [UInt8], _ unknown: [UInt8]) -> [UInt8] {
        guard isRetention, !unknown.isEmpty else { return known.inserting(unknown: unknown) }
        guard let content = try? Self.content(known, number) else { return known }
        return ThingFieldForm.message(number, content.inserting(unknown: unknown))
    }

    private static func message(_ number: UInt32, _ content: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(field: number, present: content)
        return bytes
    }

    /// Returns the content of the only field of a value.
    ///
    /// - Throws: `.invalidArgument` for any other value.
    private static func content(_ value: [UInt8], _ number: UInt32) throws(StoreError) -> [UInt8] {
        try value.onlyField { field in
            guard field.number == number else { throw ProtobufFault() }
            return try field.bytes()
        }
    }

    // MARK: Reading

    private func readPart(_ value: [UInt8]) throws(StoreError) -> [UInt8] {
        guard field != .identity else { return try ThingIdentity(value).bytes }
        guard try value.onlyField({ $0.number }) == number else { throw [UInt8].unreadable }
        let known = try kind == .contact ? WholeContact(body: value).body : WholeConversation(body: value).body
        // An empty body is invalid: if a flag is false, the record has no value instead of an empty one.
        guard !known.isEmpty else { throw [UInt8].unreadable }
        return known
    }

    private func readRetention(_ value: [UInt8]) throws(StoreError) -> (known: [UInt8], unknown: [UInt8]) {
        var retention = ConversationRetention()
        let unknown = try retention.read(body: Self.content(value, number))
        return (Self.message(number, retention.encoded()), unknown)
    }

    /// Reads the value of a thing that has one value.
    private func readWhole(_ value: [UInt8]) throws(StoreError) -> (known: [UInt8], unknown: [UInt8]) {
        switch kind {
        case .draft: return try readWhole(WholeDraft.self, value)
        case .sceneValue: return try readWhole(WholeSceneValue.self, value)
        case .reaction: return try readWhole(WholeReaction.self, value)
        case .member: return try readWhole(ConversationMember.self, value)
        case .log: return try readWhole(WholeLog.self, value)
        case .file:
            let file = try ReplicaFileValue(value)
            return (file.bytes, file.unknownFields)
        case .contact, .conversation:
            throw [UInt8].unreadable
        }
    }

    private func readWhole<Entity: ReplicatedState>(
        _: Entity.Type, _ value: [UInt8]
    ) throws(StoreError) -> (known: [UInt8], unknown: [UInt8]) {
        let (entity, unknown) = try Entity.read(value)
        return (entity.body, unknown)
    }
}

extension [UInt8] {
    /// - Throws: `.invalidArgument` unless the bytes are exactly one field.
    fileprivate func onlyField<Value>(_ read: (TaggedFields.Field) throws -> Value) throws(StoreError) -> Value {
        do {
            return try withUnsafeBytes { bytes in
                var fields = TaggedFields(bytes)
                guard let field = try fields.next(), try fields.next() == nil else { throw ProtobufFault() }
                return try read(field)
            }
        } catch {
            throw Self.unreadable
        }
    }

    /// - Throws: `.invalidArgument` for bytes that are not fields.
    fileprivate func checkFields() throws(StoreError) {
        var message = NoFields()
        _ = try message.read(body: self)
    }
}

/// A message of which this version knows no field.
private struct NoFields: FieldMessage {
    func describe(_ form: inout MessageForm) {}
}

extension ThingRecord {
    /// Returns the record as this store would write it, so that equal values have equal bytes.
    ///
    /// - Throws: `.invalidArgument` for a record that no store can have written.
    func canonical() throws(StoreError) -> ThingRecord {
        var record = self
        for (index, field) in fields.enumerated() {
            guard let value = field.value else { continue }
            let form = ThingFieldForm(kind: name.kind, field: field.field)
            let (known, unknown) = try form.read(value)
            record.fields[index].value = form.completed(known, unknown)
        }
        return record
    }
}

extension ThingState {
    /// Merges a record. Values are compared with all of their fields, including fields of a later version.
    mutating func merge(
        _ record: ThingRecord, digest: (FieldNumber, [UInt8]) -> ValueDigest = { _, value in ValueDigest(of: value) }
    ) throws(StoreError) -> Outcome {
        let kind = record.name.kind
        return merge(try record.canonical(), digest: digest) { field, value in
            (try? ThingFieldForm(kind: kind, field: field).read(value).unknown) ?? []
        }
    }

    /// Returns a field of a thing, together with the fields that this version does not know.
    func withKeptFields(_ field: FieldRecord, of kind: ThingKind) -> [FieldRecord] {
        let kept = fields.filter { !kind.fields.contains($0) }.compactMap { number in
            mark(of: number).map { FieldRecord(field: number, stamp: $0.stamp, value: keptValue(of: number)) }
        }
        return (kept + [field]).sorted { $0.field < $1.field }
    }

    /// Returns a value that the store has, with the part that a later version has added to it.
    func completed(_ value: [UInt8]?, _ field: FieldNumber, of kind: ThingKind) -> [UInt8]? {
        value.map { ThingFieldForm(kind: kind, field: field).completed($0, unknown(in: field)) }
    }
}
