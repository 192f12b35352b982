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
    /// What is at a path of the vault, file or directory: named by its area and each name of the path, so that what
    /// lies in a directory has names that begin with its own.
    case file = 6
    /// That a log is there, which takes part; named by its name. What is in it has records of its own.
    case log = 7

    /// How many texts a name may have.
    package var partCounts: ClosedRange<Int> {
        switch self {
        case .contact, .conversation, .draft, .log: 1...1
        case .sceneValue: 2...2
        case .reaction: 4...4
        case .file: 2...Int.max
        }
    }
}

/// A thing as applications name it, never by its number or id in one store.
package struct ThingName: Hashable, Sendable {
    package let kind: ThingKind
    /// Each part is its number of bytes (LEB128) and UTF-8, so that the names that begin with some parts have their
    /// bytes in front.
    package let bytes: [UInt8]

    package init(_ kind: ThingKind, _ parts: String...) {
        self.init(kind, parts: parts)
    }

    package init(_ kind: ThingKind, parts: [String]) {
        precondition(kind.partCounts.contains(parts.count), "a part of the name is missing")
        self.kind = kind
        bytes = Self.bytes(of: parts)
    }

    /// - Returns: `nil` for bytes that are no name of such a thing.
    package init?(_ kind: ThingKind, bytes: UnsafeRawBufferPointer) {
        self.kind = kind
        self.bytes = [UInt8](bytes)
        let parts = parts
        // One name has one form: a number of bytes may be written longer than it has to be.
        guard kind.partCounts.contains(parts.count), Self.bytes(of: parts) == self.bytes else { return nil }
    }

    /// Of names that begin so.
    package static func bytes(of parts: [String]) -> [UInt8] {
        var bytes: [UInt8] = []
        for part in parts {
            bytes.append(text: part)
        }
        return bytes
    }

    /// Behind all names that begin so: no part is as long as two such bytes would say.
    package static func end(ofNamesBeginningWith beginning: [UInt8]) -> [UInt8] { beginning + [0xff, 0xff] }

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
