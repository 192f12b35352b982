import Dispatch
import StoreEngine
import Synchronization

/// Runs work items one after the other, outside event loops and reader threads. Users and their connections take turns.
final class SerialWorkQueue<Work: Sendable>: Sendable {
    private let waiting: Mutex<FairQueue<Work>>
    private let queue: DispatchQueue
    private let perform: @Sendable (consuming Work) -> Void

    init(
        label: String, capacity: FairQueue<Work>.Capacity, turnCost: Int,
        perform: @escaping @Sendable (consuming Work) -> Void
    ) {
        waiting = Mutex(FairQueue(capacity: capacity, turnCost: turnCost))
        queue = DispatchQueue(label: label)
        self.perform = perform
    }

    /// Queues a work item. Returns false, and drops the item, if there is no room.
    func submit(_ work: Work, for owner: WorkOwner, cost: Int) -> Bool {
        let item = FairQueue<Work>.Item(work: work, owner: owner, cost: cost, byteCount: 0)
        guard waiting.withLock({ $0.append(item) }) else { return false }
        queue.async { [self] in
            if let work = waiting.withLock({ $0.next()?.work }) {
                perform(work)
            }
        }
        return true
    }
}
