import Logging
import NIOCore
import StoreBasics
import StoreEngine
import StoreProtocol

/// A connection on its event loop. It performs what `ConnectionMachine` decides.
///
/// It is the only handler of its pipeline. It handles a burst of bytes in one turn, with one write at the end.
final class ConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    let id: ConnectionID
    let caller: Caller
    let loop: ConnectionLoop
    let server: ServerContext
    let answers: AnswerWriter
    private(set) lazy var followers = Followers(of: self, on: loop)

    let memory: ConnectionMemory
    private(set) var intake: RequestIntake
    private(set) var machine: ConnectionMachine<PendingRequest>
    private var context: ChannelHandlerContext?
    /// The time, on `MonotonicClock`, at which the bytes of the current turn arrived.
    private(set) var lastReceivedAt = MonotonicClock.nanoseconds
    private var isTurning = false
    /// The end of the current turn, on `MonotonicClock`.
    private var turnEndsAt: UInt64 = 0
    private var isTouched = false
    private var deferredActions: ConnectionActions = []
    /// The next check of the deadlines, and its time on `MonotonicClock`.
    private var timer: (deadline: UInt64, task: Scheduled<Void>)?
    private var isStopping = false
    let auditedTransfers = AuditedTransfers()
    let life: ConnectionLife

    init(id: ConnectionID, caller: Caller, loop: ConnectionLoop) {
        self.id = id
        self.caller = caller
        self.loop = loop
        life = ConnectionLife(caller)
        server = loop.server
        memory = ConnectionMemory(
            server.memoryBudget, account: MemoryAccount(uid: caller.uid, connection: id, outbox: loop.outbox))
        answers = AnswerWriter(loop, memory: memory)
        intake = RequestIntake(
            connection: id, harness: loop.harness(for: caller), payloadBytesMax: server.configuration.frameBytesMax,
            memory: memory, decoding: server.decoding, outbox: loop.outbox)
        machine = ConnectionMachine(limits: ConnectionMachine.Limits(server.configuration))
    }

    // MARK: Channel events

    func channelActive(context: ChannelHandlerContext) {
        self.context = context
        answers.opened(context)
        server.metrics.recordConnection(accepted: true)
        server.clients.add(life)
        log(.debug, "connection opened")
        perform(machine.connected())
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        server.metrics.recordReceived(bytes: bytes.readableBytes)
        guard machine.asksForBytes else { return acceptUnrequested(bytes) }
        machine.bytesArrived()
        intake.append(bytes)
        lastReceivedAt = MonotonicClock.nanoseconds
        if loop.mustWaitForTurn(self) {
            waitForTurn()
        }
        turn()
    }

    /// Accepts bytes that were not requested. After a peer closes its sending side, all that it sent arrives at once.
    private func acceptUnrequested(_ bytes: ByteBuffer) {
        guard !machine.isFinishing, !intake.appendUnasked(bytes) else { return turn() }
        cut("connection closed: its requests need more memory than its user may use")
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard let event = event as? ChannelEvent, event == .inputClosed else { return }
        perform(machine.inputEnded(leftover: intake.leftover, now: MonotonicClock.nanoseconds))
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        let isWritable = context.channel.isWritable
        answers.reportUnread()
        perform(machine.writabilityChanged(isWritable, now: MonotonicClock.nanoseconds))
        if isWritable, followers.hasWatches {
            followers.resume()
            finishDeliveries()
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        cleanUp()
        log(.debug, "connection closed")
    }

    /// NIO also calls this if a connection ends before it was active.
    func handlerRemoved(context: ChannelHandlerContext) {
        cleanUp()
    }

    private func cleanUp() {
        life.end()
        server.clients.remove(life)
        loop.remove(self)
        timer?.task.cancel()
        timer = nil
        for dropped in machine.transportClosed() {
            memory.complete(dropped.bytes)
        }
        followers.forget()
        intake.drop()
        memory.close()
        answers.closed()
        context = nil
    }

    /// The peer is gone or the kernel refused I/O, so no answer can be sent.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        log(.debug, "connection failed")
        context.close(promise: nil)
    }

    // MARK: Turns

    /// The time after which other connections have their turn, and the number of requests that a turn handles at least.
    /// The minimum lets a short burst be answered in one write.
    private static let turnNanoseconds: UInt64 = 100_000
    private static let turnRequestsMin = 8

    /// Parses, runs and answers requests until nothing more can be done or the turn is over. Then writes the answers
    /// and performs the actions that the machine returned.
    func turn() {
        guard !isTurning, context != nil else { return }
        isTurning = true
        turnEndsAt = MonotonicClock.nanoseconds + Self.turnNanoseconds
        var actions: ConnectionActions
        repeat {
            parseFrames()
            startWaiting()
            answers.flush()
            actions = machine.inputProcessed(leftover: intake.leftover, now: MonotonicClock.nanoseconds)
        } while actions.contains(.parse)
        if machine.isFinishing {
            intake.drop()
        } else {
            intake.keepRest()
        }
        isTurning = false
        perform(actions.union(deferredActions))
    }

    /// Leaves the received bytes until the event loop gives this connection its turn.
    private func waitForTurn() {
        guard machine.acceptsFrames else { return }
        _ = machine.intakeChanged(.waitsForTurn)
        loop.waitForTurn(self)
    }

    func resumeTurn() {
        _ = machine.intakeChanged(.open)
        turn()
    }

    /// Marks the connection as changed by a burst of deliveries. It is added to `touched` once per burst.
    func touch(_ touched: inout [ConnectionHandler]) {
        if !isTouched {
            isTouched = true
            touched.append(self)
        }
    }

    /// Continues after all deliveries of a burst have been processed.
    func finishDeliveries() {
        isTouched = false
        turn()
    }

    /// Accepts no more requests, and closes the connection when those in flight are answered.
    func finish() {
        isStopping = true
        followers.endWaitingReads(StoreError(.shuttingDown, "the daemon is stopping"))
        perform(machine.finish())
    }

    func closeNow() {
        context?.close(promise: nil)
    }

    func reloadPermissions() {
        let harness = loop.harness(for: caller)
        intake.reload(harness)
        followers.permissionsChanged(harness.permissions, uid: caller.uid)
        finishDeliveries()
    }

    /// Parses frames for as long as the machine accepts them.
    private func parseFrames() {
        var requests = 0
        while machine.acceptsFrames {
            switch intake.next(receivedAt: lastReceivedAt) {
            case .needsBytes:
                return
            case .waits:
                let change = machine.intakeChanged(
                    intake.isDecoding ? .decodes : .waitsForMemory(since: MonotonicClock.nanoseconds))
                deferredActions.formUnion(change)
                return
            case .parsed(let parsed):
                handle(parsed)
                startWaiting()
                answers.flushWhenLarge()
                requests += 1
                if requests >= Self.turnRequestsMin, MonotonicClock.nanoseconds >= turnEndsAt,
                    intake.leftover == .unparsed
                {
                    waitForTurn()
                }
            case .invalid(let failure):
                refuseFrame(failure)
                return
            }
        }
    }

    private func handle(_ parsed: ParsedRequest) {
        switch parsed {
        case .request(let request): run(request)
        case .refused(let id, let kind, let failure): refuse(id, kind, failure)
        }
    }

    /// Accepts a request of this connection that another thread has decoded.
    func handle(_ decoded: DecodedRequest) {
        _ = machine.intakeChanged(.open)
        handle(intake.accept(decoded))
    }

    /// Continues with the memory that this connection waited for.
    func memoryGranted(_ bytes: Int) {
        memory.granted(bytes)
        _ = machine.intakeChanged(.open)
    }

    /// Answers an invalid frame with an error, and closes the connection when all requests are answered.
    private func refuseFrame(_ failure: StoreError) {
        refuse(0, nil, failure)
        intake.drop()
        deferredActions.formUnion(machine.frameInvalid())
    }

    // MARK: Requests

    /// Runs a request, or queues it until the requests that it depends on are done.
    private func run(_ request: PendingRequest) {
        let ticket = machine.received(
            request, order: request.order, isLong: request.command.isLong, bytes: request.bytes)
        if let ticket {
            start(request, ticket)
        }
    }

    private func start(_ request: PendingRequest, _ ticket: RequestOrdering<PendingRequest>.Ticket) {
        life.countRequest()
        if !request.command.isOfGroup {
            loop.activity.recordRequest(id, isWrite: request.command.isMutation)
        }
        loop.runner.run(request, as: RunningRequest(request, of: id, userID: caller.uid, ticket), of: self)
    }

    /// Starts every waiting request that may run now.
    private func startWaiting() {
        while let runnable = machine.nextRunnable() {
            start(runnable.request, runnable.ticket)
            answers.flushWhenLarge()
        }
    }

    /// Ends the watches and the waiting read with this ID because the caller cancelled them. Watches that still wait
    /// for preceding writes never begin.
    func cancel(_ id: UInt64) {
        let withdrawn = machine.withdrawReads { request in
            if case .watch = request.command { request.id == id } else { false }
        }
        for runnable in withdrawn {
            guard case .watch(let watch) = runnable.request.command else { continue }
            answer(
                RunningRequest(runnable.request, of: self.id, userID: caller.uid, runnable.ticket),
                .watchEvent(WatchEvent(changes: [], revision: watch.afterRevision ?? 0, history: .none)))
        }
        followers.cancel(id)
    }

    // MARK: Completions

    /// Records that the last answer to a request was written.
    func completed(_ request: RunningRequest, failure: ErrorReason?) {
        machine.completed(request.ticket)
        memory.complete(request.ticket.bytes)
        if request.isWaitingRead {
            followers.forgetWaitingRead(request.id)
        }
        if let failure, !request.kind.isAdministration {
            server.audit.record(.refusal(failure, call: request.kind, by: caller))
        }
        let now = MonotonicClock.nanoseconds
        server.metrics.recordRequest(
            request.kind, failure: failure, nanoseconds: now > request.receivedAt ? now - request.receivedAt : 0)
    }

    /// Records that a watch began. The request that began it is completed separately.
    func watchBegan() {
        machine.watchBegan()
        life.countWatches(1)
    }

    func watchEnded() {
        machine.watchEnded()
        life.countWatches(-1)
    }

    // MARK: Actions

    /// Performs actions at once, or at the end of the current turn if there is one.
    private func perform(_ actions: ConnectionActions) {
        guard !isTurning else {
            deferredActions.formUnion(actions)
            return
        }
        deferredActions = []
        if actions.contains(.endWatches) {
            // While the daemon stops, each watch ends with an answer. Otherwise the peer sent an invalid frame, and
            // receives only the error about that frame.
            isStopping
                ? followers.endWatches(StoreError(.shuttingDown, "the daemon is stopping"))
                : followers.forgetWatches()
        }
        let endsWaitingReads = actions.contains(.endWatches) && followers.hasWaitingReads
        if endsWaitingReads {
            followers.endWaitingReads(nil)
        }
        sendClosingReason(actions)
        answers.flush()
        if actions.contains(.scheduleTimer) {
            scheduleTimer()
        }
        if actions.contains(.abort) {
            closeNow()
        } else if actions.contains(.close) {
            closeWhenWritten()
        } else {
            if actions.contains(.read) {
                context?.read()
            }
            // Continue, because the ended waiting reads may have been the last requests in flight.
            if actions.contains(.parse) || endsWaitingReads {
                turn()
            }
        }
    }

    /// Closes the connection after all pending writes: an empty write completes after them.
    private func closeWhenWritten() {
        guard let context else { return }
        answers.flushAll()
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(ByteBuffer())).whenComplete { _ in
            channel.close(promise: nil)
        }
        if channel.isActive {
            perform(machine.closeWaits(now: MonotonicClock.nanoseconds))
        }
    }

    /// Schedules one timer for the earliest deadline so far. A timer that fires too early is scheduled again.
    private func scheduleTimer() {
        guard let deadline = machine.nextDeadline else { return }
        if let timer {
            guard deadline < timer.deadline else { return }
            timer.task.cancel()
        }
        let now = MonotonicClock.nanoseconds
        let delay = TimeAmount.nanoseconds(Int64(clamping: deadline > now ? deadline - now : 0))
        let task = loop.eventLoop.scheduleTask(in: delay) { [loop, id] in
            loop.connection(id)?.timerFired() ?? ()
        }
        timer = (deadline, task)
    }

    private func timerFired() {
        timer = nil
        perform(machine.timerFired(now: MonotonicClock.nanoseconds))
    }
}
