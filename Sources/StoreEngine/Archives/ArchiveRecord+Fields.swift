package import StoreBasics

// Records as messages of archives.proto.

extension ArchiveEntry {
    private static let changedAtNumber: UInt32 = 31
    private static let contentFileNumber: UInt32 = 40

    /// The entry as a message `ArchiveRecord` of archives.proto.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        let (number, content) = record.field
        bytes.append(field: number, present: content)
        if let changedAt {
            bytes.append(field: Self.changedAtNumber, present: UInt64(bitPattern: changedAt.microseconds))
        }
        return bytes
    }

    /// - Parameter bytes: A message `ArchiveRecord` of archives.proto.
    /// - Throws: `.invalidArgument` for a record that no store can contain. Values of scenes are not checked.
    package init(bytes: ArraySlice<UInt8>) throws(StoreError) {
        do {
            self = try bytes.withUnsafeBytes { try ArchiveEntry($0) }
        } catch let error as StoreError {
            throw .invalidArgument(error.message)
        } catch {
            throw .invalidArgument("the bytes are not a record")
        }
    }

    private init(_ bytes: UnsafeRawBufferPointer) throws {
        var (record, changedAt): (ArchiveRecord?, Timestamp?) = (nil, nil)
        var fields = TaggedFields(bytes)
        while let field = try fields.next() {
            switch field.number {
            case Self.changedAtNumber: changedAt = Timestamp(microseconds: try field.signed())
            case Self.contentFileNumber where try !field.text().isEmpty:
                throw StoreError.invalidArgument(
                    "the record refers to a file for its bytes, which is possible only in JSON Lines")
            default: record = try ArchiveRecord(field, addedTo: record) ?? record
            }
        }
        guard let record else { throw StoreError.invalidArgument("the kind of the record is unknown to this daemon") }
        self.init(record, changedAt: changedAt)
    }
}

extension ArchiveRecord {
    /// The field of this kind of record in the message `ArchiveRecord` of archives.proto.
    fileprivate var field: (number: UInt32, content: [UInt8]) {
        switch self {
        case .header(let header): (1, header.encoded())
        case .contact(let contact): (2, contact.encoded())
        case .conversation(let conversation): (3, conversation.encoded())
        case .message(let message): (4, message.encoded())
        case .reaction(let reaction): (5, reaction.encoded())
        case .draft(let draft): (6, draft.encoded())
        case .sceneValue(let value): (7, value.encoded())
        case .log(let log): (8, log.encoded())
        case .logEntry(let entry): (9, entry.encoded())
        case .directory(let directory): (10, directory.encoded())
        case .file(let file): (11, file.encoded())
        case .filePiece(let bytes): (12, bytes)
        case .footer(let footer): (13, footer.encoded())
        case .content(let content): (20, content.encoded())
        case .removal(let removal): (30, RemovalFields(removal).encoded())
        }
    }

    /// Reads a field of an `ArchiveRecord`; `nil` for a field that is not a record.
    ///
    /// - Parameter record: The record of the preceding field, if any. If it has the same kind, this field is merged
    ///   into it, as protobuf demands.
    fileprivate init?(_ field: TaggedFields.Field, addedTo record: ArchiveRecord?) throws {
        func read<Content: FieldMessage>(_: Content.Type) throws -> Content {
            var content = Content()
            if let record, record.field.number == field.number {
                _ = try record.field.content.withUnsafeBytes { try content.read($0) }
            }
            _ = try content.read(field.content())
            return content
        }
        switch field.number {
        case 1: self = .header(try read(ArchiveHeader.self))
        case 2: self = .contact(try read(ArchivedContact.self))
        case 3: self = .conversation(try read(ArchivedConversation.self))
        case 4: self = .message(try read(ArchivedMessage.self))
        case 5: self = .reaction(try read(ArchivedReaction.self))
        case 6: self = .draft(try read(ArchivedDraft.self))
        case 7: self = .sceneValue(try read(ArchivedSceneValue.self))
        case 8: self = .log(try read(ArchivedLog.self))
        case 9: self = .logEntry(try read(ArchivedLogEntry.self))
        case 10: self = .directory(try read(ArchivedDirectory.self))
        case 11: self = .file(try read(ArchivedFile.self))
        case 12: self = .filePiece(try field.bytes())
        case 13: self = .footer(try read(ArchiveFooter.self))
        case 20: self = .content(try read(ArchivedContent.self))
        case 30: self = .removal(try read(RemovalFields.self).removal())
        default: return nil
        }
    }
}

