import StoreCrypto

/// 8 to 64 bytes chosen by a client, kept apart by user, with what the request that it names is made of.
package struct IdempotencyKey: Hashable, Sendable {
    package static let bytesMin = 8
    package static let bytesMax = 64

    let bytes: [UInt8]
    let userID: UInt32
    let content: RequestFingerprint

    /// - Throws: `StoreError` with reason `.invalidArgument` when there are fewer than 8 or more than 64 bytes.
    package init(_ bytes: [UInt8], userID: UInt32, of content: RequestFingerprint) throws(StoreError) {
        guard (Self.bytesMin...Self.bytesMax).contains(bytes.count) else {
            throw .invalidArgument("the idempotency key has \(bytes.count) bytes; it must have 8 to 64")
        }
        self.bytes = bytes
        self.userID = userID
        self.content = content
    }
}

/// Tells one request from another: its call, and its message as it was received, byte for byte. Kept beside an
/// idempotency key, so that a key used again for something else is refused instead of answered.
///
/// Whoever finds two requests that share one deceives only themselves: keys are kept apart by user.
package struct RequestFingerprint: Hashable, Sendable {
    let value: UInt64

    init(value: UInt64) {
        self.value = value
    }

    package init(call: UInt32, message: UnsafeRawBufferPointer) {
        value = ShortHash.of(message, domain: UInt64(call))
    }
}
