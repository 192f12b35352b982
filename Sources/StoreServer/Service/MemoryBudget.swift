import Synchronization

/// Bounds the memory that large requests and answers of all connections hold together. Small ones are bounded by the
/// number of connections and are not counted.
final class MemoryBudget: Sendable {
    /// Requests and answers above this size are counted.
    static let countedBytesMin = 64 << 10
    /// Bytes all of them may hold together.
    static let bytesMaxDefault = 256 << 20

    private let bytesMax: Int
    private let used = Atomic<Int>(0)

    init(bytesMax: Int = MemoryBudget.bytesMaxDefault) {
        self.bytesMax = bytesMax
    }

    /// False when there is no room.
    func reserve(_ bytes: Int) -> Bool {
        guard used.add(bytes, ordering: .relaxed).newValue <= bytesMax else {
            used.subtract(bytes, ordering: .relaxed)
            return false
        }
        return true
    }

    func release(_ bytes: Int) {
        used.subtract(bytes, ordering: .relaxed)
    }

    var usedBytes: Int {
        used.load(ordering: .relaxed)
    }
}
