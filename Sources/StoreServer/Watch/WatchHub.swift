internal import StoreEngine
internal import Synchronization

/// Hands every commit to the event loops that have watchers: once per loop, whatever the number of watchers.
final class WatchHub: Sendable {
    /// One loop's side: how many watchers it has and where its deliveries go.
    final class Subscription: Sendable {
        private let watcherCount = Atomic<Int>(0)
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

        var count: Int {
            watcherCount.load(ordering: .sequentiallyConsistent)
        }
    }

    private let subscriptions = Mutex<[Subscription]>([])
    private let observation = Mutex<CommitObservation?>(nil)

    func subscribe(_ outbox: Outbox) -> Subscription {
        let subscription = Subscription(outbox: outbox)
        subscriptions.withLock { $0.append(subscription) }
        return subscription
    }

    func start(_ engine: StoreEngine) {
        let observation = engine.observeCommits { [weak self] changes in
            self?.post(.commit(changes))
        }
        self.observation.withLock { $0 = observation }
    }

    func stop() {
        observation.withLock { $0.take() }?.cancel()
    }

    /// Ends every watch: the store they watch is no longer there.
    func endWatches(_ failure: RequestFailure) {
        post(.endWatches(failure))
    }

    var watcherCount: Int {
        subscriptions.withLock { $0.reduce(0) { $0 + $1.count } }
    }

    private func post(_ delivery: Delivery) {
        for subscription in subscriptions.withLock({ $0 }) where subscription.count > 0 {
            subscription.outbox.post(delivery)
        }
    }
}
