import CSodium
package import StoreBasics

/// Secret bytes in guarded memory: between inaccessible pages, locked into RAM where the system allows it, excluded
/// from core dumps, and zeroed when this value ends.
///
/// The memory comes from `sodium_malloc` (https://doc.libsodium.org/memory_management). The type has no description and
/// no conversion to an array or a string; pass the bytes to C inside `withUnsafeBytes`.
// @unchecked because the memory belongs to this value alone, which cannot be copied, and only functions with exclusive
// access write to it.
package struct SecretBytes: ~Copyable, @unchecked Sendable {
    private let memory: UnsafeMutableRawPointer
    package let count: Int

    /// Creates a secret of `count` zero bytes.
    ///
    /// - Throws: `.memoryUnavailable`, `.sodiumUnavailable`.
    package init(count: Int) throws(CryptoError) {
        precondition(count >= 0, "the size of a secret must not be negative")
        try SodiumRuntime.start()
        guard let memory = sodium_malloc(count) else {
            throw CryptoError(.memoryUnavailable, "cannot allocate \(count) bytes of guarded memory")
        }
        // sodium_malloc fills the memory with 0xdb to make reads of uninitialized memory visible.
        sodium_memzero(memory, count)
        self.memory = memory
        self.count = count
    }

    /// Copies `source`. The caller should wipe the source.
    package init(copying source: UnsafeRawBufferPointer) throws(CryptoError) {
        try self.init(count: source.count)
        if let base = source.baseAddress, source.count > 0 {
            memory.copyMemory(from: base, byteCount: source.count)
        }
    }

    /// Copies bytes that arrived in ordinary memory, for example in a decoded request. The caller should wipe the
    /// source.
    package init(copying source: some Collection<UInt8>) throws(CryptoError) {
        try self.init(count: source.count)
        UnsafeMutableRawBufferPointer(start: memory, count: count).copyBytes(from: source)
    }

    deinit {
        sodium_free(memory)
    }

    /// Returns `count` bytes from libsodium's random generator (the kernel's getrandom).
    package static func random(count: Int) throws(CryptoError) -> SecretBytes {
        let secret = try SecretBytes(count: count)
        randombytes_buf(secret.memory, count)
        return secret
    }

    /// Lends the bytes to `body`. The pointer must not outlive `body`.
    package borrowing func withUnsafeBytes<R: ~Copyable, E: Error>(
        _ body: (UnsafeRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        try body(UnsafeRawBufferPointer(start: memory, count: count))
    }

    /// Lends the bytes to `body` for writing. The pointer must not outlive `body`.
    package mutating func withUnsafeMutableBytes<R: ~Copyable, E: Error>(
        _ body: (UnsafeMutableRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        try body(UnsafeMutableRawBufferPointer(start: memory, count: count))
    }
}

/// A container that carries a `SecretBytes`, which cannot be copied, into an escaping closure. A secret that is never
/// taken out is wiped when the container ends.
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
