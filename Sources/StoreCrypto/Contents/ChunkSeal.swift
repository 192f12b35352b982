import CSodium
import StoreBasics

/// The identity of a chunk within its content. It is authenticated with the chunk, so that a chunk that was moved or
/// replaced by an older version does not open.
package struct ChunkPlace: Hashable, Sendable {
    /// The index of the chunk in the content.
    package var chunk: UInt64
    /// The generation of the write that stored the chunk. An older version of the chunk has another generation.
    package var generation: UInt64

    package init(chunk: UInt64, generation: UInt64) {
        self.chunk = chunk
        self.generation = generation
    }
}

/// Seals and opens the chunks of one content in place. A sealed chunk consists of a nonce, the ciphertext, which is as
/// long as the plaintext, and an authenticator. docs/decisions/2026-11-22-vault-contents.md describes the format.
package struct ChunkSeal: ~Copyable, Sendable {
    private typealias State = crypto_aead_aes256gcm_state

    package let cipher: ChunkCipher
    private let id: ContentID
    /// The cipher's key. For AES-256-GCM it is the state that libsodium precomputes from the key.
    private let key: SecretBytes
    /// The implementation of AES-256-GCM in OpenSSL; `nil` to use libsodium's.
    private let libcrypto: LibcryptoGCM?

    /// - Parameter usesLibcrypto: if true, uses OpenSSL's libcrypto if it is loaded; the sealed bytes are the same.
    /// - Throws: `.cipherUnavailable` if the machine does not support the content's cipher, `.memoryUnavailable`,
    ///   `.sodiumUnavailable`.
    package init(
        _ cipher: ChunkCipher, of id: ContentID, under contentKey: borrowing ContentKey, usesLibcrypto: Bool = true
    ) throws(CryptoError) {
        try SodiumRuntime.start()
        guard cipher.isAvailable else {
            throw CryptoError(
                .cipherUnavailable,
                """
                the content is sealed with AES-256-GCM, but this processor has no AES instructions; read it on \
                another machine
                """)
        }
        let libcrypto = cipher == .aes256GCM && usesLibcrypto ? LibcryptoGCM.loaded : nil
        key = try Self.key(of: cipher, contentKey, isExpanded: libcrypto == nil)
        self.libcrypto = libcrypto
        self.cipher = cipher
        self.id = id
    }

    private static func key(
        of cipher: ChunkCipher, _ contentKey: borrowing ContentKey, isExpanded: Bool
    ) throws(CryptoError) -> SecretBytes {
        switch cipher {
        case .aes256GCM where isExpanded: try expanded(contentKey.chunkKey())
        case .aes256GCM, .xchacha20Poly1305: try contentKey.chunkKey()
        }
    }

    /// Returns libsodium's precomputed state for the key. Its size is a multiple of 16 bytes, so that it is aligned in
    /// guarded memory, which ends at a page boundary.
    private static func expanded(_ chunkKey: borrowing SecretBytes) throws(CryptoError) -> SecretBytes {
        var state = try SecretBytes(count: crypto_aead_aes256gcm_statebytes())
        let status = state.withMutableBytes { state in
            chunkKey.withBytes { crypto_aead_aes256gcm_beforenm(UnsafeMutablePointer(mutating: Self.state(state)), $0) }
        }
        precondition(status == 0, "any 32 bytes are a valid key of AES-256")
        return state
    }

    private static func state(_ key: UnsafePointer<UInt8>) -> UnsafePointer<State> {
        UnsafeRawPointer(key).assumingMemoryBound(to: State.self)
    }

    /// Seals a chunk in place.
    ///
    /// - Parameter sealed: a buffer of `cipher.overheadBytes` more than the plaintext, with the plaintext at
    ///   `plaintextRange`.
    package borrowing func seal(_ sealed: UnsafeMutableRawBufferPointer, at place: ChunkPlace) {
        let parts = parts(of: sealed)
        randombytes_buf(parts.nonce, cipher.nonceBytes)
        let status = withAssociatedData(place, plaintextBytes: parts.plaintextBytes) { data in
            key.withBytes { key in
                switch cipher {
                case .aes256GCM:
                    sealByGCM(parts, data, key)
                case .xchacha20Poly1305:
                    crypto_aead_xchacha20poly1305_ietf_encrypt_detached(
                        parts.plaintext, parts.authenticator, nil, parts.plaintext, UInt64(parts.plaintextBytes),
                        data.baseAddress, UInt64(data.count), nil, parts.nonce, key)
                }
            }
        }
        precondition(status == 0, "a chunk must not be too long to be sealed")
    }

    /// Decrypts a chunk in place. Its plaintext is at `plaintextRange` afterwards.
    ///
    /// - Returns: false if the bytes were not sealed for this place. The content of the buffer must not be used then.
    package borrowing func open(_ sealed: UnsafeMutableRawBufferPointer, at place: ChunkPlace) -> Bool {
        guard sealed.count >= cipher.overheadBytes else { return false }
        let parts = parts(of: sealed)
        return open(parts, into: parts.plaintext, at: place)
    }

    /// Decrypts a chunk into other memory, and leaves the sealed bytes unchanged.
    ///
    /// - Parameter plaintext: memory of the plaintext's size outside `sealed`.
    /// - Returns: false if the bytes were not sealed for this place; `plaintext` contains zeros then.
    package borrowing func open(
        _ sealed: UnsafeMutableRawBufferPointer, into plaintext: UnsafeMutableRawBufferPointer, at place: ChunkPlace
    ) -> Bool {
        precondition(sealed.count == plaintext.count + cipher.overheadBytes, "the buffer must have the chunk's size")
        guard let start = plaintext.bindMemory(to: UInt8.self).baseAddress else { return false }
        return open(parts(of: sealed), into: start, at: place)
    }

    private borrowing func open(
        _ parts: Parts, into plaintext: UnsafeMutablePointer<UInt8>, at place: ChunkPlace
    ) -> Bool {
        let status = withAssociatedData(place, plaintextBytes: parts.plaintextBytes) { data in
            key.withBytes { key in
                switch cipher {
                case .aes256GCM:
                    openByGCM(parts, into: plaintext, data, key)
                case .xchacha20Poly1305:
                    crypto_aead_xchacha20poly1305_ietf_decrypt_detached(
                        plaintext, nil, parts.plaintext, UInt64(parts.plaintextBytes), parts.authenticator,
                        data.baseAddress, UInt64(data.count), parts.nonce, key)
                }
            }
        }
        return status == 0
    }

    private borrowing func sealByGCM(
        _ parts: Parts, _ data: UnsafeBufferPointer<UInt8>, _ key: UnsafePointer<UInt8>
    ) -> Int32 {
        guard let libcrypto else {
            return crypto_aead_aes256gcm_encrypt_detached_afternm(
                parts.plaintext, parts.authenticator, nil, parts.plaintext, UInt64(parts.plaintextBytes),
                data.baseAddress, UInt64(data.count), nil, parts.nonce, Self.state(key))
        }
        let isSealed = libcrypto.seal(parts.chunk(key, data, into: parts.plaintext))
        // Stop the process, because the buffer may contain a mixture of plaintext and ciphertext.
        precondition(isSealed, "libcrypto cannot seal a chunk: there is no memory")
        return 0
    }

    private borrowing func openByGCM(
        _ parts: Parts, into plaintext: UnsafeMutablePointer<UInt8>, _ data: UnsafeBufferPointer<UInt8>,
        _ key: UnsafePointer<UInt8>
    ) -> Int32 {
        guard let libcrypto else {
            return crypto_aead_aes256gcm_decrypt_detached_afternm(
                plaintext, nil, parts.plaintext, UInt64(parts.plaintextBytes), parts.authenticator, data.baseAddress,
                UInt64(data.count), parts.nonce, Self.state(key))
        }
        let opening = libcrypto.open(parts.chunk(key, data, into: plaintext))
        precondition(opening != .failed, "libcrypto cannot open a chunk: there is no memory")
        guard opening == .opened else {
            plaintext.update(repeating: 0, count: parts.plaintextBytes)
            return -1
        }
        return 0
    }

    /// Returns the range of the plaintext within a sealed chunk: between the nonce and the authenticator.
    package func plaintextRange(sealedBytes: Int) -> Range<Int> {
        precondition(sealedBytes >= cipher.overheadBytes, "a sealed chunk must have a nonce and an authenticator")
        return cipher.nonceBytes..<(sealedBytes - ChunkCipher.authenticatorBytes)
    }

    private struct Parts {
        let nonce: UnsafeMutablePointer<UInt8>
        let plaintext: UnsafeMutablePointer<UInt8>
        let plaintextBytes: Int
        let authenticator: UnsafeMutablePointer<UInt8>

        func chunk(
            _ key: UnsafePointer<UInt8>, _ data: UnsafeBufferPointer<UInt8>, into output: UnsafeMutablePointer<UInt8>
        ) -> LibcryptoGCM.Chunk {
            LibcryptoGCM.Chunk(
                key: key, nonce: nonce, associatedData: data, input: plaintext, output: output, count: plaintextBytes,
                authenticator: authenticator)
        }
    }

    private func parts(of sealed: UnsafeMutableRawBufferPointer) -> Parts {
        let range = plaintextRange(sealedBytes: sealed.count)
        guard let base = sealed.bindMemory(to: UInt8.self).baseAddress else {
            preconditionFailure("a sealed chunk must not be empty")
        }
        return Parts(
            nonce: base, plaintext: base + range.lowerBound, plaintextBytes: range.count,
            authenticator: base + range.upperBound)
    }

    /// Lends the associated data of a chunk to `body`: content id, chunk, generation and length of the plaintext, with
    /// little-endian numbers.
    private func withAssociatedData<R>(
        _ place: ChunkPlace, plaintextBytes: Int, _ body: (UnsafeBufferPointer<UInt8>) -> R
    ) -> R {
        withUnsafeTemporaryAllocation(byteCount: ContentID.byteCount + 24, alignment: 8) { buffer in
            buffer.copyBytes(from: id.bytes)
            let numbers = ContentID.byteCount
            buffer.storeBytes(of: place.chunk.littleEndian, toByteOffset: numbers, as: UInt64.self)
            buffer.storeBytes(of: place.generation.littleEndian, toByteOffset: numbers + 8, as: UInt64.self)
            buffer.storeBytes(of: UInt64(plaintextBytes).littleEndian, toByteOffset: numbers + 16, as: UInt64.self)
            return body(UnsafeBufferPointer(buffer.bindMemory(to: UInt8.self)))
        }
    }
}
