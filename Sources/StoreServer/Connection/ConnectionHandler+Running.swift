internal import Logging
internal import NIOCore
internal import StoreEngine
internal import StoreProtocol

/// From requests to where their work is done.
extension ConnectionHandler {
    /// Runs a request, or lets it wait for those before it.
    func run(_ request: PendingRequest) {
        let ticket = machine.received(
            request, order: request.order, isLong: isLong(request), bytes: request.bytes)
        if let ticket {
            start(request, ticket)
        }
    }

    /// Starts every waiting request whose turn has come.
    func startWaiting() {
        while let runnable = machine.nextRunnable() {
            start(runnable.request, runnable.ticket)
        }
    }

    private func isLong(_ request: PendingRequest) -> Bool {
        if case .listRead = request.command {
            return true
        }
        return false
    }

    private func start(_ request: PendingRequest, _ ticket: RequestOrdering<PendingRequest>.Ticket) {
        let context = RequestContext(
            connection: id, requestID: request.id, kind: request.kind, ticket: ticket, receivedAt: request.receivedAt)
        if let deadline = request.deadline, MonotonicClock.nanoseconds >= deadline {
            answer(context, .failure(Self.deadlineExceeded))
            return
        }
        switch request.command {
        case .ping:
            answer(context, .pong)
        case .hello(let clientName):
            loop.logger.debug("hello", metadata: logMetadata.merging(["client": "\(clientName)"]) { $1 })
            answer(context, .hello(uid: caller.uid))
        case .status:
            answer(context, .status(server.statusReport()))
        case .metrics:
            answer(context, .metrics(server.metricsText()))
        case .cancel(let watch):
            endWatch(watch)
            endLogWait(watch)
            answer(context, .cancelled)
        case .pointRead(let read):
            answer(context, ReadService.answer(read, loop.reader, server.engine))
        case .listRead(let read):
            start(read, context, deadline: request.deadline)
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

    // MARK: Elsewhere

    /// On a reader thread, encoded there as well.
    private func start(_ read: ListRead, _ context: RequestContext, deadline: UInt64?) {
        let outbox = loop.outbox
        let server = server
        do throws(StoreError) {
            try server.engine.readInBackground { reader in
                if let deadline, MonotonicClock.nanoseconds >= deadline {
                    outbox.post(.answer(context, .failure(Self.deadlineExceeded)))
                    return
                }
                outbox.post(Self.delivery(of: ReadService.answer(read, reader), context, server))
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
            case .success(let result): outbox.post(Self.delivery(of: .blob(result), context, server))
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
            if let failure = command.endsWatchesWith {
                server.hub.endWatches(failure)
            }
            let answer = outcome.answer
            if let code = outcome.takeRecoveryCode() {
                let head = ResponseHead(id: context.requestID)
                outbox.post(.secretFrame(context, SecretResponse.frame(head, answer, recoveryCode: code)))
            } else {
                outbox.post(.answer(context, .administration(answer)))
            }
        } catch {
            outbox.post(.answer(context, .failure(error)))
        }
    }
}

extension AdministrationCommand {
    /// What watchers are told after it: what they watch is gone.
    var endsWatchesWith: RequestFailure? {
        switch self {
        case .lock: RequestFailure(.storeLocked, "the store was locked; watch again after it is unlocked")
        case .restoreBackup: RequestFailure(.storeReplaced, "a backup took the store's place")
        default: nil
        }
    }
}
