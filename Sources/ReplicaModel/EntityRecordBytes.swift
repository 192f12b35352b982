import StoreBasics

// The encoding of records with the content of stores.

extension ThingRecord {
    private static let kindNumber: UInt32 = 1

    var fieldBytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(field: Self.kindNumber, UInt64(name.kind.rawValue))
        bytes.append(field: 2, name.bytes)
        bytes.append(field: 3, removal)
        bytes.append(field: 4, signed: touchedAt)
        for field in fields {
            bytes.append(field: 5, present: field.fieldBytes)
        }
        return bytes
    }

    /// Returns false for a kind of thing that only a later version knows.
    static func isKnownKind(_ content: UnsafeRawBufferPointer) -> Bool {
        var kind: UInt64 = 0
        let isRead = content.readFields { field throws(ProtobufFault) in
            if field.number == kindNumber {
                kind = try field.unsigned()
            }
        }
        return !isRead || kind == 0 || UInt8(exactly: kind).flatMap(ThingKind.init(rawValue:)) != nil
    }

    init?(_ content: UnsafeRawBufferPointer) {
        var kind: UInt64 = 0
        var nameBytes = UnsafeRawBufferPointer(start: nil, count: 0)
        var removal = ReplicaStamp.zero
        var touchedAt: Int64 = 0
        var fields: [FieldRecord] = []
        let isRead = content.readFields { field throws(ProtobufFault) in
            switch field.number {
            case Self.kindNumber: kind = try field.unsigned()
            case 2: nameBytes = try field.content()
            case 3: removal = try field.stamp()
            case 4: touchedAt = try field.signed()
            case 5:
                let record = try FieldRecord(try field.content())
                guard fields.last.map({ $0.field < record.field }) ?? true else { throw ProtobufFault() }
                fields.append(record)
            default: break
            }
        }
        guard isRead, let kind = UInt8(exactly: kind).flatMap(ThingKind.init(rawValue:)),
            let name = ThingName(kind, bytes: nameBytes)
        else { return nil }
        self.init(name: name, removal: removal, touchedAt: touchedAt, fields: fields)
    }
}

extension FieldRecord {
    fileprivate var fieldBytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(field: 1, UInt64(field.rawValue))
        bytes.append(field: 2, stamp)
        if let value {
            bytes.append(field: 3, present: value)
        }
        return bytes
    }

    fileprivate init(_ content: UnsafeRawBufferPointer) throws(ProtobufFault) {
        var number: UInt64 = 0
        var stamp = ReplicaStamp.zero
        var value: [UInt8]?
        let isRead = content.readFields { field throws(ProtobufFault) in
            switch field.number {
            case 1: number = try field.unsigned()
            case 2: stamp = try field.stamp()
            case 3: value = try field.bytes()
            default: break
            }
        }
        guard isRead, FieldNumber.all.contains(number) else { throw ProtobufFault() }
        self.init(field: FieldNumber(rawValue: UInt8(number)), stamp: stamp, value: value)
    }
}

extension MessageRecord {
    var fieldBytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(field: 1, id)
        bytes.append(field: 2, generation)
        if let content {
            bytes.append(field: 3, present: content.fieldBytes)
        } else {
            bytes.append(field: 4, isTimerStarted)
        }
        return bytes
    }

    init?(_ content: UnsafeRawBufferPointer) {
        self.init(id: "", generation: 0, content: nil)
        let isRead = content.readFields { field throws(ProtobufFault) in
            switch field.number {
            case 1: id = try field.text()
            case 2: generation = try field.unsigned()
            case 3: self.content = try MessageContent(try field.content())
            case 4: isTimerStarted = try field.flag()
            default: break
            }
        }
        guard isRead, self.content == nil || !isTimerStarted else { return nil }
    }
}

extension MessageContent {
    fileprivate var fieldBytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(sessionID.utf8.count + body.count + 48)
        bytes.append(field: 1, sessionID)
        bytes.append(field: 2, stamp)
        bytes.append(field: 3, progress.restarts)
        bytes.append(field: 4, progress.isRead)
        bytes.append(field: 5, UInt64(progress.step))
        if let remaining {
            bytes.append(field: 6, present: UInt64(bitPattern: remaining))
        }
        bytes.append(field: 7, body)
        return bytes
    }

    fileprivate init(_ content: UnsafeRawBufferPointer) throws(ProtobufFault) {
        self.init(
            sessionID: "", stamp: .zero, body: [], progress: MessageProgress(restarts: 0, isRead: false, step: 0),
            remaining: nil)
        let isRead = content.readFields { field throws(ProtobufFault) in
            switch field.number {
            case 1: sessionID = try field.text()
            case 2: stamp = try field.stamp()
            case 3: progress.restarts = try field.unsigned()
            case 4: progress.isRead = try field.flag()
            case 5: progress.step = try field.fixedWidth()
            case 6: remaining = try field.signed()
            case 7: body = try field.bytes()
            default: break
            }
        }
        guard isRead, remaining ?? 0 >= 0 else { throw ProtobufFault() }
    }
}

extension LogEntriesRecord {
    var fieldBytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(field: 1, name)
        bytes.append(field: 2, value)
        bytes.append(field: 3, device)
        bytes.append(field: 4, opened)
        bytes.append(field: 5, oldestSequence)
        bytes.append(field: 6, firstSequence)
        for entry in entries {
            bytes.append(field: 7, present: entry.fieldBytes)
        }
        return bytes
    }

    init?(_ content: UnsafeRawBufferPointer) {
        self.init(name: "", value: [], device: 0, opened: 0, oldestSequence: 0, firstSequence: 0)
        let isRead = content.readFields { field throws(ProtobufFault) in
            switch field.number {
            case 1: name = try field.text()
            case 2: value = try field.bytes()
            case 3: device = try field.unsigned()
            case 4: opened = try field.unsigned()
            case 5: oldestSequence = try field.unsigned()
            case 6: firstSequence = try field.unsigned()
            case 7:
                guard entries.count < Self.entriesMax else { throw ProtobufFault() }
                entries.append(try Entry(try field.content()))
            default: break
            }
        }
        guard isRead, !entries.isEmpty else { return nil }
    }
}

extension LogEntriesRecord.Entry {
    fileprivate var fieldBytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(field: 1, time)
        bytes.append(field: 2, data)
        return bytes
    }

    fileprivate init(_ content: UnsafeRawBufferPointer) throws(ProtobufFault) {
        self.init(time: 0, data: [])
        let isRead = content.readFields { field throws(ProtobufFault) in
            switch field.number {
            case 1: time = try field.unsigned()
            case 2: data = try field.bytes()
            default: break
            }
        }
        guard isRead else { throw ProtobufFault() }
    }
}
