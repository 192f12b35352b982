/// Objects that areas keep beside the connection of a reader, each found by its type. The reader itself knows none of
/// them: the composition of the engine puts them in.
struct ReaderParts {
    /// Few, and found on the way of every read of a content: looking at all is quicker than a dictionary.
    private var parts: [(type: ObjectIdentifier, part: AnyObject)] = []

    init<each Part: AnyObject>(_ part: repeat each Part) {
        repeat insert(each part)
    }

    private mutating func insert<Part: AnyObject>(_ part: Part) {
        parts.append((ObjectIdentifier(Part.self), part))
    }

    /// Returns the part of a type, which the composition must have put in.
    func find<Part: AnyObject>(_ type: Part.Type) -> Part {
        for (found, part) in parts where found == ObjectIdentifier(type) {
            // `insert` has taken the identifier of just this type.
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

    /// Returns the part of a type, which the composition must have put in.
    func find<Part: Sendable>(_ type: Part.Type) -> Part {
        for case let part as Part in parts {
            return part
        }
        preconditionFailure("readers lack a part that an area needs")
    }
}
