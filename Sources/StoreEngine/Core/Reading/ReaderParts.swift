/// Values that areas keep beside the connection of a reader, each found by its type. The reader itself knows none of
/// them: the composition of the engine puts them in.
struct ReaderParts {
    private var parts: [ObjectIdentifier: Any] = [:]

    init<each Part>(_ part: repeat each Part) {
        repeat insert(each part)
    }

    private mutating func insert<Part>(_ part: Part) {
        parts[ObjectIdentifier(Part.self)] = part
    }

    /// Returns the part of a type, which the composition must have put in.
    func find<Part>(_ type: Part.Type) -> Part {
        guard let part = parts[ObjectIdentifier(type)] as? Part else {
            preconditionFailure("a reader lacks a part that an area needs")
        }
        return part
    }
}

/// Values that areas share among all readers, each found by its type, as in `ReaderParts`.
struct SharedReaderParts: Sendable {
    private var parts: [ObjectIdentifier: any Sendable] = [:]

    init<each Part: Sendable>(_ part: repeat each Part) {
        repeat insert(each part)
    }

    private mutating func insert<Part: Sendable>(_ part: Part) {
        parts[ObjectIdentifier(Part.self)] = part
    }

    /// Returns the part of a type, which the composition must have put in.
    func find<Part: Sendable>(_ type: Part.Type) -> Part {
        guard let part = parts[ObjectIdentifier(type)] as? Part else {
            preconditionFailure("readers lack a part that an area needs")
        }
        return part
    }
}
