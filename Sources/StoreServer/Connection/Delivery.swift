import Logging
import NIOCore
import StoreBasics
import StoreEngine
import StoreProtocol

/// A message from another thread to an event loop.
enum Delivery: Sendable {
    case request(RunningRequest, RequestDelivery)
    /// A large request that has been decoded.
    case decoded(DecodedRequest)
    /// Memory for a connection that waited for it.
    case memoryGranted(MemoryAccount, bytes: Int)
    /// The unread answers of a connection fill its user's share. Close the connection, unless its peer has read them in
    /// the meantime.
    case cut(ConnectionID)
    case watchPage(ConnectionID, WatchIdentity, Result<ChangePage, StoreError>)
    /// News for the followers on this loop.
    case news(News)
    case endWatches(StoreError)
    /// The store has this history now. Watches of another history end.
    case historyChanged(HistoryID)
    /// Changes were compacted. Each watch receives its position, so that its client never resumes from a revision whose
    /// changes no longer exist.
    case compacted(throughRevision: UInt64, of: HistoryID)
    /// New rules and log level, for every connection.
    case reload(AccessPolicy, Logger.Level)
    /// Answer the requests in flight, then close.
    case finishAll

    /// Releases the memory of a delivery that no connection receives, and wipes a secret in it.
    func discard(_ budget: MemoryBudget) {
        switch self {
        case .request(let request, let delivery):
            delivery.discard(budget, userID: request.userID)
            // The memory of a waiting read was released with its connection.
            if delivery.isLast, !request.isWaitingRead {
                budget.release(request.ticket.bytes, uid: request.userID)
            }
        case .decoded(let decoded): budget.release(decoded.bytes, uid: decoded.userID)
        case .memoryGranted(let account, let bytes): budget.release(bytes, uid: account.uid)
        case .cut, .watchPage, .news, .endWatches, .historyChanged, .compacted, .reload, .finishAll: break
        }
    }
}

/// A message from another thread about one request.
enum RequestDelivery: Sendable {
    /// The last answer.
    case answer(Answer)
    /// A mutation was committed or refused. The mutation is returned so that its memory is freed on the thread that
    /// allocated it; threads that free each other's memory wait for each other in the allocator.
    case committed(Result<MutationResult, StoreError>, of: Mutation)
    /// The last answer, already encoded. `countedBytes` are released to the memory budget when the frame is handed on.
    case frame(ByteBuffer, countedBytes: Int)
    /// The last answer, which contains a secret. Its buffer is wiped after the write.
    case secretFrame(ByteBuffer)
    /// The progress of a request that is still running. Its last answer comes later.
    case progress(done: UInt64, total: UInt64)
    /// A waiting read found nothing; the answer says so.
    case caughtUp(Answer)
    /// A read that waited on its event loop can now see all acknowledged writes.
    case writesVisible(PendingRequest)

    /// True if no further delivery for the request follows.
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

    /// Encodes the last answer on the current thread.
    static func encoded(_ answer: Answer, _ request: RunningRequest, _ server: ServerContext) -> RequestDelivery {
        switch server.encoder.frame(answer, ResponseHead(id: request.id)) {
        case .success(let frame): encoded(frame, request, server)
        case .failure(let failure): .answer(.failure(failure))
        }
    }

    /// Counts the memory of an encoded answer until its connection receives the answer. Returns an error instead if
    /// there is no memory left for answers.
    static func encoded(_ frame: ByteBuffer, _ request: RunningRequest, _ server: ServerContext) -> RequestDelivery {
        guard server.memoryBudget.addAnswer(frame.readableBytes, uid: request.userID) else {
            return .answer(
                .failure(
                    StoreError(.memoryExhausted, "answers that are not sent yet use all the memory for answers")))
        }
        return .frame(frame, countedBytes: frame.readableBytes)
    }
}
