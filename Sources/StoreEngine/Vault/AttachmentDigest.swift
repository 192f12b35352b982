import StoreBasics

/// The BLAKE2b-256 hash of a content's bytes. It identifies the content of an attachment.
package struct AttachmentDigest: Hashable, Sendable {
    package static let byteCount = 32

    package let bytes: [UInt8]

    /// - Throws: `.invalidArgument` unless there are 32 bytes.
    package init(_ bytes: [UInt8]) throws(StoreError) {
        guard bytes.count == Self.byteCount else {
            throw .invalidArgument("the digest has \(bytes.count) bytes; a BLAKE2b-256 digest has \(Self.byteCount)")
        }
        self.bytes = bytes
    }

    /// Creates a digest that was computed here or read back from the store, without checking its length.
    init(trusted bytes: [UInt8]) {
        self.bytes = bytes
    }

    package var hexadecimal: String { Hexadecimal.encode(bytes) }
}
