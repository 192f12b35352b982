import CSodium
import StoreBasics

/// Where a chunk belongs. All of it is sealed with the chunk, so that one in another place does not open.
package struct ChunkPlace: Hashable, Sendable {
    /// Counted from the start of the content.
    package var chunk: UInt64
    /// Of the write that the chunk is from: an older version of it has another.
    package var generation: UInt64

    package init(chunk: UInt64, generation: UInt64) {
        self.chunk = chunk
        self.generation = generation
    }
}

/// Seals and opens the chunks of one content, in place: a sealed chunk is a nonce, as many bytes as the plaintext has,
/// and an authenticator. docs/decisions/2026-11-22-vault-contents.md has the format.
package struct ChunkSeal: ~Copyable, Sendable {
    private typealias State = crypto_aead_aes256gcm_state

    package let cipher: ChunkCipher
    private let id: ContentID
    /// The cipher's key, or what libsodium's AES-256-GCM makes of it once for all chunks.
    private let key: SecretBytes
    /// Does AES-256-GCM where it is there.
    private let libcrypto: LibcryptoGCM?

    /// - Parameter usesLibcrypto: where it is there; what is sealed is the same.
    /// - Throws: `.cipherUnavailable` where the machine cannot do what the content was sealed with,
    ///   `.memoryUnavailable`, `.sodiumUnavailable`.
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

    /// The state is a multiple of 16 bytes, so that guarded memory, which ends with a page, is aligned for it.
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

    /// Seals what stands between the room for the nonce and the room for the authenticator.
    ///
    /// - Parameter sealed: `cipher.overheadBytes` more than the plaintext, which begins at `plaintextRange`.
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

    /// Puts the plaintext in the place of what was sealed, at `plaintextRange`.
    ///
    /// - Returns: false where this is not what was sealed for this place, and nothing of it is to be used.
    package borrowing func open(_ sealed: UnsafeMutableRawBufferPointer, at place: ChunkPlace) -> Bool {
        guard sealed.count >= cipher.overheadBytes else { return false }
        let parts = parts(of: sealed)
        return open(parts, into: parts.plaintext, at: place)
    }

    /// Puts the plaintext elsewhere, and leaves what was sealed.
    ///
    /// - Parameter plaintext: as many bytes as were sealed, none of them within `sealed`.
    /// - Returns: false where this is not what was sealed for this place; `plaintext` holds zeros then.
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
        // What it may have written to the plaintext's place cannot be told from plaintext.
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

    /// Where the plaintext of a sealed chunk stands.
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

    /// Content, chunk, generation and length of the plaintext: numbers are little-endian.
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