// MARK: Parts of an archive

extension ArchiveHeader: FieldMessage {
    package init() {
        self.init(history: .none, revision: 0, createdAt: Timestamp(microseconds: 0))
    }

    package mutating func describe(_ form: inout MessageForm) throws {
        var version: UInt32 = form.isWriting || form.hasRead(1) ? Self.formatVersion : 0
        try form.field(1, &version)
        guard version == Self.formatVersion || !form.isReading(1) && !form.isChecking else {
            throw StoreError.invalidArgument(
                "the version is \(version); this daemon knows only version \(Self.formatVersion)")
        }
        var bytes = history.bytes
        try form.field(2, &bytes)
        guard let history = HistoryID(bytes: bytes), !form.isChecking || form.hasRead(2) else {
            throw StoreError.invalidArgument("the history id does not have 16 bytes")
        }
        self.history = history
        try form.field(3, &revision)
        try form.field(4, &createdAt)
        try form.field(5, &sinceRevision)
    }
}

extension ArchiveCounts: FieldMessage {
    package mutating func describe(_ form: inout MessageForm) throws {
        for (index, kind) in ArchiveKind.allCases.enumerated() {
            try form.field(UInt32(index + 1), &self[kind])
        }
    }
}

extension ArchiveFooter: FieldMessage {
    package init() {
        self.init(counts: ArchiveCounts(), digest: [])
    }

    package mutating func describe(_ form: inout MessageForm) throws {
        try form.field(1, &counts)
        try form.field(2, &digest)
    }
}

// MARK: Things only in archives

extension ArchivedLogEntry: FieldMessage {
    package init() {
        self.init(sequence: 0, offset: 0, position: 0, data: [])
    }

    package mutating func describe(_ form: inout MessageForm) throws {
        try form.field(1, &sequence)
        try form.field(2, &offset)
        try form.field(3, &position)
        try form.field(4, &data)
        try form.field(5, &metadata)
    }
}

extension ArchivedDirectory: FieldMessage {
    package init() {
        self.init(
            path: .root(of: .cache), createdAt: Timestamp(microseconds: 0), modifiedAt: Timestamp(microseconds: 0))
    }

    package mutating func describe(_ form: inout MessageForm) throws {
        try form.field(1, &path)
        try form.field(2, &createdAt)
        try form.field(3, &modifiedAt)
    }
}

extension ArchivedFile: FieldMessage {
    package init() {
        self.init(
            path: .root(of: .cache), byteCount: 0, createdAt: Timestamp(microseconds: 0),
            modifiedAt: Timestamp(microseconds: 0))
    }

    package mutating func describe(_ form: inout MessageForm) throws {
        try form.field(1, &path)
        try form.field(2, &byteCount)
        try form.field(3, &createdAt)
        try form.field(4, &modifiedAt)
    }
}

extension ArchivedContent: FieldMessage {
    package init() {
        self.init(digest: AttachmentDigest(trusted: []), byteCount: 0)
    }

    package mutating func describe(_ form: inout MessageForm) throws {
        try form.field(1, &byteCount)
        try form.field(2, &digest)
    }
}

/// A `FilePath` of files.proto.
private struct PathFields: FieldMessage {
    /// The areas in the order of their numbers, which begin with 1.
    private static let areas: [FileArea] = [.cache, .document, .library, .notSyncedLibrary, .temporary]

    private var area: UInt64 = 0
    private var names = ""

    init() {}

    init(_ path: FilePath) {
        area = UInt64((Self.areas.firstIndex(of: path.area) ?? 0) + 1)
        names = path.names.map(\.text).joined(separator: "/")
    }

    var path: FilePath {
        get throws(StoreError) {
            guard 1...UInt64(Self.areas.count) ~= area else {
                throw .invalidArgument("the area of the path is missing or unknown to this daemon; name the area")
            }
            return try FilePath(Self.areas[Int(area) - 1], names)
        }
    }

    mutating func describe(_ form: inout MessageForm) throws {
        try form.field(1, &area)
        try form.field(2, &names)
    }
}

extension MessageForm {
    fileprivate mutating func field(_ number: UInt32, _ path: inout FilePath) throws {
        guard isWriting || isReading(number) || isChecking && !hasRead(number) else { return }
        var fields = isWriting ? PathFields(path) : PathFields()
        try field(number, &fields)
        if !isWriting {
            path = try fields.path
        }
    }
}
