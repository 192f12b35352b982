import StoreEngine

/// Runs long jobs on the whole store one after the other. Users take turns.
final class AdministrationQueue: Sendable {
    /// The number of jobs that may wait.
    static let jobsMax = 32

    private typealias Queue = SerialWorkQueue<@Sendable () -> Void>

    private let queue = Queue(label: "administration", capacity: .init(items: jobsMax), turnCost: 1) { $0() }
    private let urgentQueue = Queue(label: "administration.urgent", capacity: .init(), turnCost: 1) { $0() }

    /// Queues a job. Returns false, and drops the job, if too many are waiting.
    ///
    /// - Parameter isUrgent: True for a job that ends the running one instead of waiting for it. An urgent job always
    ///   finds room, so that the store can be locked even if many jobs wait. A connection requests only one lock at a
    ///   time, so there are few urgent jobs.
    func submit(for owner: WorkOwner, isUrgent: Bool = false, _ job: @escaping @Sendable () -> Void) -> Bool {
        (isUrgent ? urgentQueue : queue).submit(job, for: owner, cost: 1)
    }
}
