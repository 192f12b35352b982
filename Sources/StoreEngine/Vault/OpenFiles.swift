import StoreCrypto
import Synchronization

/// The files of contents that were read from last, open for all readers: an event loop, which opens none, reads from
/// those that others have opened. A locked store holds neither files nor keys.
final class OpenFiles: Sendable {
    private static let filesMax = 32

    private struct Held {
        /// Of the store that they are of.
        var generation: UInt64 = 0
        /// The one used last comes last.
        var files: [OpenContent] = []
    }

    private let held = Mutex(Held())
    private let presentGeneration: @Sendable () -> UInt64

    /// - Parameter generation: of the open store; it changes before `closeAll`, unless no reader runs until it has.
    init(generation: @escaping @Sendable () -> UInt64) {
        presentGeneration = generation
    }

    func find(_ id: ContentID, _ generation: UInt64) -> OpenContent? {
        held.withLock { held in
            guard held.generation == generation, let index = held.files.lastIndex(where: { $0.id == id }) else {
                return nil
            }
            let found = held.files.remove(at: index)
            held.files.append(found)
            return found
        }
    }

    /// - Parameter generation: of the store that its reader reads: one that is closed by now keeps nothing.
    func keep(_ content: OpenContent, _ generation: UInt64) {
        held.withLock { held in
            guard generation == presentGeneration() else { return }
            if held.generation != generation {
                held = Held(generation: generation)
            }
            held.files.removeAll { $0.id == content.id }
            if held.files.count == Self.filesMax {
                held.files.removeFirst()
            }
            held.files.append(content)
        }
    }

    /// What it failed to read may be another file's by now.
    func forget(_ content: OpenContent) {
        held.withLock { $0.files.removeAll { $0 === content } }
    }

    func closeAll() {
        held.withLock { $0.files = [] }
    }
}
