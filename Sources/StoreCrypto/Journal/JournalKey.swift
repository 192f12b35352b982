import CSodium

/// The subkey of the master key from which the keys of the journal's segments are derived.
package struct JournalKey: ~Copyable, Sendable {
    private let bytes: SecretBytes

    init(bytes: consuming SecretBytes) {
        self.bytes = bytes
    }

    /// Returns random bytes for a segment's header. They make the key of every segment different.
    package static func salt(byteCount: Int) -> [UInt8] {
        var salt = [UInt8](repeating: 0, count: byteCount)
        randombytes_buf(&salt, byteCount)
        return salt
    }

    /// Derives the key of a segment from its header, which contains a random salt. Each header gives another key.
    ///
    /// - Throws: `.memoryUnavailable`.
    package borrowing func segmentKey(header: [UInt8]) throws(CryptoError) -> SegmentKey {
        var derived = try SecretBytes(count: SegmentKey.derivedBytes)
        let derivedBytes = derived.count
        let keyBytes = bytes.count
        let status = derived.withMutableBytes { output in
            bytes.withBytes { key in
                crypto_generichash(output, derivedBytes, header, UInt64(header.count), key, keyBytes)
            }
        }
        precondition(status == 0, "BLAKE2b fails only if a length is wrong")
        return SegmentKey(derived: derived)
    }
}

/// Seals and opens the records of one journal segment in place (XChaCha20-Poly1305 with a random nonce;
/// https://doc.libsodium.org/secret-key_cryptography/aead/chacha20-poly1305/xchacha20-poly1305_construction).
///
/// The 64 derived bytes consist of the key (32), the short key for marks (16), and the header's authenticator (16).
package struct SegmentKey: ~Copyable, Sendable {
    package static let nonceBytes = 24
    package static let tagBytes = 16
    package static let authenticatorBytes = 16
    static let derivedBytes = 64
    private static let shortKeyOffset = 32
    private static let authenticatorOffset = 48

    private let derived: SecretBytes

    init(derived: consuming SecretBytes) {
        self.derived = derived
    }

    /// The authenticator that follows the header on the disk.
    package var headerAuthenticator: [UInt8] {
        derived.withBytes {
            Array(UnsafeBufferPointer(start: $0 + Self.authenticatorOffset, count: Self.authenticatorBytes))
        }
    }

    /// Returns true if the bytes are the header's authenticator. Compares in constant time.
    package borrowing func isAuthenticator(_ bytes: [UInt8]) -> Bool {
        ConstantTime.areEqual(headerAuthenticator, bytes)
    }

    /// Seals a record in place. The record has three parts: a head, the content, and room for the tag. The head ends
    /// with room for the nonce and is not encrypted. Every call chooses a new nonce, even for the same record.
    package borrowing func seal(_ record: UnsafeMutableRawBufferPointer, headBytes: Int) {
        let parts = Parts(record, headBytes: headBytes)
        randombytes_buf(parts.nonce, Self.nonceBytes)
        let status = derived.withBytes { key in
            crypto_aead_xchacha20poly1305_ietf_encrypt_detached(
                parts.content, parts.tag, nil, parts.content, parts.contentBytes, parts.head, parts.headBytes, nil,
                parts.nonce, key)
        }
        precondition(status == 0, "a record must not be too long to be sealed")
    }

    /// Decrypts the content of a record in place.
    ///
    /// - Returns: false if the record was not sealed with this key. The record is unchanged then.
    package borrowing func open(_ record: UnsafeMutableRawBufferPointer, headBytes: Int) -> Bool {
        guard record.count >= headBytes + Self.tagBytes else { return false }
        let parts = Parts(record, headBytes: headBytes)
        // Authenticate first without output, because libsodium overwrites the output with zeros on failure.
        return opens(parts, into: nil) && opens(parts, into: parts.content)
    }

    private borrowing func opens(_ parts: Parts, into content: UnsafeMutablePointer<UInt8>?) -> Bool {
        derived.withBytes { key in
            crypto_aead_xchacha20poly1305_ietf_decrypt_detached(
                content, nil, parts.content, parts.contentBytes, parts.tag, parts.head, parts.headBytes, parts.nonce,
                key) == 0
        }
    }

    /// Returns a short authenticator (SipHash-2-4) of two numbers, for the mark that is written after each record.
    package borrowing func shortAuthenticator(_ numbers: (UInt64, UInt64)) -> UInt64 {
        let message = (numbers.0.littleEndian, numbers.1.littleEndian)
        var hash: UInt64 = 0
        withUnsafeBytes(of: message) { message in
            withUnsafeMutableBytes(of: &hash) { output in
                derived.withBytes { key in
                    guard let message = message.bindMemory(to: UInt8.self).baseAddress,
                        let output = output.bindMemory(to: UInt8.self).baseAddress
                    else { return }
                    crypto_shorthash(output, message, 16, key + Self.shortKeyOffset)
                }
            }
        }
        return UInt64(littleEndian: hash)
    }

    private struct Parts {
        let head: UnsafeMutablePointer<UInt8>
        let headBytes: UInt64
        let nonce: UnsafeMutablePointer<UInt8>
        let content: UnsafeMutablePointer<UInt8>
        let contentBytes: UInt64
        let tag: UnsafeMutablePointer<UInt8>

        init(_ record: UnsafeMutableRawBufferPointer, headBytes: Int) {
            guard let base = record.bindMemory(to: UInt8.self).baseAddress else {
                preconditionFailure("a record must not be empty")
            }
            let nonceStart = headBytes - SegmentKey.nonceBytes
            precondition(
                nonceStart >= 0 && record.count >= headBytes + SegmentKey.tagBytes, "a record must have head and tag")
            head = base
            self.headBytes = UInt64(nonceStart)
            nonce = base + nonceStart
            content = base + headBytes
            contentBytes = UInt64(record.count - headBytes - SegmentKey.tagBytes)
            tag = base + (record.count - SegmentKey.tagBytes)
        }
    }
}
