import Glibc
import StoreBasics

/// Bytes in separate memory pages. The pages are locked in memory if the system allows it, excluded from core dumps,
/// and wiped before they are freed. The client links no cryptographic library, so it uses only mmap(2) and mlock(2).
struct LockedBytes: ~Copyable, @unchecked Sendable {
    // Sendable because only the owner of this non-copyable value can access the pages.

    let count: Int
    private let pages: UnsafeMutableRawBufferPointer

    /// Creates bytes that are zero.
    ///
    /// - Throws: `.inputOutputFailed` if the system gives no memory.
    init(count: Int) throws(StoreClientError) {
        precondition(count >= 0)
        let length = max(count, 1)
        let address = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let address, address != MAP_FAILED else {
            throw StoreClientError("there is no memory for a secret", SystemError.last)
        }
        // Locking fails with a small RLIMIT_MEMLOCK. The secret is then still short-lived and wiped.
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
