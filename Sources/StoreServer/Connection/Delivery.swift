import Logging
import NIOCore
import StoreBasics
import StoreEngine
import StoreProtocol

/// What another thread has for an event loop.
enum Delivery: Sendable {
    case request(RunningRequest, RequestDelivery)
    /// A large request, decoded.
    case decoded(DecodedRequest)
    /// A connection that waited for memory has it.
    case memoryGranted(MemoryAccount, bytes: Int)
    /// Answers that its peer leaves untaken fill its user's share: close it, unless they were taken meanwhile.
    case cut(ConnectionID)
    case watchPage(ConnectionID, WatchIdentity, Result<ChangePage, StoreError>)
    /// For the followers of the loop whom it concerns.
    case news(News)
    case endWatches(StoreError)
    /// The store has this history now: watches of another one end.
    case historyChanged(HistoryID)
    /// Changes were compacted: watches are told where they stand, so that none would resume before them.
    case compacted(throughRevision: UInt64, of: HistoryID)
    /// New rules and verbosity, for every connection.
    case reload(AccessPolicy, Logger.Level)
    /// Answer what is in flight, then close.
    case finishAll

    /// Nobody takes it: what it holds is given back, and a secret in it is wiped.
    func discard(_ budget: MemoryBudget) {
        switch self {
        case .request(let request, let delivery):
            delivery.discard(budget, userID: request.userID)
            // A waiting read was given back with its connection.
            if delivery.isLast, !request.isWaitingRead {
                budget.release(request.ticket.bytes, uid: request.userID)
            }
        case .decoded(let decoded): budget.release(decoded.bytes, uid: decoded.userID)
        case .memoryGranted(let account, let bytes): budget.release(bytes, uid: account.uid)
        case .cut, .watchPage, .news, .endWatches, .historyChanged, .compacted, .reload, .finishAll: break
        }
    }
}

/// What another thread has for one request.
enum RequestDelivery: Sendable {
    /// The last answer.
    case answer(Answer)
    /// A mutation is on disk, or was refused. It comes back so that its memory is freed where it was allocated: threads
    /// that free each other's wait for each other.
    case committed(Result<MutationResult, StoreError>, of: Mutation)
    /// The last answer, encoded already. `countedBytes` are given back to the memory budget when it is handed on.
    case frame(ByteBuffer, countedBytes: Int)
    /// The last answer, which holds a secret: wiped after the write.
    case secretFrame(ByteBuffer)
    /// An answer with more to come.
    case progress(done: UInt64, total: UInt64)
    /// A waiting read found nothing, which the answer says.
    case caughtUp(Answer)
    /// A read that waited on its event loop sees what was answered before it.
    case writesVisible(PendingRequest)

    /// Nothing else comes for the request from another thread.
    var isLast: Bool {
        switch self {
        case .answer, .committed, .frame, .secretFrame, .writesVisible: true
        case .progress, .caughtUp: false
        }
    }

    fileprivate func discard(_ budget: MemoryBudget, userID: UInt32) {
        switch self {
        case .frame(_, let countedBytes): budget.release(countedBytes, uid: userID)
        case .secretFrame(let frame): frame.wipeInPlace()
        case .answer, .committed, .progress, .caughtUp, .writesVisible: break
        }
    }

    /// The last answer, encoded on the thread that has it.
    static func encoded(_ answer: Answer, _ request: RunningRequest, _ server: ServerContext) -> RequestDelivery {
        switch server.encoder.frame(answer, ResponseHead(id: request.id)) {
        case .success(let frame): encoded(frame, request, server)
        case .failure(let failure): .answer(.failure(failure))
        }
    }

    /// An encoded answer, counted until its connection has it.
    static func encoded(_ frame: ByteBuffer, _ request: RunningRequest, _ server: ServerContext) -> RequestDelivery {
        guard server.memoryBudget.addAnswer(frame.readableBytes, uid: request.userID) else {
            return .answer(
                .failure(StoreError(.memoryExhausted, "answers in progress use all the memory for answers")))
        }
        return .frame(frame, countedBytes: frame.readableBytes)
    }
}
