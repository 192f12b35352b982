import CSodium

/// A digest of content that comes in pieces: BLAKE2b (RFC 7693) without a key, 32 bytes. Tells contents apart; keeps
/// none of them secret.
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
        precondition(status == 0, "BLAKE2b refuses nothing but wrong counts")
    }

    deinit {
        memory.deallocate()
    }

    package mutating func update(_ piece: [UInt8]) {
        let status = crypto_generichash_update(state, piece, UInt64(piece.count))
        precondition(status == 0, "BLAKE2b refuses nothing but wrong counts")
    }

    package consuming func finish() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Self.digestBytes)
        let status = crypto_generichash_final(state, &digest, Self.digestBytes)
        precondition(status == 0, "BLAKE2b refuses nothing but wrong counts")
        return digest
    }
}
