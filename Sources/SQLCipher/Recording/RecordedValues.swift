import StoreBasics

/// The values that are bound to a writing statement, in their recorded form. They are kept besides SQLite's own copies,
/// because SQLite has no function that returns bound values.
///
/// A value consists of its kind and its content; NULL has no content. An integer is LEB128 with its sign in the lowest
/// bit. A text or a blob is its length (LEB128) and its bytes.
final class RecordedValues {
    enum Kind: UInt8 {
        case null = 0
        case integer = 1
        case text = 2
        case blob = 3
    }

    private(set) var count = 0
    private(set) var bytes: [UInt8] = []

    @inline(__always)
    func append(_ value: Int64, at index: Int) {
        begin(index, .integer)
        bytes.append(leb128: UInt64(bitPattern: (value << 1) ^ (value >> 63)))
    }

    func appendNull(at index: Int) {
        begin(index, .null)
    }

    @inline(__always)
    func append(_ kind: Kind, _ content: UnsafeRawBufferPointer, at index: Int) {
        begin(index, kind)
        bytes.append(variableLength: content.count)
        bytes.append(contentsOf: content)
    }

    /// Frees the memory of large values.
    ///
    /// - Returns: true if the values were large.
    @inline(__always)
    func releaseIfLarge() -> Bool {
        guard bytes.count > Self.largeBytes else { return false }
        bytes = []
        count = 0
        return true
    }

    private static let largeBytes = 64 << 10

    /// Begins a value. All parameters must be bound in the order of their numbers before each run. The value of the
    /// first parameter removes all values of the previous run.
    @inline(__always)
    private func begin(_ index: Int, _ kind: Kind) {
        if index == 1 {
            bytes.removeAll(keepingCapacity: true)
            count = 0
        }
        precondition(index == count + 1, "the parameters of a writing statement must be bound in order")
        count = index
        bytes.append(kind.rawValue)
    }
}
