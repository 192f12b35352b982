/// Objects that areas store with the connection of a reader, each found by its type. The reader does not know their
/// types; the composition of the engine adds them.
struct ReaderParts {
    /// A plain array: there are few parts, and every read of a content looks one up, for which an array is faster than
    /// a dictionary.
    private var parts: [(type: ObjectIdentifier, part: AnyObject)] = []

    init<each Part: AnyObject>(_ part: repeat each Part) {
        repeat insert(each part)
    }

    private mutating func insert<Part: AnyObject>(_ part: Part) {
        parts.append((ObjectIdentifier(Part.self), part))
    }

    /// Returns the object of a type, which the composition of the engine must have added.
    func find<Part: AnyObject>(_ type: Part.Type) -> Part {
        for (found, part) in parts where found == ObjectIdentifier(type) {
            // Safe because `insert` stored the identifier of exactly this type.
            return unsafeDowncast(part, to: type)
        }
        preconditionFailure("a reader lacks a part that an area needs")
    }
}

/// Values that areas share among all readers, each found by its type, as in `ReaderParts`.
struct SharedReaderParts: Sendable {
    private var parts: [any Sendable] = []

    init<each Part: Sendable>(_ part: repeat each Part) {
        repeat parts.append(each part)
    }

    /// Returns the value of a type, which the composition of the engine must have added.
    func find<Part: Sendable>(_ type: Part.Type) -> Part {
        for case let part as Part in parts {
            return part
        }
        preconditionFailure("readers lack a part that an area needs")
    }
}
