import StoreBasics
import StoreEngine
import StoreProtocol
import Synchronization

/// Hands every commit to the event loops that have watchers: once per loop, whatever the number of watchers.
final class WatchHub: Sendable {
    /// One loop's side: how many watchers it has and where its deliveries go.
    final class Subscription: Sendable {
        private let watcherCount = Atomic<Int>(0)
        private let logReadCount = Atomic<Int>(0)
        private let replicationReadCount = Atomic<Int>(0)
        private let isReplicationTold = Atomic<Bool>(false)
        fileprivate let outbox: Outbox

        fileprivate init(outbox: Outbox) {
            self.outbox = outbox
        }

        /// Call before the current revision is read, so that no commit falls between.
        func watchBegan() {
            watcherCount.add(1, ordering: .sequentiallyConsistent)
        }

        func watchEnded() {
            watcherCount.subtract(1, ordering: .sequentiallyConsistent)
        }

        /// Call before what it waits for is read for the first time, so that nothing falls between.
        func waitingReadBegan(_ subject: WaitSubject) {
            counter(subject) { $0.add(1, ordering: .sequentiallyConsistent) }
        }

        func waitingReadEnded(_ subject: WaitSubject) {
            counter(subject) { $0.subtract(1, ordering: .sequentiallyConsistent) }
        }

        private func counter(_ subject: WaitSubject, _ change: (borrowing Atomic<Int>) -> Void) {
            switch subject {
            case .log: change(logReadCount)
            case .replicaMessages: change(replicationReadCount)
            }
        }

        /// The loop is about to look at what there is to tell the store's group: what comes later is told again. Not
        /// when it is told, for a look may wait long for its turn, and each commit would wake the loop meanwhile.
        func replicationHeard() {
            isReplicationTold.store(false, ordering: .sequentiallyConsistent)
        }

        var count: Int {
            watcherCount.load(ordering: .sequentiallyConsistent)
        }

        fileprivate var hasLogReads: Bool {
            logReadCount.load(ordering: .sequentiallyConsistent) > 0
        }

        /// Once for all commits that the loop has not heard of yet.
        fileprivate func tellOfReplication() {
            guard replicationReadCount.load(ordering: .sequentiallyConsistent) > 0,
                !isReplicationTold.exchange(true, ordering: .sequentiallyConsistent)
            else { return }
            outbox.post(.news(.replication))
        }
    }

    private let subscriptions = Mutex<[Subscription]>([])
    private let observations = Mutex<[Observation]>([])

    func subscribe(_ outbox: Outbox) -> Subscription {
        let subscription = Subscription(outbox: outbox)
        subscriptions.withLock { $0.append(subscription) }
        return subscription
    }

    func start(_ engine: StoreEngine) {
        let observation = engine.observeCommits { [weak self, weak engine] changes in
            self?.tell(changes, of: engine)
            self?.noteRemovals(changes)
            // Work on the group that changes nothing else is not told here: it would wake who has just done it.
            if !changes.isEmpty {
                self?.noteReplication()
            }
        }
        let appends = engine.observeAppends { [weak self] news in
            self?.noteLogs(news.map(\.name))
            if news.contains(where: \.isToBeTold) {
                self?.noteReplication()
            }
        }
        let compactions = engine.observeCompactions { [weak self, weak engine] revisions in
            guard let revision = revisions.last, let history = (try? engine?.statistics())?.history else { return }
            self?.post(.compacted(throughRevision: revision, of: history))
        }
        let endings = engine.observeEndings { [weak self] ending in
            self?.storeEnded(ending)
        }
        observations.withLock { $0 = [observation, appends, compactions, endings] }
    }

    func stop() {
        observations.withLock { observations in
            observations.forEach { $0.cancel() }
            observations = []
        }
    }

    /// Ends every watch and waiting read: the store they follow is no longer there.
    private func storeEnded(_ ending: StoreEnding) {
        switch ending {
        case .locked:
            post(
                .endWatches(StoreError(.storeLocked, "the store was locked; unlock it, then watch again")))
        case .replaced(let history):
            post(.historyChanged(history))
        }
        noteLogs(nil)
        noteReplication()
    }

    var watcherCount: Int {
        subscriptions.withLock { $0.reduce(0) { $0 + $1.count } }
    }

    /// A log that is gone must not be waited for.
    private func noteRemovals(_ changes: [Change]) {
        if changes.contains(where: { $0.kind == .store || ($0.kind == .log && $0.operation == .deleted) }) {
            noteLogs(nil)
        }
    }

    private func noteLogs(_ names: [LogName]?) {
        for subscription in subscriptions.withLock({ $0 }) where subscription.hasLogReads {
            subscription.outbox.post(.news(.logs(names)))
        }
    }

    /// There may be something to tell the store's group. Any thread.
    func noteReplication() {
        for subscription in subscriptions.withLock({ $0 }) {
            subscription.tellOfReplication()
        }
    }

    /// On the writer's thread, where the history stays what it is.
    private func tell(_ changes: [Change], of engine: StoreEngine?) {
        guard watcherCount > 0, let history = (try? engine?.statistics())?.history else { return }
        post(.news(.commit(CommitNews(changes, of: history))))
    }

    private func post(_ delivery: Delivery) {
        for subscription in subscriptions.withLock({ $0 }) where subscription.count > 0 {
            subscription.outbox.post(delivery)
        }
    }
}
