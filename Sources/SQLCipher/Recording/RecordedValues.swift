import StoreBasics

/// The values that are bound to a writing statement, as they are recorded: kept beside SQLite's own, which has no call
/// that gives them back.
///
/// A value is its kind and, but for NULL, its content: an integer as LEB128 with its sign in the lowest bit, a text or
/// a blob as its length (LEB128) and its bytes.
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

    /// Gives back what large values have taken.
    ///
    /// - Returns: whether they were.
    @inline(__always)
    func releaseIfLarge() -> Bool {
        guard bytes.count > Self.largeBytes else { return false }
        bytes = []
        count = 0
        return true
    }

    private static let largeBytes = 64 << 10

    /// Parameters are bound in the order of their numbers, all of them each time: those of the run before are gone with
    /// the first.
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
