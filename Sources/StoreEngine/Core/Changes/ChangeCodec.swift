import StoreBasics

/// A change of a commit, before the change gets its revision.
struct ChangeEntry: Hashable, Sendable {
    var kind: EntityKind
    var operation: ChangeOperation
    var id: String
    var parent: String
    var cause = ChangeCause.request
    /// The part of the object that was changed. Only the replica group needs it; clients do not get it.
    var detail = ChangeDetail.none
    /// See `Change.kindName`.
    var kindName = ""
}

/// The cause of a change. The raw values are stored.
enum ChangeCause: UInt8, CaseIterable, Hashable, Sendable {
    case request = 0
    /// The timer of the message ended.
    case timer = 1
    /// The message was deleted by the conversation's `keep_for` or `keep_count`.
    case retention = 2
}

/// The encoding of one commit's entries. Each entry consists of the kind, the operation with the cause in its two upper
/// bits, flags, the id, and depending on the flags the parent, the detail and the name of the application's kind. A
/// text is a length (LEB128) and UTF-8 bytes; a detail is LEB128.
enum ChangeCodec {
    /// The entry has the same parent as the previous entry; in the first entry, the flag means that there is no parent.
    /// In an entry without the flag, the parent follows the id.
    private static let repeatsParent: UInt8 = 1
    /// The entry has a detail.
    private static let hasDetail: UInt8 = 2
    /// The entry ends with the name of a kind.
    private static let hasKindName: UInt8 = 4

    static func encode(_ entries: ArraySlice<ChangeEntry>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(entries.count * 48)
        var last = ""
        for entry in entries {
            let isRepeated = last.hasSameBytes(as: entry.parent)
            let flags =
                (isRepeated ? repeatsParent : 0) | (entry.detail == .none ? 0 : hasDetail)
                | (entry.kindName.isEmpty ? 0 : hasKindName)
            bytes += [entry.kind.rawValue, entry.operation.rawValue | entry.cause.rawValue << causeShift, flags]
            bytes.append(text: entry.id)
            if !isRepeated {
                bytes.append(text: entry.parent)
                last = entry.parent
            }
            if entry.detail != .none {
                bytes.append(leb128: entry.detail.number)
            }
            if !entry.kindName.isEmpty {
                bytes.append(text: entry.kindName)
            }
        }
        return bytes
    }

    /// - Throws: `.databaseDamaged` if the bytes are not a valid encoding.
    static func decode(_ bytes: UnsafeRawBufferPointer) throws(StoreError) -> [ChangeEntry] {
        var entries: [ChangeEntry] = []
        var reader = ByteReader(bytes)
        var last = ""
        while !reader.isAtEnd {
            guard let kind = reader.byte().flatMap(EntityKind.init(rawValue:)),
                let byte = reader.byte(), let cause = ChangeCause(rawValue: byte >> causeShift),
                let operation = ChangeOperation(rawValue: byte & (1 << causeShift - 1)),
                let flags = reader.byte(), flags & ~(repeatsParent | hasDetail | hasKindName) == 0,
                let id = reader.text()
            else { throw damaged }
            if flags & repeatsParent == 0 {
                guard let text = reader.text() else { throw damaged }
                last = text
            }
            var detail = ChangeDetail.none
            if flags & hasDetail != 0 {
                guard let number = reader.leb128(), number != 0 else { throw damaged }
                detail = ChangeDetail(number: number)
            }
            var kindName = ""
            if flags & hasKindName != 0 {
                guard let text = reader.text(), !text.isEmpty else { throw damaged }
                kindName = text
            }
            entries.append(
                ChangeEntry(
                    kind: kind, operation: operation, id: id, parent: last, cause: cause, detail: detail,
                    kindName: kindName))
        }
        return entries
    }

    private static let causeShift: UInt8 = 6

    private static var damaged: StoreError {
        .databaseDamaged("the change log has bytes that cannot be decoded")
    }
}
