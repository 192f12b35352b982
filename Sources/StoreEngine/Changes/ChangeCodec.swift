internal import StoreBasics

/// What a commit did, before it has a revision.
struct ChangeEntry: Hashable, Sendable {
    var kind: EntityKind
    var operation: ChangeOperation
    var id: String
    var conversationID: String
}

/// The entries of one commit as bytes: per entry kind, operation, then id and parent, each a length (LEB128) and UTF-8
/// bytes. A conversation id equal to the parent of the entry before it is a single 0xff. Scenes have longer names,
/// whose lengths may start with that byte: before the scene of a value stands 1 when it is the parent of the entry
/// before it, and then nothing follows, else 0.
enum ChangeCodec {
    private static let sameConversation: UInt8 = 0xff
    private static let sameScene: UInt8 = 1
    private static let otherScene: UInt8 = 0

    static func encode(_ entries: ArraySlice<ChangeEntry>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(entries.count * 48)
        var previous: String?
        for entry in entries {
            bytes.append(entry.kind.rawValue)
            bytes.append(entry.operation.rawValue)
            append(entry.id, to: &bytes)
            let isRepeated = previous.map { $0.utf8.elementsEqual(entry.conversationID.utf8) } ?? false
            if entry.kind == .sceneValue {
                bytes.append(isRepeated ? sameScene : otherScene)
            } else if isRepeated {
                bytes.append(sameConversation)
            }
            if !isRepeated {
                append(entry.conversationID, to: &bytes)
                previous = entry.conversationID
            }
        }
        return bytes
    }

    /// - Throws: `.databaseDamaged` for bytes that `encode` cannot have made.
    static func decode(_ bytes: UnsafeRawBufferPointer) throws(StoreError) -> [ChangeEntry] {
        var entries: [ChangeEntry] = []
        var reader = ByteReader(bytes)
        var previous: String?
        while !reader.isAtEnd {
            guard let kind = reader.byte().flatMap(EntityKind.init(rawValue:)),
                let operation = reader.byte().flatMap(ChangeOperation.init(rawValue:)),
                let id = reader.text()
            else {
                throw damaged
            }
            guard let parent = parent(of: kind, &reader, previous: previous) else {
                throw damaged
            }
            previous = parent
            entries.append(ChangeEntry(kind: kind, operation: operation, id: id, conversationID: parent))
        }
        return entries
    }

    private static func parent(of kind: EntityKind, _ reader: inout ByteReader, previous: String?) -> String? {
        if kind == .sceneValue {
            switch reader.byte() {
            case sameScene: return previous
            case otherScene: return reader.text()
            default: return nil
            }
        }
        if reader.peek() == sameConversation, let previous {
            _ = reader.byte()
            return previous
        }
        return reader.text()
    }

    /// Lengths have at most two bytes. Conversation ids are at most 128 bytes, a length whose first byte is 0x80 at
    /// most, so 0xff never starts the length of one.
    private static func append(_ text: String, to bytes: inout [UInt8]) {
        let count = text.utf8.count
        precondition(count <= SessionID.bytesMax, "an id is longer than its type allows")
        if count < 0x80 {
            bytes.append(UInt8(count))
        } else {
            bytes.append(UInt8(count & 0x7f) | 0x80)
            bytes.append(UInt8(count >> 7))
        }
        bytes.append(contentsOf: text.utf8)
    }

    private static var damaged: StoreError {
        .databaseDamaged("the change log holds bytes that make no sense")
    }
}
