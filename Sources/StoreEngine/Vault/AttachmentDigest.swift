import StoreBasics

/// BLAKE2b-256 of a content's bytes: what a content of attachments is known by.
package struct AttachmentDigest: Hashable, Sendable {
    package static let byteCount = 32

    package let bytes: [UInt8]

    /// - Throws: `.invalidArgument` unless there are 32 bytes.
    package init(_ bytes: [UInt8]) throws(StoreError) {
        guard bytes.count == Self.byteCount else {
            throw .invalidArgument("the digest has \(bytes.count) bytes; BLAKE2b-256 has \(Self.byteCount)")
        }
        self.bytes = bytes
    }

    /// One that was computed or read back from the store.
    init(trusted bytes: [UInt8]) {
        self.bytes = bytes
    }

    package var hexadecimal: String { Hexadecimal.encode(bytes) }
}
