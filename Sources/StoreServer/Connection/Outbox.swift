internal import Logging
internal import NIOCore
internal import StoreEngine
internal import StoreProtocol
internal import Synchronization

/// Names a connection of one event loop; never reused.
typealias ConnectionID = UInt64

/// What is needed to answer a request later, wherever its work is done.
struct RequestContext: Sendable {
    let connection: ConnectionID
    let requestID: UInt64
    let kind: CallKind
    let ticket: RequestOrdering<PendingRequest>.Ticket
    /// When the request was received, of `MonotonicClock`.
    let receivedAt: UInt64
}

/// A request that has been parsed and may have to wait.
struct PendingRequest: Sendable {
    let id: UInt64
    let kind: CallKind
    let command: Command
    let idempotencyKey: IdempotencyKey?
    /// Of `MonotonicClock`; nil: none.
    let deadline: UInt64?
    let receivedAt: UInt64
    let bytes: Int
}

/// What another thread has for an event loop.
enum Delivery: Sendable {
    /// The last answer to a request.
    case answer(RequestContext, Answer)
    /// A mutation is on disk, or was refused.
    case committed(RequestContext, Result<Receipt, StoreError>)
    /// The last answer, encoded already. `reservedBytes` are given back to the memory budget when it is written.
    case frame(RequestContext, ByteBuffer, reservedBytes: Int)
    /// The last answer, which holds a secret: wiped after the write.
    case secretFrame(RequestContext, ByteBuffer)
    /// An answer with more to come.
    case progress(RequestContext, done: UInt64, total: UInt64)
    /// For every watcher of the loop.
    case commit([Change])
    case watchPage(ConnectionID, watch: UInt64, Result<ChangePage, RequestFailure>)
    case endWatches(RequestFailure)
    /// New rules and verbosity, for every connection.
    case reload(AccessPolicy, Logger.Level)
    /// Answer what is in flight, then close.
    case finishAll
    case closeAll
}

/// Carries deliveries from any thread to one event loop: however many arrive in a burst, the loop is woken once.
final class Outbox: Sendable {
    private let deliveries = Mutex<[Delivery]>([])
    private let eventLoop: any EventLoop
    private let drain: @Sendable ([Delivery]) -> Void

    /// - Parameter drain: called on the event loop.
    init(eventLoop: any EventLoop, drain: @escaping @Sendable ([Delivery]) -> Void) {
        self.eventLoop = eventLoop
        self.drain = drain
    }

    func post(_ delivery: Delivery) {
        let mustWake = deliveries.withLock { deliveries in
            deliveries.append(delivery)
            return deliveries.count == 1
        }
        if mustWake {
            eventLoop.execute { [self] in
                drain(
                    deliveries.withLock { deliveries in
                        let taken = deliveries
                        deliveries = []
                        return taken
                    })
            }
        }
    }
}
