import Logging
import NIOCore
import StoreBasics
import StoreEngine
import StoreProtocol

/// What another thread has for an event loop.
enum Delivery: Sendable {
    case request(RunningRequest, RequestDelivery)
    case watchPage(ConnectionID, WatchIdentity, Result<ChangePage, RequestFailure>)
    /// For every watcher of the loop.
    case commit([Change])
    /// For every waiting read of the loop: something happened to these logs; `nil`: to any.
    case logsTouched([LogName]?)
    case endWatches(RequestFailure)
    /// The store has this history now: watches of another one end.
    case historyChanged(HistoryID)
    /// Changes were compacted: watches are told where they stand, so that none would resume before them.
    case compacted
    /// New rules and verbosity, for every connection.
    case reload(AccessPolicy, Logger.Level)
    /// Answer what is in flight, then close.
    case finishAll
    case closeAll

    /// Nobody takes it: what it holds is given back, and a secret in it is wiped.
    func discard(_ budget: MemoryBudget) {
        guard case .request(_, let delivery) = self else { return }
        switch delivery {
        case .frame(_, let reservedBytes): budget.release(reservedBytes)
        case .secretFrame(let frame): frame.wipeInPlace()
        case .answer, .committed, .progress, .logCaughtUp: break
        }
    }
}

/// What another thread has for one request.
enum RequestDelivery: Sendable {
    /// The last answer.
    case answer(Answer)
    /// A mutation is on disk, or was refused.
    case committed(Result<MutationResult, StoreError>)
    /// The last answer, encoded already. `reservedBytes` are given back to the memory budget when it is written.
    case frame(ByteBuffer, reservedBytes: Int)
    /// The last answer, which holds a secret: wiped after the write.
    case secretFrame(ByteBuffer)
    /// An answer with more to come.
    case progress(done: UInt64, total: UInt64)
    /// A waiting read of a log found nothing.
    case logCaughtUp(LogPage)

    /// The last answer, encoded on the thread that has it.
    static func encoded(_ answer: Answer, _ request: RunningRequest, _ server: ServerContext) -> RequestDelivery {
        if case .failure = answer {
            return .answer(answer)
        }
        var frame = ByteBuffer()
        server.encoder.append(answer, ResponseHead(id: request.id), to: &frame)
        return encoded(frame, server)
    }

    /// An encoded answer, for which memory is set aside when it is large.
    static func encoded(_ frame: ByteBuffer, _ server: ServerContext) -> RequestDelivery {
        guard frame.readableBytes > MemoryBudget.countedBytesMin else { return .frame(frame, reservedBytes: 0) }
        guard server.memoryBudget.reserve(frame.readableBytes) else {
            return .answer(
                .failure(RequestFailure(.memoryExhausted, "large answers under way hold too much memory")))
        }
        return .frame(frame, reservedBytes: frame.readableBytes)
    }
}
