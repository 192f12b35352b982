import StoreBasics
import StoreEngine
import StoreProtocol

/// Names a connection of one event loop; never reused.
typealias ConnectionID = UInt64

/// A request that has been parsed and may have to wait. An object, since on its way it is handed on a dozen times.
final class PendingRequest: Sendable {
    let id: UInt64
    let kind: CallKind
    let command: Command
    let answerScope: AnswerScope
    let idempotencyKey: IdempotencyKey?
    /// Of `MonotonicClock`; `nil`: none.
    let deadline: UInt64?
    /// The history that it is about: another one refuses it; `nil`: any.
    let history: HistoryID?
    let receivedAt: UInt64
    /// What it takes from its decoding to its answer, as the memory budget counts it.
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

    /// A read that waits must not hold up what comes after it. A dry run of a write is a read.
    var order: CallOrder {
        switch command {
        case .wait: .free
        case .read where kind.rule.order == .write: .read
        default: kind.rule.order
        }
    }
}

/// A request whose turn has come: what is needed to answer it later, wherever its work is done.
struct RunningRequest: Sendable {
    let connection: ConnectionID
    let userID: UInt32
    let id: UInt64
    let kind: CallKind
    /// What its answer may hold.
    let answerScope: AnswerScope
    /// The history that it is about; `nil`: any.
    let history: HistoryID?
    let ticket: RequestOrdering<PendingRequest>.Ticket
    /// When the request was received, of `MonotonicClock`.
    let receivedAt: UInt64
    /// A waiting read is answered, and not another request that names its id.
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
