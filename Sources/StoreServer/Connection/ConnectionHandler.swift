import Logging
import NIOCore
import StoreBasics
import StoreEngine
import StoreProtocol

/// One connection on its event loop: performs what `ConnectionMachine` decides.
///
/// The only handler of its pipeline. A burst of bytes is parsed, run and answered in one go with one write at its end.
final class ConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    let id: ConnectionID
    let caller: Caller
    let loop: ConnectionLoop
    let server: ServerContext
    let answers: AnswerWriter
    private(set) lazy var followers = Followers(of: self, on: loop)

    private var harness: RequestHarness
    private var machine: ConnectionMachine<PendingRequest>
    private var received: ReceiveBuffer
    private var context: ChannelHandlerContext?
    /// When the bytes of the current turn arrived, of `MonotonicClock`.
    private var turnStartedAt: UInt64 = 0
    private var isTurning = false
    private var isTouched = false
    private var deferredActions: ConnectionActions = []
    /// What looks at the clock next, and when, of `MonotonicClock`.
    private var timer: (deadline: UInt64, task: Scheduled<Void>)?
    private var isStopping = false

    init(id: ConnectionID, caller: Caller, loop: ConnectionLoop) {
        self.id = id
        self.caller = caller
        self.loop = loop
        server = loop.server
        answers = AnswerWriter(loop)
        harness = RequestHarness(permissions: CallPermissions(loop.policy.grants(for: caller)), uid: caller.uid)
        machine = ConnectionMachine(limits: ConnectionMachine.Limits(server.configuration))
        received = ReceiveBuffer(payloadBytesMax: server.configuration.frameBytesMax, budget: server.memoryBudget)
    }

    /// Whose turn its work takes. Loops number their connections each by itself: what tells them apart is the object.
    var workOwner: WorkOwner {
        WorkOwner(userID: caller.uid, connection: UInt64(UInt(bitPattern: ObjectIdentifier(self))))
    }

    // MARK: Channel events

    func channelActive(context: ChannelHandlerContext) {
        self.context = context
        answers.opened(context)
        server.metrics.recordConnection(accepted: true)
        log(.debug, "connection opened")
        perform(machine.connected())
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        machine.bytesArrived()
        server.metrics.recordTraffic(receivedBytes: bytes.readableBytes)
        received.append(bytes)
        turnStartedAt = MonotonicClock.nanoseconds
        turn()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard let event = event as? ChannelEvent, event == .inputClosed else { return }
        perform(machine.inputEnded(leftover: received.leftover, now: MonotonicClock.nanoseconds))
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        let isWritable = context.channel.isWritable
        perform(machine.writabilityChanged(isWritable, now: MonotonicClock.nanoseconds))
        if isWritable, followers.hasWatches {
            followers.resume()
            settleDeliveries()
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        cleanUp()
        log(.debug, "connection closed")
    }

    /// Also called where a connection ends before it was active.
    func handlerRemoved(context: ChannelHandlerContext) {
        cleanUp()
    }

    private func cleanUp() {
        loop.remove(self)
        timer?.task.cancel()
        timer = nil
        _ = machine.transportClosed()
        followers.forget()
        received.drop()
        answers.closed()
        context = nil
    }

    /// The peer is gone, or the kernel refused I/O: nothing to tell it.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        log(.debug, "connection failed")
        context.close(promise: nil)
    }

    // MARK: Turns

    /// Parses, runs and answers until nothing more can be done, then writes and does what the machine asks for.
    func turn() {
        guard !isTurning, context != nil else { return }
        isTurning = true
        var actions: ConnectionActions
        repeat {
            parseFrames()
            startWaiting()
            answers.flush()
            actions = machine.settled(leftover: received.leftover, now: MonotonicClock.nanoseconds)
        } while actions.contains(.parse)
        if machine.isFinishing {
            received.drop()
        } else {
            received.keepRest()
        }
        isTurning = false
        perform(actions.union(deferredActions))
    }

    /// Marks the connection as having had deliveries, once per burst of them.
    func touch(_ touched: inout [ConnectionHandler]) {
        if !isTouched {
            isTouched = true
            touched.append(self)
        }
    }

    /// All deliveries of a burst are in.
    func settleDeliveries() {
        isTouched = false
        turn()
    }

    /// No more requests; closes when those in flight are answered.
    func finish() {
        isStopping = true
        followers.endLogWaits(RequestFailure(.shuttingDown, "the daemon is stopping"))
        perform(machine.finish())
    }

    func closeNow() {
        context?.close(promise: nil)
    }

    func reloadPermissions() {
        harness = RequestHarness(
            permissions: CallPermissions(loop.policy.grants(for: caller)), uid: caller.uid)
        followers.permissionsChanged(harness.permissions, uid: caller.uid)
        settleDeliveries()
    }

    /// Takes frames for as long as the machine does.
    private func parseFrames() {
        while machine.takesFrames {
            switch received.scan {
            case .needHeader:
                return
            case .needPayload(let frameBytes):
                if !received.reserve(frameBytes: frameBytes) {
                    refuseFrame(RequestFailure(.memoryExhausted, "large requests under way hold too much memory"))
                }
                return
            case .frame(let payloadBytes):
                takeFrame(payloadBytes: payloadBytes)
                startWaiting()
                answers.flushWhenLarge()
            case .invalid(let fault):
                refuseFrame(RequestFailure(fault))
                return
            }
        }
    }

    private func takeFrame(payloadBytes: Int) {
        let parsed = received.takeFrame(payloadBytes: payloadBytes) { harness.parse($0, receivedAt: turnStartedAt) }
        switch parsed {
        case .request(let request): run(request)
        case .refused(let id, let kind, let failure): refuse(id, kind, failure)
        case nil: break
        }
    }

    /// Bytes that cannot be a frame, or too many of them: says so and closes when all is answered.
    private func refuseFrame(_ failure: RequestFailure) {
        refuse(0, nil, failure)
        received.drop()
        deferredActions.formUnion(machine.frameInvalid())
    }

    // MARK: Requests

    /// Runs a request, or lets it wait for those before it.
    private func run(_ request: PendingRequest) {
        let ticket = machine.received(
            request, order: request.order, isLong: request.command.isLong, bytes: request.bytes)
        if let ticket {
            start(request, ticket)
        }
    }

    private func start(_ request: PendingRequest, _ ticket: RequestOrdering<PendingRequest>.Ticket) {
        loop.runner.run(request, as: RunningRequest(request, of: id, ticket), of: self)
    }

    /// Starts every waiting request whose turn has come.
    private func startWaiting() {
        while let runnable = machine.nextRunnable() {
            start(runnable.request, runnable.ticket)
            answers.flushWhenLarge()
        }
    }

    /// Ends the watches and the waiting read of this id at their caller's wish. Watches that still wait for the writes
    /// before them never begin.
    func cancel(_ id: UInt64) {
        let withdrawn = machine.withdrawReads { request in
            if case .watch = request.command { request.id == id } else { false }
        }
        for runnable in withdrawn {
            guard case .watch(let watch) = runnable.request.command else { continue }
            answer(
                RunningRequest(runnable.request, of: self.id, runnable.ticket),
                .watchEvent([], revision: watch.afterRevision ?? 0))
        }
        followers.cancel(id)
    }

    // MARK: Answers

    /// Writes the last answer to a request.
    func answer(_ request: RunningRequest, _ answer: Answer) {
        answers.append { buffer in
            server.encoder.append(answer, ResponseHead(id: request.id), to: &buffer)
        }
        if case .failure(let failure) = answer {
            completed(request, failure: failure.reason)
        } else {
            completed(request, failure: nil)
        }
    }

    /// Answers what never became a request, and logs it where the caller did something it must not.
    func refuse(_ id: UInt64, _ kind: CallKind?, _ failure: RequestFailure) {
        answers.append(.failure(failure), ResponseHead(id: id))
        server.metrics.recordError(failure.reason)
        if failure.reason == .permissionDenied || kind == nil {
            loop.refusalLog.log(loop.logger, failure.reason, kind: kind, caller: caller)
        }
    }

    /// Takes what another thread did for a request of this connection.
    func deliver(_ delivery: RequestDelivery, to request: RunningRequest) {
        switch delivery {
        case .answer(let answer):
            self.answer(request, answer)
        case .committed(.success(let result)):
            answer(request, Answer(result, for: request.answerScope))
        case .committed(.failure(let error)):
            answer(request, .failure(RequestFailure(error)))
        case .frame(let frame, let reservedBytes):
            answers.append(frame, reservedBytes: reservedBytes)
            completed(request, failure: nil)
        case .secretFrame(let frame):
            answers.append(secret: frame)
            completed(request, failure: nil)
        case .progress(let done, let total):
            answers.append(.progress(done: done, total: total), ResponseHead(id: request.id, more: true))
        case .logCaughtUp(let page):
            followers.readNothing(page, for: request)
        }
    }

    /// A request has its last answer.
    func completed(_ request: RunningRequest, failure: ErrorReason?) {
        machine.completed(request.ticket)
        if request.isLogWait {
            followers.forgetLogWait(request.id)
        }
        let now = MonotonicClock.nanoseconds
        server.metrics.recordRequest(
            request.kind, failure: failure, nanoseconds: now > request.receivedAt ? now - request.receivedAt : 0)
    }

    /// A watch was begun; its request is completed separately.
    func watchBegan() {
        machine.watchBegan()
    }

    func watchEnded() {
        machine.watchEnded()
    }

    // MARK: Actions

    /// During a turn, actions wait for its end.
    private func perform(_ actions: ConnectionActions) {
        guard !isTurning else {
            deferredActions.formUnion(actions)
            return
        }
        deferredActions = []
        if actions.contains(.endWatches) {
            // A peer that sent what is no frame is told that instead.
            isStopping
                ? followers.endWatches(RequestFailure(.shuttingDown, "the daemon is stopping"))
                : followers.forgetWatches()
        }
        let endsLogWaits = actions.contains(.endWatches) && followers.hasLogWaits
        if endsLogWaits {
            followers.endLogWaits(nil)
        }
        if actions.contains(.refuseTruncated) {
            refuse(0, nil, RequestFailure(.frameTruncated, "the last frame is not whole"))
        }
        if actions.contains(.refuseSlowFrame) {
            let seconds = server.configuration.partialFrameTimeoutSeconds
            refuse(0, nil, RequestFailure(.frameTimeout, "a frame was not whole within \(seconds) s"))
        }
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
            // The ended reads may have been the last requests in flight.
            if actions.contains(.parse) || endsLogWaits {
                turn()
            }
        }
    }

    /// A write of nothing is done when all writes before it are.
    private func closeWhenWritten() {
        guard let context else { return }
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(ByteBuffer())).whenComplete { _ in
            channel.close(promise: nil)
        }
        if channel.isActive {
            perform(machine.closeWaits(now: MonotonicClock.nanoseconds))
        }
    }

    /// One timer at a time, for the earliest deadline so far: when it fires early, it is set again.
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

    // MARK: Log

    func log(_ level: Logger.Level, _ message: Logger.Message, _ metadata: @autoclosure () -> Logger.Metadata = [:]) {
        loop.logger.log(level: level, message, metadata: logMetadata.merging(metadata()) { $1 })
    }

    private var logMetadata: Logger.Metadata {
        ["connection": "\(id)", "uid": "\(caller.uid)", "pid": "\(caller.pid)"]
    }
}
