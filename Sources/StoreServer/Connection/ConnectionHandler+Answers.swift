import Logging
import NIOCore
import StoreBasics
import StoreEngine
import StoreProtocol

extension ConnectionHandler {
    /// Writes the last answer to a request.
    func answer(_ request: RunningRequest, _ answer: Answer) {
        if case .failure(let failure) = answer {
            logFault(failure, call: request.kind)
        }
        completed(request, failure: answers.append(answer, ResponseHead(id: request.id)))
    }

    /// Logs a fault of the daemon. The caller receives only a general message about it.
    private func logFault(_ failure: StoreError, call: CallKind?) {
        guard failure.reason == .internal else { return }
        logCaused(
            .error, "a request failed because of a fault in the daemon; please report this",
            [
                "call": "\(call?.name ?? "none")", "reason": "\(failure.reason.rawValue)",
                "message": "\(failure.message)",
            ])
    }

    /// Answers a request that was refused before it could run.
    func refuse(_ id: UInt64, _ kind: CallKind?, _ failure: StoreError) {
        logFault(failure, call: kind)
        answers.append(.failure(failure), ResponseHead(id: id))
        server.metrics.recordError(failure.reason)
        server.audit.record(.refusal(failure.reason, call: kind, by: caller))
    }

    /// Sends the reason why the daemon accepts no more requests, if the peer or a lack of memory caused it.
    func sendClosingReason(_ actions: ConnectionActions) {
        if actions.contains(.refuseTruncated) {
            refuse(0, nil, StoreError(.frameTruncated, "the last frame is incomplete"))
        }
        if actions.contains(.refuseSlowFrame) {
            let seconds = server.configuration.partialFrameTimeoutSeconds
            refuse(
                0, nil,
                StoreError(.frameTimeout, "a frame was not complete within \(seconds) s after its first byte"))
        }
        if actions.contains(.refuseUnfitFrame) {
            refuse(0, nil, StoreError(.memoryExhausted, "no memory became free for the request in time"))
        }
    }

    /// Processes the result that another thread delivered for a request of this connection.
    func deliver(_ delivery: RequestDelivery, to request: RunningRequest) {
        switch delivery {
        case .answer(let answer):
            self.answer(request, answer)
        case .committed(.success(let result), _):
            answer(request, Answer(result, for: request.answerScope))
        case .committed(.failure(let error), _):
            answer(request, .failure(error))
        case .frame(let frame, let countedBytes):
            answers.append(frame)
            server.memoryBudget.release(countedBytes, uid: caller.uid)
            completed(request, failure: nil)
        case .secretFrame(let frame):
            answers.append(secret: frame)
            completed(request, failure: nil)
        case .progress(let done, let total):
            answers.append(.progress(done: done, total: total), ResponseHead(id: request.id, more: true))
        case .caughtUp(let empty):
            followers.readNothing(empty, for: request)
        case .writesVisible(let pending):
            loop.runner.read(pending, as: request, of: self)
        }
    }

    /// Closes the connection because its unread answers take all the memory that its user may hold, unless the peer has
    /// read them in the meantime.
    func cut() {
        if memory.confirmCut() {
            cut("connection closed: the client does not read its answers, and other requests need memory")
        }
    }

    /// Closes the connection because it holds more memory than its user may.
    func cut(_ why: Logger.Message) {
        logCaused(.info, why)
        server.metrics.recordConnectionCut()
        closeNow()
    }
}

extension ConnectionHandler {
    func log(_ level: Logger.Level, _ message: Logger.Message, _ metadata: @autoclosure () -> Logger.Metadata = [:]) {
        loop.logger.log(level: level, message, metadata: logMetadata.merging(metadata()) { $1 })
    }

    /// Writes a line that the peer can cause as often as it likes, so the number of lines is limited.
    private func logCaused(
        _ level: Logger.Level, _ message: Logger.Message, _ metadata: @autoclosure () -> Logger.Metadata = [:]
    ) {
        server.causedLines.write(
            level, message, logMetadata.merging(metadata()) { $1 }, uid: caller.uid, to: loop.logger)
    }

    private var logMetadata: Logger.Metadata {
        ["connection": "\(id)", "uid": "\(caller.uid)", "pid": "\(caller.pid)"]
    }
}
