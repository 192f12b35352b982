import StoreBasics
import StoreEngine
import StoreProtocol

/// The identity of a connection within one event loop. It is never reused.
typealias ConnectionID = UInt64

/// A parsed request that may have to wait. It is an object because it is passed on about a dozen times.
final class PendingRequest: Sendable {
    let id: UInt64
    let kind: CallKind
    let command: Command
    let answerScope: AnswerScope
    let idempotencyKey: IdempotencyKey?
    /// The time on `MonotonicClock`; `nil` if the request has no deadline.
    let deadline: UInt64?
    /// The history that the request is about; a store with another history refuses it. `nil` accepts any history.
    let history: HistoryID?
    let receivedAt: UInt64
    /// The memory that the request takes from its decoding to its answer, as the memory budget counts it.
    let bytes: Int

    init(
        id: UInt64, kind: CallKind, command: Command, answerScope: AnswerScope, idempotencyKey: IdempotencyKey?,
        deadline: UInt64?, history: HistoryID?, receivedAt: UInt64, bytes: Int
    ) {
        self.id = id
        self.kind = kind
        self.command = command
        self.answerScope = answerScope
        self.idempotencyKey = idempotencyKey
        self.deadline = deadline
        self.history = history
        self.receivedAt = receivedAt
        self.bytes = bytes
    }

    /// The ordering class of the request. A waiting read must not delay later requests, so its order is `free`. A dry
    /// run of a write is a read.
    var order: CallOrder {
        switch command {
        case .wait: .free
        case .read where kind.rule.order == .write: .read
        default: kind.rule.order
        }
    }
}

/// A request that may run, with everything needed to answer it later on any thread.
struct RunningRequest: Sendable {
    let connection: ConnectionID
    let userID: UInt32
    let id: UInt64
    let kind: CallKind
    /// The data that the answer may contain.
    let answerScope: AnswerScope
    /// The history that the request is about; `nil` for any.
    let history: HistoryID?
    let ticket: RequestOrdering<PendingRequest>.Ticket
    /// The time on `MonotonicClock` at which the request was received.
    let receivedAt: UInt64
    /// True for a waiting read. When it is answered, it must be removed from the followers of its connection; another
    /// request with the same ID must not remove it.
    private(set) var isWaitingRead = false

    init(
        _ request: PendingRequest, of connection: ConnectionID, userID: UInt32,
        _ ticket: RequestOrdering<PendingRequest>.Ticket
    ) {
        self.connection = connection
        self.userID = userID
        id = request.id
        kind = request.kind
        answerScope = request.answerScope
        history = request.history
        self.ticket = ticket
        receivedAt = request.receivedAt
    }

    var ofWaitingRead: RunningRequest {
        var request = self
        request.isWaitingRead = true
        return request
    }
}
