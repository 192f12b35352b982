import StoreCrypto
import Synchronization

/// The most recently read vault files, kept open for all readers. An event loop opens no files itself and reads only
/// from these. While the store is locked, neither files nor keys are kept.
final class OpenFiles: Sendable {
    private static let filesMax = 32

    private struct Held {
        /// The generation of the open store in which the files were opened.
        var generation: UInt64 = 0
        /// The files in the order of their last use, the most recent last.
        var files: [OpenContent] = []
    }

    private let held = Mutex(Held())
    private let presentGeneration: @Sendable () -> UInt64

    /// - Parameter generation: returns the generation of the open store. If readers may be running, the caller changes
    ///   the generation before it calls `closeAll`, so that they cannot keep further files.
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

    /// Keeps a file open.
    ///
    /// - Parameter generation: the generation of the store that the reader uses. If it is no longer current, the file
    ///   is not kept.
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

    /// Stops keeping a file after a failed read, because another file may have replaced it.
    func forget(_ content: OpenContent) {
        held.withLock { $0.files.removeAll { $0 === content } }
    }

    func closeAll() {
        held.withLock { $0.files = [] }
    }
}
