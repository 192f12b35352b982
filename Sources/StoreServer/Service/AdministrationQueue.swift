import StoreEngine

/// Runs long work on the whole store one piece after the other, users in turn.
final class AdministrationQueue: Sendable {
    /// Pieces of work that may wait.
    static let jobsMax = 32

    private typealias Queue = SerialWorkQueue<@Sendable () -> Void>

    private let queue = Queue(label: "administration", capacity: .init(items: jobsMax), turnCost: 1) { $0() }
    private let urgentQueue = Queue(label: "administration.urgent", capacity: .init(), turnCost: 1) { $0() }

    /// False when too much is waiting; the job is then dropped.
    ///
    /// - Parameter isUrgent: the job ends what runs, and does not wait for it. There is always room for it: locking the
    ///   store is not refused because much else is waiting, and a connection asks for one at a time.
    func submit(for owner: WorkOwner, isUrgent: Bool = false, _ job: @escaping @Sendable () -> Void) -> Bool {
        (isUrgent ? urgentQueue : queue).submit(job, for: owner, cost: 1)
    }
}
