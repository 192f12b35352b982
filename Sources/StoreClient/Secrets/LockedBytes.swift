import Glibc
import StoreBasics

/// Bytes in pages of their own: locked in memory where the system allows it, left out of core dumps, and wiped before
/// they are given back. The client links no cryptography, so this is mmap(2) and mlock(2) alone.
struct LockedBytes: ~Copyable, @unchecked Sendable {
    // Sendable because the one owner of this non-copyable value is the only one who can reach the pages.

    let count: Int
    private let pages: UnsafeMutableRawBufferPointer

    /// Zero-filled.
    /// - Throws: `.inputOutputFailed` when the system gives no memory.
    init(count: Int) throws(StoreClientError) {
        precondition(count >= 0)
        let length = max(count, 1)
        let address = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let address, address != MAP_FAILED else {
            throw StoreClientError("there is no memory for a secret", SystemError.last)
        }
        // Locking is refused under a tiny RLIMIT_MEMLOCK; the secret is short-lived and wiped all the same.
        _ = mlock(address, length)
        _ = madvise(address, length, MADV_DONTDUMP)
        self.count = count
        pages = UnsafeMutableRawBufferPointer(start: address, count: length)
    }

    init(copying source: UnsafeRawBufferPointer) throws(StoreClientError) {
        try self.init(count: source.count)
        pages.copyMemory(from: source)
    }

    deinit {
        pages.wipe()
        munmap(pages.baseAddress, pages.count)
    }

    borrowing func withUnsafeBytes<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(pages)[..<count]))
    }

    mutating func withUnsafeMutableBytes<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeMutableRawBufferPointer(rebasing: pages[..<count]))
    }
}
