/// What makes the bytes of a file something else than they should be.
public struct InterchangeError: Error, Hashable, Sendable {
    /// Where in the file, in bytes from its start.
    public let offset: UInt64
    /// Lower case, cause first. Holds nothing of the content.
    public let message: String

    public init(offset: UInt64, _ message: String) {
        self.offset = offset
        self.message = message
    }
}

extension InterchangeError: CustomStringConvertible {
    public var description: String {
        "\(message) (byte \(offset))"
    }
}
