import CSodium
package import StoreBasics

/// Bytes that must not leak: guarded by inaccessible pages, locked into memory where the system allows it, left
/// out of core dumps, zeroed when this value ends.
///
/// The memory is `sodium_malloc`'s (https://doc.libsodium.org/memory_management). There is no description and no
/// way to make an array or a string of it; give the bytes to C inside `withUnsafeBytes`.
// @unchecked because the memory belongs to this value alone, which cannot be copied, and is written only by
// functions that have it exclusively.
package struct SecretBytes: ~Copyable, @unchecked Sendable {
    private let memory: UnsafeMutableRawPointer
    package let count: Int

    /// `count` zero bytes.
    ///
    /// - Throws: `.memoryUnavailable`, `.sodiumUnavailable`.
    package init(count: Int) throws(CryptoError) {
        precondition(count >= 0, "the size of a secret must not be negative")
        try SodiumRuntime.start()
        guard let memory = sodium_malloc(count) else {
            throw CryptoError(.memoryUnavailable, "cannot allocate \(count) bytes of guarded memory")
        }
        // sodium_malloc fills with 0xdb so that reads before writes stand out.
        sodium_memzero(memory, count)
        self.memory = memory
        self.count = count
    }

    /// A copy of `source`. The caller wipes the source if it can.
    package init(copying source: UnsafeRawBufferPointer) throws(CryptoError) {
        try self.init(count: source.count)
        if let base = source.baseAddress, source.count > 0 {
            memory.copyMemory(from: base, byteCount: source.count)
        }
    }

    /// A copy of bytes that arrived in ordinary memory, such as a decoded request. The caller wipes that if it can.
    package init(copying source: some Collection<UInt8>) throws(CryptoError) {
        try self.init(count: source.count)
        UnsafeMutableRawBufferPointer(start: memory, count: count).copyBytes(from: source)
    }

    deinit {
        sodium_free(memory)
    }

    /// `count` bytes from libsodium's random generator (the kernel's getrandom).
    package static func random(count: Int) throws(CryptoError) -> SecretBytes {
        let secret = try SecretBytes(count: count)
        randombytes_buf(secret.memory, count)
        return secret
    }

    /// Lends the bytes. The pointer must not outlive `body`.
    package borrowing func withUnsafeBytes<R: ~Copyable, E: Error>(
        _ body: (UnsafeRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        try body(UnsafeRawBufferPointer(start: memory, count: count))
    }

    /// Lends the bytes for writing. The pointer must not outlive `body`.
    package mutating func withUnsafeMutableBytes<R: ~Copyable, E: Error>(
        _ body: (UnsafeMutableRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        try body(UnsafeMutableRawBufferPointer(start: memory, count: count))
    }
}

/// Carries a `SecretBytes`, which cannot be copied, across an escaping closure. One never taken is wiped at the end.
package typealias SecretBox = TakeOnce<SecretBytes>

extension SecretBytes {
    /// Lends the bytes to a C function that takes `const unsigned char *`.
    borrowing func withBytes<R: ~Copyable>(_ body: (UnsafePointer<UInt8>) -> R) -> R {
        withUnsafeBytes { buffer in body(buffer.byteBase) }
    }

    /// Lends the bytes to a C function that takes `const char *` with a length.
    borrowing func withCharacters<R: ~Copyable>(_ body: (UnsafePointer<CChar>) -> R) -> R {
        withBytes { bytes in body(UnsafeRawPointer(bytes).assumingMemoryBound(to: CChar.self)) }
    }

    /// Lends the bytes to a C function that takes `unsigned char *`.
    mutating func withMutableBytes<R: ~Copyable>(_ body: (UnsafeMutablePointer<UInt8>) -> R) -> R {
        withUnsafeMutableBytes { buffer in body(buffer.byteBase) }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate var byteBase: UnsafePointer<UInt8> {
        guard let baseAddress else { preconditionFailure("sodium_malloc must not return a null pointer") }
        return baseAddress.assumingMemoryBound(to: UInt8.self)
    }
}

extension UnsafeMutableRawBufferPointer {
    fileprivate var byteBase: UnsafeMutablePointer<UInt8> {
        guard let baseAddress else { preconditionFailure("sodium_malloc must not return a null pointer") }
        return baseAddress.assumingMemoryBound(to: UInt8.self)
    }
}
