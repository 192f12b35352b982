/// Names a running export or import. Random, so that none names another's by mistake.
package struct BlobSessionID: Hashable, Sendable {
    package let number: UInt64

    package init(number: UInt64) {
        self.number = number
    }
}

/// A piece of the file of an export.
package struct BlobPiece: Hashable, Sendable {
    package var data: [UInt8]
    /// The file ends with this piece, and the export with it.
    package var isLast: Bool
}
