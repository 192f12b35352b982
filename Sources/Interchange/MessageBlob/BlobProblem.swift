/// Why bytes are not a blob file.
enum BlobProblem: Hashable, Sendable {
    /// The file begins with a negative count.
    case countNegative(Int32)
    /// The file is too small for as many messages as it says it has.
    case countImpossible(Int32)
    /// A text has a negative length.
    case lengthNegative(Int32)
    /// A text is longer than the rest of the file.
    case lengthImpossible(Int32)
    /// A text is longer than the reader takes.
    case textTooLong(Int32, bytesMax: Int)
    /// A byte of a text is not UTF-8.
    case textNotUTF8
    /// Is-sent is neither 0 nor 1.
    case sentFlagInvalid(UInt8)
    /// The file ends inside its count.
    case truncatedCount
    /// The file ends before its last message does.
    case truncated(messagesMissing: Int)
    /// The file goes on after its last message.
    case trailingBytes

    private var cause: String {
        switch self {
        case .countNegative(let count): "it counts \(count) messages"
        case .countImpossible(let count): "it counts \(count) messages, more than it has room for"
        case .lengthNegative(let length): "a text has \(length) bytes"
        case .lengthImpossible(let length): "a text has \(length) bytes, more than are left"
        case .textTooLong(let length, let most): "a text has \(length) bytes; the most is \(most)"
        case .textNotUTF8: "a text is not UTF-8"
        case .sentFlagInvalid(let flag): "is-sent is \(flag), neither 0 nor 1"
        case .truncatedCount: "it ends inside its count"
        case .truncated(let missing): "it ends \(missing) message\(missing == 1 ? "" : "s") short"
        case .trailingBytes: "bytes follow the last message"
        }
    }

    func error(atOffset offset: UInt64) -> InterchangeError {
        InterchangeError(offset: offset, "not a message blob: \(cause)")
    }
}
