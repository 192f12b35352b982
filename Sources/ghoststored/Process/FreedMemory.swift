import CWipedMemory
import ServiceLifecycle

/// Gives memory back that large requests and answers had, once none came for a while. Until then the allocator keeps it
/// for the next: an answer of a mebibyte in pages that the kernel makes anew takes twice as long.
struct FreedMemory: Service {
    /// So long no large block was freed, and then it takes a moment.
    static let quietInterval = Duration.seconds(2)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var released = ghost_large_blocks_freed()
            var before = released
            while (try? await Task.sleep(for: Self.quietInterval)) != nil {
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
