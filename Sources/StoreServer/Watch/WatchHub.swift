import StoreEngine
import StoreProtocol
import Synchronization

/// Hands every commit to the event loops that have watchers: once per loop, whatever the number of watchers.
final class WatchHub: Sendable {
    /// One loop's side: how many watchers it has and where its deliveries go.
    final class Subscription: Sendable {
        private let watcherCount = Atomic<Int>(0)
        private let logWaitCount = Atomic<Int>(0)
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

        /// Call before the log is read for the first time, so that no append falls between.
        func logWaitBegan() {
            logWaitCount.add(1, ordering: .sequentiallyConsistent)
        }

        func logWaitEnded() {
            logWaitCount.subtract(1, ordering: .sequentiallyConsistent)
        }

        var count: Int {
            watcherCount.load(ordering: .sequentiallyConsistent)
        }

        fileprivate var hasLogWaits: Bool {
            logWaitCount.load(ordering: .sequentiallyConsistent) > 0
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
        }
        let appends = engine.observeAppends { [weak self] names in
            self?.noteLogs(names)
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
                .endWatches(RequestFailure(.storeLocked, "the store was locked; watch again after it is unlocked")))
        case .replaced(let history):
            post(.historyChanged(history))
        }
        noteLogs(nil)
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
        for subscription in subscriptions.withLock({ $0 }) where subscription.hasLogWaits {
            subscription.outbox.post(.news(.logs(names)))
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
