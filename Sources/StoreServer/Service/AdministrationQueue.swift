import Dispatch
import Synchronization

/// Runs long work on the whole store one piece after the other, away from event loops and reader threads.
final class AdministrationQueue: Sendable {
    /// Pieces of work that may wait or run.
    static let jobsMax = 32

    private let queue = DispatchQueue(label: "administration")
    private let urgentQueue = DispatchQueue(label: "administration.urgent")
    private let jobCount = Atomic<Int>(0)

    /// False when too much is waiting; the job is then dropped.
    ///
    /// - Parameter isUrgent: the job ends what runs, and does not wait for it. There is always room for it: locking the
    ///   store is not refused because much else is waiting, and a connection asks for one at a time.
    func submit(isUrgent: Bool = false, _ job: @escaping @Sendable () -> Void) -> Bool {
        guard !isUrgent else {
            urgentQueue.async(execute: job)
            return true
        }
        guard jobCount.add(1, ordering: .relaxed).newValue <= Self.jobsMax else {
            jobCount.subtract(1, ordering: .relaxed)
            return false
        }
        queue.async { [self] in
            job()
            jobCount.subtract(1, ordering: .relaxed)
        }
        return true
    }
}
