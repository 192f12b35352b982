import CSodium

/// SipHash-2-4 (https://www.aumasson.jp/siphash/siphash.pdf): a 64-bit hash for comparing contents, at memory speed. It
/// protects nothing: the key is known, so an attacker can construct two contents with the same hash.
///
/// https://doc.libsodium.org/hashing/short-input_hashing
package enum ShortHash {
    /// Returns the hash of a content.
    ///
    /// - Parameter domain: the kind of content. Equal contents in different domains have different hashes.
    package static func of(_ content: UnsafeRawBufferPointer, domain: UInt64) -> UInt64 {
        let key = (domain.littleEndian, UInt64(0))
        var hash: UInt64 = 0
        withUnsafeBytes(of: key) { key in
            withUnsafeMutableBytes(of: &hash) { output in
                guard let key = key.baseAddress, let output = output.baseAddress else { return }
                crypto_shorthash(
                    output.assumingMemoryBound(to: UInt8.self),
                    content.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt64(content.count),
                    key.assumingMemoryBound(to: UInt8.self))
            }
        }
        return UInt64(littleEndian: hash)
    }
}
