import Glibc
import StoreCrypto
import Testing

/// Root may lock memory whatever the limit says, so what is expected depends on who runs this.
@Suite struct MemoryLockTests {
    @Test func `lockable matches what mlock answers`() {
        let pageBytes = Int(getpagesize())
        let page = mmap(nil, pageBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        defer { munmap(page, pageBytes) }
        let isLocked = mlock(page, pageBytes) == 0
        #expect(SodiumRuntime.isMemoryLockable == isLocked)
    }
}
