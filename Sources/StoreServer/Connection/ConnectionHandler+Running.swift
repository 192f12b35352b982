internal import Logging
internal import NIOCore
internal import StoreBasics
internal import StoreEngine
internal import StoreProtocol

/// From requests to where their work is done.
extension ConnectionHandler {
    /// Runs a request, or lets it wait for those before it.
    func run(_ request: PendingRequest) {
        let ticket = machine.received(
            request, order: request.order, isLong: request.command.isLong, bytes: request.bytes)
        if let ticket {
            start(request, ticket)
        }
    }

    /// Starts every waiting request whose turn has come.
    func startWaiting() {
        while let runnable = machine.nextRunnable() {
            start(runnable.request, runnable.ticket)
            flushWhenLarge()
        }
    }

    func context(of request: PendingRequest, _ ticket: RequestOrdering<PendingRequest>.Ticket) -> RequestContext {
        RequestContext(
            connection: id, requestID: request.id, kind: request.kind, answerScope: request.answerScope, ticket: ticket,
            receivedAt: request.receivedAt)
    }

    private func start(_ request: PendingRequest, _ ticket: RequestOrdering<PendingRequest>.Ticket) {
        let context = context(of: request, ticket)
        if let deadline = request.deadline, MonotonicClock.nanoseconds >= deadline {
            answer(context, .failure(Self.deadlineExceeded))
            return
        }
        switch request.command {
        case .ping:
            answer(context, .pong)
        case .hello(let clientName):
            loop.logger.debug("hello", metadata: logMetadata.merging(["client": "\(clientName)"]) { $1 })
            answer(context, .hello(uid: caller.uid, server))
        case .report(let report):
            answer(context, Answer { () throws(StoreError) in try report(server, context.answerScope) })
        case .cancel(let watch):
            endWaitingWatches(watch)
            endWatch(watch)
            endLogWait(watch)
            answer(context, .cancelled)
        case .getMessage(let id):
            get(id, context)
        case .listMessages(let query):
            list(query, context, deadline: request.deadline)
        case .getSceneValues(let query) where query.isOfOneKey:
            answer(context, SceneCalls.read(query, loop.reader))
        case .getSceneValues(let query):
            encodeElsewhere(context, deadline: request.deadline) { reader in SceneCalls.read(query, reader) }
        case .read(let read) where read.isLong:
            encodeElsewhere(context, deadline: request.deadline) { reader in
                Answer { () throws(StoreError) in try read.answer(reader, context.answerScope) }
            }
        case .read(let read):
            answer(context, Answer { () throws(StoreError) in try read.answer(loop.reader, context.answerScope) })
        case .mutation(let mutation):
            start(mutation, request, context)
        case .watch(let watch):
            startWatch(watch, context)
        case .waitForLog(let query, let milliseconds):
            startLogWait(query, milliseconds: milliseconds, context)
        case .blob(let command):
            start(command, context)
        case .administration(let command):
            start(command, context, deadline: request.deadline)
        }
    }

    private static var deadlineExceeded: RequestFailure {
        RequestFailure(.deadlineExceeded, "the work was not begun before the request's deadline")
    }

    private func get(_ id: EntityID, _ context: RequestContext) {
        let reads = MessageReads(reader: loop.reader, frameBytesMax: server.configuration.frameBytesMax)
        var outcome = MessageReads.Outcome.written
        withAnswers { buffer in
            outcome = reads.get(id, ResponseHead(id: context.requestID), to: &buffer)
        }
        if case .failed(let failure) = outcome {
            answer(context, .failure(failure))
        } else {
            completed(context, failure: nil)
        }
    }

    /// A short page is read here: two hops between threads take longer than reading it.
    private func list(_ query: MessageQuery, _ context: RequestContext, deadline: UInt64?) {
        let head = ResponseHead(id: context.requestID)
        let frameBytesMax = server.configuration.frameBytesMax
        var outcome = MessageReads.Outcome.tooLong
        if query.mayBeShort {
            let reads = MessageReads(reader: loop.reader, frameBytesMax: frameBytesMax)
            let bytesMax = min(Self.shortPageBytesMax, frameBytesMax)
            withAnswers { buffer in
                outcome = reads.list(query, head, bytesMax: bytesMax, to: &buffer)
            }
        }
        switch outcome {
        case .written:
            completed(context, failure: nil)
        case .failed(let failure):
            answer(context, .failure(failure))
        case .tooLong:
            readElsewhere(context, deadline: deadline) { reader in
                let reads = MessageReads(reader: reader, frameBytesMax: frameBytesMax)
                var frame = ByteBuffer()
                if case .failed(let failure) = reads.list(query, head, to: &frame) {
                    return .failure(failure)
                }
                return .success(frame)
            }
        }
    }

    /// Bytes of messages that an event loop reads in one go: some 64 database pages, about half a millisecond.
    private static let shortPageBytesMax = 128 << 10

    // MARK: Elsewhere

