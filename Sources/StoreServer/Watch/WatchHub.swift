import StoreBasics
import StoreEngine
import StoreProtocol
import Synchronization

/// Delivers every commit to the event loops that have watchers, once per loop, whatever the number of watchers.
final class WatchHub: Sendable {
    /// The subscription of one event loop: the number of its watchers and the outbox for its deliveries.
    final class Subscription: Sendable {
        private let watcherCount = Atomic<Int>(0)
        private let logReadCount = Atomic<Int>(0)
        private let replicationReadCount = Atomic<Int>(0)
        private let isReplicationAnnounced = Atomic<Bool>(false)
        fileprivate let outbox: Outbox

        fileprivate init(outbox: Outbox) {
            self.outbox = outbox
        }

        /// Counts a new watch. Call it before reading the current revision, so that no commit in between is missed.
        func watchBegan() {
            watcherCount.add(1, ordering: .sequentiallyConsistent)
        }

        func watchEnded() {
            watcherCount.subtract(1, ordering: .sequentiallyConsistent)
        }

        /// Counts a new waiting read. Call it before the first read of the subject, so that no event in between is
        /// missed.
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

        /// Records that the loop is about to read the messages for the replica group, so that later events are
        /// delivered again. Do not call it as soon as the event is delivered: the read may wait long for its turn, and
        /// each commit would wake the loop meanwhile.
        func replicationHeard() {
            isReplicationAnnounced.store(false, ordering: .sequentiallyConsistent)
        }

        var count: Int {
            watcherCount.load(ordering: .sequentiallyConsistent)
        }

        fileprivate var hasLogReads: Bool {
            logReadCount.load(ordering: .sequentiallyConsistent) > 0
        }

        /// Announces to the loop that there may be messages for the replica group. Does nothing if this was announced
        /// before and the loop has not called `replicationHeard` since.
        fileprivate func postReplication() {
            guard replicationReadCount.load(ordering: .sequentiallyConsistent) > 0,
                !isReplicationAnnounced.exchange(true, ordering: .sequentiallyConsistent)
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
            self?.deliverCommit(changes, of: engine)
            self?.announceRemovals(changes)
            // A commit without changes may come from work on the replica group itself, so it is not announced here: it
            // would wake the loop that did the work.
            if !changes.isEmpty {
                self?.announceReplication()
            }
        }
        let appends = engine.observeAppends { [weak self] news in
            self?.announceLogs(news.map(\.name))
            if news.contains(where: \.needsPublishing) {
                self?.announceReplication()
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

    /// Ends every watch and waiting read, because the store that they follow is closed.
    private func storeEnded(_ ending: StoreEnding) {
        switch ending {
        case .locked:
            post(
                .endWatches(StoreError(.storeLocked, "the store was locked; unlock it, then watch again")))
        case .replaced(let history):
            post(.historyChanged(history))
        }
        announceLogs(nil)
        announceReplication()
    }

    var watcherCount: Int {
        subscriptions.withLock { $0.reduce(0) { $0 + $1.count } }
    }

    /// Wakes the waiting reads of append logs if a log was deleted or the store was cleared, so that none waits for a
    /// log that no longer exists.
    private func announceRemovals(_ changes: [Change]) {
        if changes.contains(where: { $0.kind == .store || ($0.kind == .log && $0.operation == .deleted) }) {
            announceLogs(nil)
        }
    }

    private func announceLogs(_ names: [LogName]?) {
        for subscription in subscriptions.withLock({ $0 }) where subscription.hasLogReads {
            subscription.outbox.post(.news(.logs(names)))
        }
    }

    /// Announces that there may be messages for the store's replica group. May be called on any thread.
    func announceReplication() {
        for subscription in subscriptions.withLock({ $0 }) {
            subscription.postReplication()
        }
    }

    /// Delivers a commit. Called on the writer thread, where the history cannot change meanwhile.
    private func deliverCommit(_ changes: [Change], of engine: StoreEngine?) {
        guard watcherCount > 0, let history = (try? engine?.statistics())?.history else { return }
        post(.news(.commit(CommitNews(changes, of: history))))
    }

    private func post(_ delivery: Delivery) {
        for subscription in subscriptions.withLock({ $0 }) where subscription.count > 0 {
            subscription.outbox.post(delivery)
        }
    }
}
