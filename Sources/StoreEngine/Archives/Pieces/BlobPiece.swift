/// The id of a running export or import. It is random, so that no client uses another client's by mistake.
package struct BlobSessionID: Hashable, Sendable {
    package let number: UInt64

    package init(number: UInt64) {
        self.number = number
    }
}

/// A part of an exported file.
package struct BlobPiece: Hashable, Sendable {
    package var data: [UInt8]
    /// True if the file, and with it the export, ends with this part.
    package var isLast: Bool
}
