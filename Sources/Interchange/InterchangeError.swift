/// What makes the bytes of a file something else than they should be.
package struct InterchangeError: Error, Hashable, Sendable {
    /// Where in the file, in bytes from its start.
    package let offset: UInt64
    /// Lower case, cause first. Holds nothing of the content.
    package let message: String

    package init(offset: UInt64, _ message: String) {
        self.offset = offset
        self.message = message
    }
}

extension InterchangeError: CustomStringConvertible {
    package var description: String {
        "\(message) (byte \(offset))"
    }
}
