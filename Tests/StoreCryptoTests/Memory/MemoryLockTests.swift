import Glibc
import StoreCrypto
import Testing

/// Root may lock memory beyond the limit, so the expected results depend on the user that runs the tests.
@Suite struct MemoryLockTests {
    @Test func `isMemoryLockable is true if mlock succeeds`() {
        let pageBytes = Int(getpagesize())
        let page = mmap(nil, pageBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        defer { munmap(page, pageBytes) }
        let isLocked = mlock(page, pageBytes) == 0
        #expect(SodiumRuntime.isMemoryLockable == isLocked)
    }
}
