/// An error in the bytes of a file.
package struct InterchangeError: Error, Hashable, Sendable {
    /// The offset of the error in bytes from the start of the file.
    package let offset: UInt64
    /// The message, in lower case with the cause first. It contains nothing from the messages in the file.
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
