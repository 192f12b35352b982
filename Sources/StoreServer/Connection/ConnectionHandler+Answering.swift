internal import NIOCore
internal import StoreBasics
internal import StoreEngine
internal import StoreProtocol

/// From results to bytes for the peer.
extension ConnectionHandler {
    /// An encoded answer up to this size is copied behind others; a larger one is handed on as it is.
    private static let copiedFrameBytesMax = 16 << 10

    /// Writes the last answer to a request.
    func answer(_ context: RequestContext, _ answer: Answer) {
        withAnswers { buffer in
            server.encoder.append(answer, ResponseHead(id: context.requestID), to: &buffer)
        }
        if case .failure(let failure) = answer {
            completed(context, failure: failure.reason)
        } else {
            completed(context, failure: nil)
        }
    }

    /// Answers what never became a request, and logs it where the caller did something it must not.
    func refuse(_ id: UInt64, _ kind: CallKind?, _ failure: RequestFailure) {
        withAnswers { buffer in
            server.encoder.append(.failure(failure), ResponseHead(id: id), to: &buffer)
        }
        server.metrics.recordError(failure.reason)
        if failure.reason == .permissionDenied || kind == nil {
            loop.refusalLog.log(loop.logger, failure.reason, kind: kind, caller: caller)
        }
    }

    /// Takes what another thread did for a request of this connection.
    func deliver(_ delivery: Delivery) {
        switch delivery {
        case .answer(let context, let answer):
            self.answer(context, answer)
        case .committed(let context, .success(let result)):
            answer(context, Answer(result, for: context.answerScope))
        case .committed(let context, .failure(let error)):
            answer(context, .failure(RequestFailure(error)))
        case .frame(let context, let frame, let reservedBytes):
            write(frame, reservedBytes: reservedBytes)
            completed(context, failure: nil)
        case .secretFrame(let context, let frame):
            writeSecret(frame)
            completed(context, failure: nil)
        case .progress(let context, let done, let total):
            withAnswers { buffer in
                server.encoder.append(
                    .progress(done: done, total: total), ResponseHead(id: context.requestID, more: true), to: &buffer)
            }
        case .logCaughtUp(let context, let page):
            deliverCaughtUp(context, page)
        case .commit, .watchPage, .logsTouched, .endWatches, .reload, .finishAll, .closeAll:
            preconditionFailure("not a delivery for one request")
        }
    }

    /// Answers of one turn are handed to the transport when they reach this size, so that a peer which does not take
    /// them is noticed before more are made.
    private static let answerBytesPerWrite = 32 << 10

    func flushWhenLarge() {
        if let answers, answers.readableBytes >= Self.answerBytesPerWrite {
            flush()
        }
    }

    /// Hands the answers of this turn to the transport.
    func flush() {
        guard let answers, answers.readableBytes > 0, let context else {
            return
        }
        self.answers = nil
        server.metrics.recordTraffic(sentBytes: answers.readableBytes)
        context.writeAndFlush(wrapOutboundOut(answers), promise: nil)
        loop.recycle(answers)
    }

    func withAnswers(_ body: (inout ByteBuffer) -> Void) {
        var buffer = answers.take() ?? loop.takeBuffer()
        body(&buffer)
        answers = buffer
    }

    func completed(_ context: RequestContext, failure: ErrorReason?) {
        machine.completed(context.ticket)
        if context.isLogWait {
            forgetLogWait(context.requestID)
        }
        let now = MonotonicClock.nanoseconds
        server.metrics.recordRequest(
            context.kind, failure: failure, nanoseconds: now > context.receivedAt ? now - context.receivedAt : 0)
    }

    private func write(_ frame: ByteBuffer, reservedBytes: Int) {
        guard frame.readableBytes > Self.copiedFrameBytesMax, let context else {
            withAnswers { $0.writeImmutableBuffer(frame) }
            server.memoryBudget.release(reservedBytes)
            return
        }
        flush()
        server.metrics.recordTraffic(sentBytes: frame.readableBytes)
        guard reservedBytes > 0 else {
            context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
            return
        }
        let budget = server.memoryBudget
        context.writeAndFlush(wrapOutboundOut(frame)).whenComplete { _ in
            budget.release(reservedBytes)
        }
    }

    private func writeSecret(_ frame: ByteBuffer) {
        guard let context else {
            frame.wipeInPlace()
            return
        }
        flush()
        server.metrics.recordTraffic(sentBytes: frame.readableBytes)
        context.writeAndFlush(wrapOutboundOut(frame)).whenComplete { _ in
            frame.wipeInPlace()
        }
    }
}
