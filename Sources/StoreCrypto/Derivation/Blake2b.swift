import CSodium

/// BLAKE2b (RFC 7693) in the forms that this library uses.
///
/// https://doc.libsodium.org/hashing/generic_hashing
enum Blake2b {
    static let digestBytes = 32
    static let saltBytes = 16
    static let personalizationBytes = 16

    /// Returns a digest without a key. It detects accidental changes but not forgeries.
    static func digest(of message: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: digestBytes)
        let status = crypto_generichash(&digest, digestBytes, message, UInt64(message.count), nil, 0)
        precondition(status == 0, "BLAKE2b fails only if a length is wrong")
        return digest
    }

    /// Returns a message authentication code of `count` bytes (16 to 64) under `key` (16 to 64 bytes).
    static func authenticator(
        of message: [UInt8], key: borrowing SecretBytes, count: Int = digestBytes
    ) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: count)
        let keyBytes = key.count
        let status = key.withBytes { keyBase in
            crypto_generichash(&digest, count, message, UInt64(message.count), keyBase, keyBytes)
        }
        precondition(status == 0, "BLAKE2b fails only if a length is wrong")
        return digest
    }

    /// Derives a 32-byte key from a secret that is already hard to guess, with BLAKE2b's own salt and personalization
    /// parameters.
    static func key(
        from secret: borrowing SecretBytes, salt: [UInt8], personalization: [UInt8]
    ) throws(CryptoError) -> SecretBytes {
        precondition(salt.count == saltBytes && personalization.count == personalizationBytes)
        var key = try SecretBytes(count: digestBytes)
        let secretBytes = UInt64(secret.count)
        let status = key.withMutableBytes { output in
            secret.withBytes { input in
                crypto_generichash_blake2b_salt_personal(
                    output, digestBytes, input, secretBytes, nil, 0, salt, personalization)
            }
        }
        precondition(status == 0, "BLAKE2b fails only if a length is wrong")
        return key
    }
}

/// A key for authenticating short messages often: keyed BLAKE2b (RFC 7693) with 32 bytes of output. Authenticating a
/// message does not allocate memory.
package struct AuthenticationKey: ~Copyable, Sendable {
    package static let authenticatorBytes = Blake2b.digestBytes

    private let bytes: SecretBytes

    /// - Parameter bytes: 16 to 64 bytes.
    package init(bytes: consuming SecretBytes) {
        precondition((16...64).contains(bytes.count), "a BLAKE2b key must have 16 to 64 bytes")
        self.bytes = bytes
    }

    /// Authenticates all bytes of `message` except the last 32, and overwrites the last 32 with the authenticator.
    package borrowing func authenticate(_ message: UnsafeMutableRawBufferPointer) {
        let count = message.count - Self.authenticatorBytes
        precondition(count > 0, "a message must have space for its authenticator")
        guard let base = message.bindMemory(to: UInt8.self).baseAddress else { return }
        let keyBytes = bytes.count
        let status = bytes.withBytes { key in
            crypto_generichash(base + count, Self.authenticatorBytes, base, UInt64(count), key, keyBytes)
        }
        precondition(status == 0, "BLAKE2b fails only if a length is wrong")
    }

    /// Returns true if the last 32 bytes of `message` authenticate the bytes before them. Compares in constant time.
    package borrowing func isAuthentic(_ message: [UInt8]) -> Bool {
        guard message.count > Self.authenticatorBytes else { return false }
        let content = Array(message.dropLast(Self.authenticatorBytes))
        return ConstantTime.areEqual(
            Blake2b.authenticator(of: content, key: bytes), Array(message.suffix(Self.authenticatorBytes)))
    }
}

/// A message authentication code over bytes that arrive in pieces: keyed BLAKE2b (RFC 7693) with 32 bytes of output.
///
/// https://doc.libsodium.org/hashing/generic_hashing#multi-part-example-with-a-key
package struct KeyedHash: ~Copyable {
    package static let digestBytes = Blake2b.digestBytes

    private let state: OpaquePointer
    private let memory: UnsafeMutableRawPointer

    /// - Parameter key: 16 to 64 bytes.
    package init(key: borrowing SecretBytes) {
        precondition((16...64).contains(key.count), "a BLAKE2b key must have 16 to 64 bytes")
        memory = .allocate(byteCount: crypto_generichash_statebytes(), alignment: 64)
        state = OpaquePointer(memory)
        let keyBytes = key.count
        let status = key.withBytes { crypto_generichash_init(state, $0, keyBytes, Self.digestBytes) }
        precondition(status == 0, "BLAKE2b fails only if a length is wrong")
    }

    deinit {
        // Wipe the state, because it contains the key.
        sodium_memzero(memory, crypto_generichash_statebytes())
        memory.deallocate()
    }

    package mutating func update(_ piece: UnsafeRawBufferPointer) {
        guard let base = piece.baseAddress else { return }
        let status = crypto_generichash_update(
            state, base.assumingMemoryBound(to: UInt8.self), UInt64(piece.count))
        precondition(status == 0, "BLAKE2b fails only if a length is wrong")
    }

    package mutating func update(_ piece: [UInt8]) {
        piece.withUnsafeBytes { update($0) }
    }

    package consuming func finish() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Self.digestBytes)
        let status = crypto_generichash_final(state, &digest, Self.digestBytes)
        precondition(status == 0, "BLAKE2b fails only if a length is wrong")
        return digest
    }

    /// Computes the message authentication code of all added bytes, and compares it with `authenticator` in constant
    /// time.
    package consuming func isEqual(to authenticator: [UInt8]) -> Bool {
        ConstantTime.areEqual(finish(), authenticator)
    }
}

/// A digest of content that arrives in pieces: BLAKE2b (RFC 7693) without a key, 32 bytes. It identifies content but
/// does not keep it secret.
///
/// https://doc.libsodium.org/hashing/generic_hashing#multi-part-example-with-a-key
package struct ContentDigest: ~Copyable, @unchecked Sendable {
    // @unchecked because the memory belongs to this value alone, which cannot be copied.
    package static let digestBytes = Blake2b.digestBytes

    private let memory: UnsafeMutableRawPointer

    private var state: OpaquePointer { OpaquePointer(memory) }

    package init() {
        memory = .allocate(byteCount: crypto_generichash_statebytes(), alignment: 64)
        let status = crypto_generichash_init(OpaquePointer(memory), nil, 0, Self.digestBytes)
        precondition(status == 0, "BLAKE2b fails only if a length is wrong")
    }

    deinit {
        memory.deallocate()
    }

    package mutating func update(_ piece: [UInt8]) {
        piece.withUnsafeBytes { update($0) }
    }

    package mutating func update(_ piece: UnsafeRawBufferPointer) {
        guard let base = piece.baseAddress else { return }
        let status = crypto_generichash_update(
            state, base.assumingMemoryBound(to: UInt8.self), UInt64(piece.count))
        precondition(status == 0, "BLAKE2b fails only if a length is wrong")
    }

    package consuming func finish() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Self.digestBytes)
        let status = crypto_generichash_final(state, &digest, Self.digestBytes)
        precondition(status == 0, "BLAKE2b fails only if a length is wrong")
        return digest
    }
}

enum ConstantTime {
    /// Returns true if both arrays are equal. The time depends only on their lengths.
    ///
    /// https://doc.libsodium.org/helpers#constant-time-test-for-equality
    static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && sodium_memcmp(left, right, left.count) == 0
    }
}
