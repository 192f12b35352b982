import StoreBasics

/// A part of a content, told in order from its start to its end: too large for one batch, it takes many.
package struct ContentPieceRecord: Hashable, Sendable {
    /// BLAKE2b-256 of the whole content.
    package static let digestBytes = 32
    package static let bytesMax = 128 << 10
    /// Where pieces begin and end but for the last: whole chunks of a content at rest.
    package static let alignment: UInt64 = 64 << 10

    package var digest: [UInt8]
    /// Of the whole content.
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

/// A content that what follows has was told whole before: who lacks it by then asks for it.
package struct ContentNoticeRecord: Hashable, Sendable {
    package var digest: [UInt8]
    /// Who told it, and its batch that had the last of it.
    package var device: UInt64
    package var sequence: UInt64

    package init(digest: [UInt8], device: UInt64, sequence: UInt64) {
        self.digest = digest
        self.device = device
        self.sequence = sequence
    }
}

/// A device lacks a content that another has named: that one is to tell it again.
package struct ContentRequestRecord: Hashable, Sendable {
    package var digest: [UInt8]
    /// Who is asked.
    package var device: UInt64

    package init(digest: [UInt8], device: UInt64) {
        self.digest = digest
        self.device = device
    }
}
