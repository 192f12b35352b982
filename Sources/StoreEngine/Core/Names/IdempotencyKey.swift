import StoreCrypto

/// An idempotency key: 8 to 64 bytes chosen by a client, valid for one user, with the fingerprint of its request.
package struct IdempotencyKey: Hashable, Sendable {
    package static let bytesMin = 8
    package static let bytesMax = 64

    let bytes: [UInt8]
    let userID: UInt32
    let content: RequestFingerprint

    /// - Throws: `StoreError` with reason `.invalidArgument` if there are fewer than 8 or more than 64 bytes.
    package init(_ bytes: [UInt8], userID: UInt32, of content: RequestFingerprint) throws(StoreError) {
        guard (Self.bytesMin...Self.bytesMax).contains(bytes.count) else {
            throw .invalidArgument("the idempotency key has \(bytes.count) bytes; it must have 8 to 64")
        }
        self.bytes = bytes
        self.userID = userID
        self.content = content
    }
}

/// A hash of a request: of its call and of its message exactly as received. It is stored with an idempotency key, so
/// that the same key with another request is rejected instead of answered.
///
/// The hash does not have to withstand attacks: a client that constructs two requests with the same fingerprint only
/// gets a wrong answer itself, because keys belong to one user.
package struct RequestFingerprint: Hashable, Sendable {
    let value: UInt64

    init(value: UInt64) {
        self.value = value
    }

    package init(call: UInt32, message: UnsafeRawBufferPointer) {
        value = ShortHash.of(message, domain: UInt64(call))
    }
}
