package import StoreBasics

// The encoding of records with the content of stores.

extension ThingRecord {
    private static let kindNumber: UInt32 = 1

    /// Returns false if only a later version knows the record's kind of thing. Returns true for invalid bytes, which
    /// the decoding of the record rejects.
    static func isKnownKind(_ content: UnsafeRawBufferPointer) -> Bool {
        var fields = TaggedFields(content)
        var kind: UInt64 = 0
        do throws(ProtobufFault) {
            while let field = try fields.next() {
                kind = field.number == kindNumber ? try field.unsigned() : kind
            }
        } catch {
            return true
        }
        return kind == 0 || UInt8(exactly: kind).flatMap(ThingKind.init(rawValue:)) != nil
    }

    /// The fields of an encoded record. The kind of the thing, which in memory is a part of the name, has a field of
    /// its own.
    private struct Fields: FieldMessage {
        var kind: UInt64 = 0
        var name: [UInt8] = []
        var removal = ReplicaStamp.zero
        var touchedAt: Int64 = 0
        var fields: [FieldRecord] = []

        mutating func describe(_ form: inout MessageForm) throws {
            try form.field(kindNumber, &kind)
            try form.field(2, &name)
            try form.field(3, &removal)
            try form.field(4, &touchedAt)
            if form.isReading(5), fields.count >= FieldNumber.all.count { throw ProtobufFault() }
            try form.field(5, &fields)
            try form.expect(zip(fields, fields.dropFirst()).allSatisfy { $0.field < $1.field })
        }
    }

    func encoded() -> [UInt8] {
        Fields(
            kind: UInt64(name.kind.rawValue), name: name.bytes, removal: removal, touchedAt: touchedAt, fields: fields
        ).encoded()
    }

    init?(record bytes: UnsafeRawBufferPointer) {
        guard let read = Fields(record: bytes), let kind = UInt8(exactly: read.kind).flatMap(ThingKind.init(rawValue:)),
            let name = read.name.withUnsafeBytes({ ThingName(kind, bytes: $0) })
        else { return nil }
        self.init(name: name, removal: read.removal, touchedAt: read.touchedAt, fields: read.fields)
    }
}

extension FieldRecord: FieldMessage {
    package init() {
        self.init(field: FieldNumber(rawValue: 0), stamp: .zero, value: nil)
    }

    package mutating func describe(_ form: inout MessageForm) throws {
        var number = field.rawValue
        try form.field(1, &number)
        field = FieldNumber(rawValue: number)
        try form.field(2, &stamp)
        try form.field(3, &value)
        try form.field(4, &basis)
        try form.expect(FieldNumber.all.contains(UInt64(number)))
    }
}

extension MessageRecord: FieldMessage {
    package init() {
        self.init(id: "", generation: 0, content: nil)
    }

    package mutating func describe(_ form: inout MessageForm) throws {
        try form.field(1, &id)
        try form.field(2, &generation)
        try form.field(3, &content)
        var isTimerStarted = content == nil || !form.isWriting ? isTimerStarted : false
        try form.field(4, &isTimerStarted)
        self.isTimerStarted = isTimerStarted
        try form.expect(content == nil || !isTimerStarted)
    }
}

extension MessageContent: FieldMessage {
    package init() {
        self.init(
            sessionID: "", stamp: .zero, body: [], progress: MessageProgress(restarts: 0, isRead: false, step: 0),
            remaining: nil)
    }

    package mutating func describe(_ form: inout MessageForm) throws {
        try form.field(1, &sessionID)
        try form.field(2, &stamp)
        try form.field(3, &progress.restarts)
        try form.field(4, &progress.isRead)
        try form.field(5, &progress.step)
        try form.field(6, &remaining)
        try form.field(7, &body)
        try form.field(8, &basis)
        try form.expect(remaining ?? 0 >= 0)
    }
}

extension LogEntriesRecord: FieldMessage {
    package init() {
        self.init(name: "", value: [], device: 0, opened: 0, oldestSequence: 0, firstSequence: 0)
    }

    package mutating func describe(_ form: inout MessageForm) throws {
        try form.field(1, &name)
        try form.field(2, &value)
        try form.field(3, &device)
        try form.field(4, &opened)
        try form.field(5, &oldestSequence)
        try form.field(6, &firstSequence)
        if form.isReading(7), entries.count >= Self.entriesMax { throw ProtobufFault() }
        try form.field(7, &entries)
        try form.expect(!entries.isEmpty)
    }
}

extension LogEntriesRecord.Entry: FieldMessage {
    package init() {
        self.init(time: 0, data: [])
    }

    package mutating func describe(_ form: inout MessageForm) throws {
        try form.field(1, &time)
        try form.field(2, &data)
        try form.field(3, &metadata)
    }
}
