internal import Logging
internal import NIOCore
internal import StoreBasics
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
    /// What its answer may hold.
    let answerScope: AnswerScope
    let ticket: RequestOrdering<PendingRequest>.Ticket
    /// When the request was received, of `MonotonicClock`.
    let receivedAt: UInt64
    /// A waiting read of a log is answered, and not another request that names its id.
    private(set) var isLogWait = false

    var ofLogWait: RequestContext {
        var context = self
        context.isLogWait = true
        return context
    }
}

/// A request that has been parsed and may have to wait.
struct PendingRequest: Sendable {
    let id: UInt64
    let kind: CallKind
    let command: Command
    let answerScope: AnswerScope
    let idempotencyKey: IdempotencyKey?
    /// Of `MonotonicClock`; nil: none.
    let deadline: UInt64?
    let receivedAt: UInt64
    let bytes: Int

    /// A read that waits must not hold up what comes after it.
    var order: CallOrder {
        if case .waitForLog = command { .free } else { kind.rule.order }
    }
}

/// What another thread has for an event loop.
enum Delivery: Sendable {
    /// The last answer to a request.
    case answer(RequestContext, Answer)
    /// A mutation is on disk, or was refused.
    case committed(RequestContext, Result<MutationResult, StoreError>)
    /// The last answer, encoded already. `reservedBytes` are given back to the memory budget when it is written.
    case frame(RequestContext, ByteBuffer, reservedBytes: Int)
    /// The last answer, which holds a secret: wiped after the write.
    case secretFrame(RequestContext, ByteBuffer)
    /// An answer with more to come.
    case progress(RequestContext, done: UInt64, total: UInt64)
    /// For every watcher of the loop.
    case commit([Change])
    case watchPage(ConnectionID, WatchIdentity, Result<ChangePage, RequestFailure>)
    /// A waiting read of a log found nothing.
    case logCaughtUp(RequestContext, LogPage)
    /// For every waiting read of the loop: something happened to these logs; nil: to any.
    case logsTouched([LogName]?)
    case endWatches(RequestFailure)
    /// New rules and verbosity, for every connection.
    case reload(AccessPolicy, Logger.Level)
    /// Answer what is in flight, then close.
    case finishAll
    case closeAll
}

/// Carries deliveries from any thread to one event loop: however many arrive before it looks, the loop is woken once.
/// Between `cork` and `uncork` it is not woken at all, so that a burst becomes one.
final class Outbox: Sendable {
    private struct State {
        var deliveries: [Delivery] = []
        var isDrainScheduled = false
        var corkCount = 0
        var isClosed = false
    }

    private let state = Mutex(State())
    private let eventLoop: any EventLoop
    private let drain: @Sendable ([Delivery]) -> Void

    /// - Parameter drain: called on the event loop.
    init(eventLoop: any EventLoop, drain: @escaping @Sendable ([Delivery]) -> Void) {
        self.eventLoop = eventLoop
        self.drain = drain
    }

    func post(_ delivery: Delivery) {
        let isTaken = state.withLock { state in
            guard !state.isClosed else {
                return false
            }
            state.deliveries.append(delivery)
            scheduleDrain(&state)
            return true
        }
        if !isTaken {
            delivery.discard()
        }
    }

    /// A burst begins.
    func cork() {
        state.withLock { $0.corkCount += 1 }
    }

    /// The burst is over.
    func uncork() {
        state.withLock { state in
            state.corkCount -= 1
            scheduleDrain(&state)
        }
    }

    /// Under the lock, so that an event loop is never woken after `close`.
    private func scheduleDrain(_ state: inout State) {
        guard state.corkCount == 0, !state.deliveries.isEmpty, !state.isDrainScheduled, !state.isClosed else { return }
        state.isDrainScheduled = true
        eventLoop.execute { [self] in
            drain(takeAll())
        }
    }

    /// The event loop is about to end: whatever comes later is dropped.
    func close() {
        state.withLock { $0.isClosed = true }
        takeAll().forEach { $0.discard() }
    }

    private func takeAll() -> [Delivery] {
        state.withLock { state in
            let taken = state.deliveries
            state.isDrainScheduled = false
            state.deliveries = []
            return taken
        }
    }
}

extension Delivery {
    /// Nobody takes it: a secret in it is wiped.
    func discard() {
        if case .secretFrame(_, let buffer) = self {
            buffer.wipeInPlace()
        }
    }
}
