import ReplicaModel
import StoreBasics

/// A field of a thing as a batch carries it, and the part of its value that this version knows.
///
/// The value of a field of a contact or conversation is just this field of its message in archives.proto. A thing that
/// is one value has the message of archives.proto without what its name says, or what REPLICATION.md says of a file.
struct ThingFieldForm {
    let kind: ThingKind
    let field: FieldNumber

    /// How many bytes a field has at most that this version does not know. So a thing with all of them fits a record.
    static let unknownFieldBytesMax = 64 << 10

    private var number: UInt32 { UInt32(field.rawValue) }
    private var isRetention: Bool { kind == .conversation && field == .retention }

    /// Reads a value, as another device wrote it.
    ///
    /// - Returns: the value as this version writes it, without the part that it does not know, and that part.
    /// - Throws: `.invalidArgument` for what no store can have written.
    func read(_ value: [UInt8]) throws(StoreError) -> (known: [UInt8], unknown: [UInt8]) {
        guard kind.fields.contains(field) else {
            guard value.count <= Self.unknownFieldBytesMax else {
                throw .invalidArgument("a field of a later version has \(value.count) bytes")
            }
            _ = try value.parsedFields { fields in while try fields.next() != nil {} }
            return ([], value)
        }
        let form = try field == .value ? readWhole(value) : (known: readPart(value), unknown: retentionUnknown(value))
        try UnknownFields.check(form.unknown)
        return form
    }

    /// Returns a value with the part that this version does not know.
    func completed(_ known: [UInt8], _ unknown: [UInt8]) -> [UInt8] {
        guard isRetention, !unknown.isEmpty else { return known.inserting(unknown: unknown) }
        guard let content = try? Self.content(known, number) else { return known }
        return ThingFieldForm.message(number, content.inserting(unknown: unknown))
    }

    // MARK: Values of fields

    static func text(_ field: FieldNumber, _ text: String?) -> [UInt8]? {
        text.map { text in
            var bytes: [UInt8] = []
            bytes.append(field: UInt32(field.rawValue), present: text)
            return bytes
        }
    }

    static func flag(_ field: FieldNumber, _ flag: Bool) -> [UInt8]? {
        guard flag else { return nil }
        var bytes: [UInt8] = []
        bytes.append(field: UInt32(field.rawValue), true)
        return bytes
    }

    static func bytes(_ field: FieldNumber, _ content: [UInt8]?) -> [UInt8]? {
        content.map { message(UInt32(field.rawValue), $0) }
    }

    static func retention(_ retention: ConversationRetention) -> [UInt8]? {
        retention == ConversationRetention() ? nil : bytes(.retention, retention.messageBytes)
    }

    private static func message(_ number: UInt32, _ content: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(field: number, present: content)
        return bytes
    }

    /// Returns what is in the only field of a value.
    ///
    /// - Throws: `.invalidArgument` for another value.
    static func content(_ value: [UInt8], _ number: UInt32) throws(StoreError) -> [UInt8] {
        try value.parsedFields { fields in
            guard let field = try fields.next(), field.number == number, try fields.next() == nil else {
                throw ProtobufFault()
            }
            return try field.bytes()
        }
    }

    // MARK: Reading

    private func readPart(_ value: [UInt8]) throws(StoreError) -> [UInt8] {
        switch (kind, field) {
        case (_, .identity): return try ThingIdentity(value).bytes
        case (_, .displayName):
            let text = try [field: value].text(field)
            try TextBounds.checkDisplayName(text)
            return Self.text(field, text) ?? []
        case (.contact, .notes):
            let text = try [field: value].text(field)
            try TextBounds.checkNotes(text)
            return Self.text(field, text) ?? []
        case (_, .avatar):
            let avatar = try Self.content(value, number)
            try TextBounds.checkAvatar(avatar)
            return Self.message(number, avatar)
        case (.conversation, .retention):
            var unknown: [UInt8] = []
            let content = try Self.content(value, number)
            return Self.message(
                number, try ConversationRetention(messageBytes: content, unknown: &unknown).messageBytes)
        default:
            return try value.parsedFields { fields in
                guard let field = try fields.next(), field.number == number, try field.flag(),
                    try fields.next() == nil
                else { throw ProtobufFault() }
                return Self.flag(self.field, true) ?? []
            }
        }
    }

    private func retentionUnknown(_ value: [UInt8]) throws(StoreError) -> [UInt8] {
        var unknown: [UInt8] = []
        guard isRetention else { return unknown }
        _ = try ConversationRetention(messageBytes: Self.content(value, number), unknown: &unknown)
        return unknown
    }

    /// Reads a thing that is one value.
    private func readWhole(_ value: [UInt8]) throws(StoreError) -> (known: [UInt8], unknown: [UInt8]) {
        switch kind {
        case .draft:
            let draft = try DraftValue(value)
            return (draft.bytes, draft.unknownFields)
        case .sceneValue:
            let scene = try SceneValueBytes(value)
            return (scene.bytes, scene.unknownFields)
        case .reaction:
            let reaction = try ReactionValue(value)
            return (reaction.bytes, reaction.unknownFields)
        case .log:
            let log = try ReplicaLogValue(value)
            return (log.bytes, log.unknownFields)
        case .file:
            let file = try ReplicaFileValue(value)
            return (file.bytes, file.unknownFields)
        case .contact, .conversation:
            throw [UInt8].unreadable
        }
    }
}

extension ThingValues {
    /// The bounds of a conversation's messages; without a value it keeps everything.
    func retention() throws(StoreError) -> ConversationRetention {
        guard let content = try bytes(.retention) else { return ConversationRetention() }
        var unknown: [UInt8] = []
        return try ConversationRetention(messageBytes: content, unknown: &unknown)
    }
}

extension ThingRecord {
    /// Returns the record as this store would write it: one value has one form, whoever wrote it.
    ///
    /// - Throws: `.invalidArgument` for what no store can have written.
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
    /// Merges a record. Values are compared with all of their fields, also those of a later version.
    mutating func merge(
        _ record: ThingRecord, digest: ([UInt8]) -> ValueDigest = { ValueDigest(of: $0) }
    ) throws(StoreError) -> Outcome {
        let kind = record.name.kind
        return merge(try record.canonical(), digest: digest) { field, value in
            (try? ThingFieldForm(kind: kind, field: field).read(value).unknown) ?? []
        }
    }

    /// Returns a field of a thing together with those that this version does not know.
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
