import StoreBasics

/// A part of a content that is too large for one batch. The parts are sent in order, from start to end.
package struct ContentPieceRecord: Hashable, Sendable {
    /// The size of the content's BLAKE2b-256 hash.
    package static let digestBytes = 32
    package static let bytesMax = 128 << 10
    /// The size of a chunk of a stored content. The offset of each piece is a multiple of it.
    package static let alignment: UInt64 = 64 << 10

    package var digest: [UInt8]
    /// The size of the whole content.
    package var byteCount: UInt64
    package var offset: UInt64
    package var bytes: [UInt8]

    package init(digest: [UInt8], byteCount: UInt64, offset: UInt64, bytes: [UInt8]) {
        self.digest = digest
        self.byteCount = byteCount
        self.offset = offset
        self.bytes = bytes
    }

    package var isLast: Bool { offset + UInt64(bytes.count) == byteCount }
}

/// A notice that a content, to which the following records refer, was sent completely before. A device that lacks the
/// content must request it.
package struct ContentNoticeRecord: Hashable, Sendable {
    package var digest: [UInt8]
    /// The device that sent the content, and the number of the batch with its last piece.
    package var device: UInt64
    package var sequence: UInt64

    package init(digest: [UInt8], device: UInt64, sequence: UInt64) {
        self.digest = digest
        self.device = device
        self.sequence = sequence
    }
}

/// A request to send a content again, from a device that lacks the content to a device whose records refer to the
/// content.
package struct ContentRequestRecord: Hashable, Sendable {
    package var digest: [UInt8]
    /// The device that should send the content.
    package var device: UInt64

    package init(digest: [UInt8], device: UInt64) {
        self.digest = digest
        self.device = device
    }
}
