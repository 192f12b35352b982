import CWipedMemory
import ServiceLifecycle

/// Returns freed memory to the system, some seconds after large requests and responses. Until then the allocator keeps
/// the memory for the next request, because an answer of one MiB takes twice as long if the kernel has to provide new
/// pages.
struct FreedMemory: Service {
    /// The pause. Memory is given back when no large block was freed for this time.
    static let quietInterval = Duration.seconds(2)
    /// The pause while nothing is to be given back, so that an idle daemon wakes up seldom.
    private static let idleInterval = Duration.seconds(10)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var released = ghost_large_blocks_freed()
            var before = released
            while (try? await Task.sleep(for: before == released ? Self.idleInterval : Self.quietInterval)) != nil {
                let freed = ghost_large_blocks_freed()
                if freed == before, freed != released {
                    ProcessSettings.releaseFreedPages()
                    released = freed
                }
                before = freed
            }
        }
    }
}
