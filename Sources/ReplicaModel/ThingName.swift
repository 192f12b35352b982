import StoreBasics

/// The kinds of things that a group replicates besides messages. The raw values are stored and sent.
package enum ThingKind: UInt8, Hashable, Sendable, CaseIterable {
    /// A contact, named by its session id.
    case contact = 1
    /// A conversation, named by its session id.
    case conversation = 2
    /// A draft, named by the session id of its conversation.
    case draft = 3
    /// A scene's value, named by its scene (empty for global values) and its key.
    case sceneValue = 4
    /// A reaction, named by the id and the generation of its message, its author and its emoji.
    case reaction = 5
    /// A file or directory of the vault, named by its area and each name of its path. The names of files in a directory
    /// begin with the name of the directory.
    case file = 6
    /// A replicated log, named by its name. Its entries have records of their own.
    case log = 7
    /// A member of a conversation, named by the conversation's session id and the member's session id.
    case member = 8

    /// The allowed number of parts in a name.
    package var partCounts: ClosedRange<Int> {
        switch self {
        case .contact, .conversation, .draft, .log: 1...1
        case .sceneValue, .member: 2...2
        case .reaction: 4...4
        case .file: 2...Int.max
        }
    }
}

/// A thing's name, which is the same on all devices, unlike the thing's number or id in one store.
package struct ThingName: Hashable, Sendable {
    package let kind: ThingKind
    /// The encoded parts, each as its length (LEB128) and UTF-8. The encoding of leading parts is a prefix of the
    /// encoded name.
    package let bytes: [UInt8]

    package init(_ kind: ThingKind, _ parts: String...) {
        self.init(kind, parts: parts)
    }

    package init(_ kind: ThingKind, parts: [String]) {
        precondition(kind.partCounts.contains(parts.count), "the name has too few or too many parts")
        self.kind = kind
        bytes = Self.bytes(of: parts)
    }

    /// Creates a name from its encoded parts; returns `nil` for bytes that are not a valid name of this kind.
    package init?(_ kind: ThingKind, bytes: UnsafeRawBufferPointer) {
        self.kind = kind
        self.bytes = [UInt8](bytes)
        let parts = parts
        // Reject encodings with overlong lengths, so that each name has one encoding.
        guard kind.partCounts.contains(parts.count), Self.bytes(of: parts) == self.bytes else { return nil }
    }

    /// Returns the encoding of parts, also of leading parts of a name.
    package static func bytes(of parts: [String]) -> [UInt8] {
        var bytes: [UInt8] = []
        for part in parts {
            bytes.append(text: part)
        }
        return bytes
    }

    /// Returns an upper bound for all encoded names that begin with `beginning`. In a longer name, the length of a part
    /// follows, and no part is so long that its length would begin with two bytes 0xff.
    package static func end(ofNamesBeginningWith beginning: [UInt8]) -> [UInt8] { beginning + [0xff, 0xff] }

    /// The parts of the name; empty if the bytes are invalid.
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
