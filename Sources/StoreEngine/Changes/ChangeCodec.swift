import StoreBasics

/// What a commit did, before it has a revision.
struct ChangeEntry: Hashable, Sendable {
    var kind: EntityKind
    var operation: ChangeOperation
    var id: String
    var parent: String
    var cause = ChangeCause.request
}

/// Why a change was made. The raw values are kept at rest.
enum ChangeCause: UInt8, CaseIterable, Hashable, Sendable {
    case request = 0
    /// The timer of a message has run out.
    case timer = 1
    /// A conversation keeps its messages no longer, or no more of them.
    case retention = 2
}

/// The entries of one commit as bytes. Per entry: kind, operation with the cause in its two upper bits, a byte that
/// says where its parent stands, the id and, where it says so, the parent; each text is a length (LEB128) and UTF-8 bytes.
enum ChangeCodec {
    /// Where the parent of an entry stands.
    private enum Parent: UInt8 {
        /// Behind the id.
        case written = 0
        /// It is that of the entry before; for the first entry, none.
        case repeated = 1
    }

    static func encode(_ entries: ArraySlice<ChangeEntry>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(entries.count * 48)
        var last = ""
        for entry in entries {
            let parent: Parent = last.hasSameBytes(as: entry.parent) ? .repeated : .written
            let operation = entry.operation.rawValue | entry.cause.rawValue << causeShift
            bytes += [entry.kind.rawValue, operation, parent.rawValue]
            bytes.append(text: entry.id)
            if parent == .written {
                bytes.append(text: entry.parent)
                last = entry.parent
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
                let parent = reader.byte().flatMap(Parent.init(rawValue:)), let id = reader.text()
            else { throw damaged }
            if parent == .written {
                guard let text = reader.text() else { throw damaged }
                last = text
            }
            entries.append(ChangeEntry(kind: kind, operation: operation, id: id, parent: last, cause: cause))
        }
        return entries
    }

    private static let causeShift: UInt8 = 6

    private static var damaged: StoreError {
        .databaseDamaged("the change log holds bytes that make no sense")
    }
}
