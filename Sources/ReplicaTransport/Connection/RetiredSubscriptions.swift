import CNats
import Synchronization

/// Subscriptions that are no longer used but cannot be destroyed yet. In libnats up to 3.5, the reading thread holds no
/// reference to the subscription to which it adds a message (nats.c issue 637), so the thread may write to a
/// subscription that was just destroyed. Therefore a subscription is first removed from the connection. It is destroyed
/// after a later answer of the server, because the same thread reads that answer, after it has processed all earlier
/// messages.
final class RetiredSubscriptions: Sendable {
    /// @unchecked Sendable because libnats protects a subscription by a lock of its own, and each subscription is
    /// contained here once.
    struct Subscription: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    private let waiting = Mutex<[Subscription]>([])

    func add(_ subscription: Subscription) {
        waiting.withLock { $0.append(subscription) }
    }

    /// Destroys the subscriptions after an answer of the server. If no server answers, keeps them for the next call.
    func destroy(behindAnswerOf connection: OpaquePointer, within limit: Duration) {
        let retired = drain()
        guard !retired.isEmpty else { return }
        // Ignore the errors of this call: it fails for a subscription that the connection has already removed.
        for subscription in retired { natsSubscription_Unsubscribe(subscription.pointer) }
        guard natsConnection_FlushTimeout(connection, limit.milliseconds) == NATS_OK else {
            return waiting.withLock { $0 += retired }
        }
        for subscription in retired { natsSubscription_Destroy(subscription.pointer) }
    }

    /// Destroys all subscriptions. Only allowed after the connection was closed, when nothing reads from it any more.
    func destroyAll() {
        for subscription in drain() { natsSubscription_Destroy(subscription.pointer) }
    }

    private func drain() -> [Subscription] {
        waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }
}
