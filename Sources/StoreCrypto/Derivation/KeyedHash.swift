import CSodium

/// A message authentication code over bytes that come in pieces: BLAKE2b (RFC 7693) under a key, 32 bytes.
///
/// https://doc.libsodium.org/hashing/generic_hashing#multi-part-example-with-a-key
package struct KeyedHash: ~Copyable {
    package static let digestBytes = Blake2b.digestBytes

    private let state: OpaquePointer
    private let memory: UnsafeMutableRawPointer

    /// - Parameter key: 16 to 64 bytes.
    package init(key: borrowing SecretBytes) {
        precondition((16...64).contains(key.count), "a BLAKE2b key has 16 to 64 bytes")
        memory = .allocate(byteCount: crypto_generichash_statebytes(), alignment: 64)
        state = OpaquePointer(memory)
        let keyBytes = key.count
        let status = key.withBytes { crypto_generichash_init(state, $0, keyBytes, Self.digestBytes) }
        precondition(status == 0, "BLAKE2b refuses nothing but wrong counts")
    }

    deinit {
        // The state holds the key.
        sodium_memzero(memory, crypto_generichash_statebytes())
        memory.deallocate()
    }

    package mutating func update(_ piece: UnsafeRawBufferPointer) {
        guard let base = piece.baseAddress else { return }
        let status = crypto_generichash_update(
            state, base.assumingMemoryBound(to: UInt8.self), UInt64(piece.count))
        precondition(status == 0, "BLAKE2b refuses nothing but wrong counts")
    }

    package mutating func update(_ piece: [UInt8]) {
        piece.withUnsafeBytes { update($0) }
    }

    package consuming func finish() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Self.digestBytes)
        let status = crypto_generichash_final(state, &digest, Self.digestBytes)
        precondition(status == 0, "BLAKE2b refuses nothing but wrong counts")
        return digest
    }

    /// Compares in constant time.
    package consuming func isEqual(to authenticator: [UInt8]) -> Bool {
        ConstantTime.areEqual(finish(), authenticator)
    }
}
