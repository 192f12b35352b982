import CNats
import Synchronization

/// Subscriptions that nobody uses any more and that cannot be destroyed yet. libnats up to 3.5 has no reference to a
/// subscription into which its reading thread puts a message (nats.c issue 637), so one that is destroyed at once may
/// be written to afterwards. So it is taken off the connection, and destroyed behind an answer of the server, which
/// the same thread reads: by then it is done with what came before.
final class RetiredSubscriptions: Sendable {
    /// Sendable, because libnats guards a subscription by a lock of its own, and each is in here once.
    struct Subscription: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    private let waiting = Mutex<[Subscription]>([])

    func add(_ subscription: Subscription) {
        waiting.withLock { $0.append(subscription) }
    }

    /// Destroys those that are there, or keeps them for the next time where no server answers.
    func destroy(behindAnswerOf connection: OpaquePointer, within limit: Duration) {
        let retired = take()
        guard !retired.isEmpty else { return }
        // One that the connection has let go of already says so.
        for subscription in retired { natsSubscription_Unsubscribe(subscription.pointer) }
        guard natsConnection_FlushTimeout(connection, limit.milliseconds) == NATS_OK else {
            return waiting.withLock { $0 += retired }
        }
        for subscription in retired { natsSubscription_Destroy(subscription.pointer) }
    }

    /// Only where the connection is closed: nothing reads from it any more.
    func destroyAll() {
        for subscription in take() { natsSubscription_Destroy(subscription.pointer) }
    }

    private func take() -> [Subscription] {
        waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }
}
