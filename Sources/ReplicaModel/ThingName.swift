import StoreBasics

/// What stores of a group keep in step besides messages. The raw values are kept at rest and sent.
package enum ThingKind: UInt8, Hashable, Sendable, CaseIterable {
    /// Named by its session id.
    case contact = 1
    /// Named by its session id.
    case conversation = 2
    /// Named by the session id of its conversation.
    case draft = 3
    /// Named by its scene, empty for the global tier, and its key.
    case sceneValue = 4
    /// Named by the id of its message, which of the messages of that id it is, its author and its emoji.
    case reaction = 5

    /// How many texts a name has.
    package var partCount: Int {
        switch self {
        case .contact, .conversation, .draft: 1
        case .sceneValue: 2
        case .reaction: 4
        }
    }
}

/// A thing as applications name it, never by its number or id in one store.
package struct ThingName: Hashable, Sendable {
    package let kind: ThingKind
    /// Each part is its number of bytes (LEB128) and UTF-8, so that the names that begin with some parts have their bytes
    /// in front.
    package let bytes: [UInt8]

    package init(_ kind: ThingKind, _ parts: String...) {
        precondition(parts.count == kind.partCount, "a name has all its parts")
        self.kind = kind
        bytes = Self.bytes(of: parts)
    }

    /// - Returns: `nil` for bytes that are no name of such a thing.
    package init?(_ kind: ThingKind, bytes: UnsafeRawBufferPointer) {
        self.kind = kind
        self.bytes = [UInt8](bytes)
        guard parts.count == kind.partCount else { return nil }
    }

    /// Of names that begin so.
    package static func bytes(of parts: [String]) -> [UInt8] {
        var bytes: [UInt8] = []
        for part in parts {
            bytes.append(text: part)
        }
        return bytes
    }

    /// Empty for bytes that are no name.
    package var parts: [String] {
        bytes.withUnsafeBytes { bytes in
            var reader = ByteReader(bytes)
            var parts: [String] = []
            while !reader.isAtEnd {
                guard let part = reader.text() else { return [] }
                parts.append(part)
            }
            return parts
        }
    }
}
