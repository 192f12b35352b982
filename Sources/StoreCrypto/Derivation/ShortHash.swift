import CSodium

/// SipHash-2-4 (https://www.aumasson.jp/siphash/siphash.pdf): tells contents apart in 64 bits, at memory speed. Keeps
/// none of them secret: whoever knows the key can make two that share one.
///
/// https://doc.libsodium.org/hashing/short-input_hashing
package enum ShortHash {
    /// - Parameter domain: contents of two domains have nothing to do with each other.
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