    private func encodeElsewhere(
        _ context: RequestContext, deadline: UInt64?, _ read: @escaping @Sendable (StoreReader) -> Answer
    ) {
        let encoder = server.encoder
        readElsewhere(context, deadline: deadline) { reader in
            let answer = read(reader)
            if case .failure(let failure) = answer {
                return .failure(failure)
            }
            var frame = ByteBuffer()
            encoder.append(answer, ResponseHead(id: context.requestID), to: &frame)
            return .success(frame)
        }
    }

    /// On a reader thread, encoded there as well.
    private func readElsewhere(
        _ context: RequestContext, deadline: UInt64?,
        _ read: @escaping @Sendable (StoreReader) -> Result<ByteBuffer, RequestFailure>
    ) {
        let outbox = loop.outbox
        let server = server
        do throws(StoreError) {
            try server.engine.readInBackground { reader in
                if let deadline, MonotonicClock.nanoseconds >= deadline {
                    outbox.post(.answer(context, .failure(Self.deadlineExceeded)))
                    return
                }
                switch read(reader) {
                case .success(let frame): outbox.post(Self.delivery(of: frame, context, server))
                case .failure(let failure): outbox.post(.answer(context, .failure(failure)))
                }
            }
        } catch {
            answer(context, .failure(RequestFailure(error)))
        }
    }

    static func delivery(
        of answer: Answer, _ context: RequestContext, _ server: ServerContext
    ) -> Delivery {
        if case .failure = answer {
            return .answer(context, answer)
        }
        var frame = ByteBuffer()
        server.encoder.append(answer, ResponseHead(id: context.requestID), to: &frame)
        return delivery(of: frame, context, server)
    }

    private static func delivery(
        of frame: ByteBuffer, _ context: RequestContext, _ server: ServerContext
    ) -> Delivery {
        guard frame.readableBytes > MemoryBudget.countedBytesMin else {
            return .frame(context, frame, reservedBytes: 0)
        }
        guard server.memoryBudget.reserve(frame.readableBytes) else {
            return .answer(
                context, .failure(RequestFailure(.memoryExhausted, "large answers under way hold too much memory")))
        }
        return .frame(context, frame, reservedBytes: frame.readableBytes)
    }

    /// On the engine's thread for exports and imports, encoded there as well.
    private func start(_ command: BlobCommand, _ context: RequestContext) {
        let outbox = loop.outbox
        let server = server
        server.engine.performBlobCommand(command, userID: caller.uid) { result in
            switch result {
            case .success(let result): outbox.post(Self.delivery(of: Answer(result), context, server))
            case .failure(let error): outbox.post(.answer(context, .failure(RequestFailure(error))))
            }
        }
    }

    private func start(_ mutation: Mutation, _ request: PendingRequest, _ context: RequestContext) {
        let outbox = loop.outbox
        let write = WriteRequest(
            mutation, idempotencyKey: request.idempotencyKey, deadline: Self.instant(request.deadline),
            byteCount: max(request.bytes, 256))
        server.engine.submit(write) { result in
            outbox.post(.committed(context, result))
        }
    }

    /// The engine keeps deadlines in the clock of the standard library.
    private static func instant(_ deadline: UInt64?) -> ContinuousClock.Instant? {
        guard let deadline else {
            return nil
        }
        let now = MonotonicClock.nanoseconds
        return ContinuousClock.now.advanced(by: .nanoseconds(deadline > now ? Int64(clamping: deadline - now) : 0))
    }

    /// On the administration queue.
    private func start(_ command: AdministrationCommand, _ context: RequestContext, deadline: UInt64?) {
        let outbox = loop.outbox
        let server = server
        let uid = caller.uid
        loop.logger.info(
            "administration", metadata: logMetadata.merging(["call": "\(context.kind.name)"]) { $1 })
        let isQueued = server.administrationQueue.submit {
            if let deadline, MonotonicClock.nanoseconds >= deadline {
                outbox.post(.answer(context, .failure(Self.deadlineExceeded)))
                return
            }
            Self.perform(command, context, uid: uid, server, outbox)
        }
        if !isQueued {
            answer(context, .failure(RequestFailure(.queueFull, "too much administration is waiting")))
        }
    }

    private static func perform(
        _ command: AdministrationCommand, _ context: RequestContext, uid: UInt32, _ server: ServerContext,
        _ outbox: Outbox
    ) {
        var pacer = ProgressPacer()
        do throws(RequestFailure) {
            let outcome = try server.administration.perform(command, uid: uid) { progress in
                if pacer.isDue() {
                    outbox.post(
                        .progress(
                            context, done: UInt64(clamping: progress.done), total: UInt64(clamping: progress.total)))
                }
            }
            let result = outcome.result
            if let code = outcome.takeRecoveryCode() {
                let head = ResponseHead(id: context.requestID)
                outbox.post(.secretFrame(context, SecretResponse.frame(head, result, recoveryCode: code)))
            } else {
                outbox.post(.answer(context, .result(result)))
            }
        } catch {
            outbox.post(.answer(context, .failure(error)))
        }
    }
}
