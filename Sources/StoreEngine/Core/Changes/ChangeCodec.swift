import StoreBasics

/// What a commit did, before it has a revision.
struct ChangeEntry: Hashable, Sendable {
    var kind: EntityKind
    var operation: ChangeOperation
    var id: String
    var parent: String
    var cause = ChangeCause.request
    /// The part of the thing that was changed. It is for the store's replica group; no client gets it.
    var detail = ChangeDetail.none
}

/// The cause of a change. The raw values are stored.
enum ChangeCause: UInt8, CaseIterable, Hashable, Sendable {
    case request = 0
    /// The timer of the message ended.
    case timer = 1
    /// The conversation's `keep_for` or `keep_count`.
    case retention = 2
}

/// The entries of one commit as bytes. Per entry: kind, operation with the cause in its two upper bits, flags, the id,
/// and where the flags say so the parent and the detail. A text is a length (LEB128) and UTF-8 bytes; a detail is
/// LEB128.
enum ChangeCodec {
    /// The entry has the same parent as the entry before, and the first entry has none. Without the flag, the parent
    /// follows the id.
    private static let repeatsParent: UInt8 = 1
    /// A detail ends the entry.
    private static let hasDetail: UInt8 = 2

    static func encode(_ entries: ArraySlice<ChangeEntry>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(entries.count * 48)
        var last = ""
        for entry in entries {
            let isRepeated = last.hasSameBytes(as: entry.parent)
            let flags = (isRepeated ? repeatsParent : 0) | (entry.detail == .none ? 0 : hasDetail)
            bytes += [entry.kind.rawValue, entry.operation.rawValue | entry.cause.rawValue << causeShift, flags]
            bytes.append(text: entry.id)
            if !isRepeated {
                bytes.append(text: entry.parent)
                last = entry.parent
            }
            if entry.detail != .none {
                bytes.append(leb128: entry.detail.number)
            }
        }
        return bytes
    }

    /// - Throws: `.databaseDamaged` for bytes that `encode` cannot have made.
    static func decode(_ bytes: UnsafeRawBufferPointer) throws(StoreError) -> [ChangeEntry] {
        var entries: [ChangeEntry] = []
        var reader = ByteReader(bytes)
        var last = ""
        while !reader.isAtEnd {
            guard let kind = reader.byte().flatMap(EntityKind.init(rawValue:)),
                let byte = reader.byte(), let cause = ChangeCause(rawValue: byte >> causeShift),
                let operation = ChangeOperation(rawValue: byte & (1 << causeShift - 1)),
                let flags = reader.byte(), flags & ~(repeatsParent | hasDetail) == 0, let id = reader.text()
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
            entries.append(
                ChangeEntry(kind: kind, operation: operation, id: id, parent: last, cause: cause, detail: detail))
        }
        return entries
    }

    private static let causeShift: UInt8 = 6

    private static var damaged: StoreError {
        .databaseDamaged("the change log has bytes that cannot be decoded")
    }
}
