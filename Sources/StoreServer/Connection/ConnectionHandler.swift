internal import Logging
internal import NIOCore
internal import StoreBasics
internal import StoreEngine
internal import StoreProtocol

/// One connection on its event loop: performs what `ConnectionMachine` decides.
///
/// The only handler of its pipeline. A burst of bytes is parsed, run and answered in one go with one write at its end.
/// The other files of this folder extend it: reading, running, answering, watching.
final class ConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    let id: ConnectionID
    let caller: Caller
    let loop: ConnectionLoop
    let server: ServerContext
    var harness: RequestHarness
    var machine: ConnectionMachine<PendingRequest>
    var context: ChannelHandlerContext?

    /// Bytes received and not parsed.
    var received: ByteBuffer?
    /// False during the turn in which `received` is the transport's buffer, which it uses again.
    var isReceivedOwn = false
    /// Bytes the memory budget has set aside for a large frame that is on its way.
    var reservedFrameBytes = 0
    /// When the bytes of the current turn arrived, of `MonotonicClock`.
    var turnStartedAt: UInt64 = 0
    /// Answers of the current turn; nil while there are none.
    var answers: ByteBuffer?
    var watches: [UInt64: RunningWatch] = [:]
    var lastWatchNumber: UInt64 = 0
    var logWaits: [UInt64: LogWait] = [:]

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
        harness = RequestHarness(
            permissions: CallPermissions(loop.policy.grants(for: caller)), uid: caller.uid)
        machine = ConnectionMachine(limits: ConnectionMachine.Limits(loop.server.configuration))
    }

    // MARK: Channel events

    func channelActive(context: ChannelHandlerContext) {
        self.context = context
        server.metrics.recordConnection(accepted: true)
        loop.logger.debug("connection opened", metadata: logMetadata)
        perform(machine.connected())
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        machine.bytesArrived()
        append(unwrapInboundIn(data))
        turnStartedAt = MonotonicClock.nanoseconds
        turn()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard let event = event as? ChannelEvent, event == .inputClosed else {
            return
        }
        perform(machine.inputEnded(leftover: leftover, now: MonotonicClock.nanoseconds))
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        let isWritable = context.channel.isWritable
        perform(machine.writabilityChanged(isWritable, now: MonotonicClock.nanoseconds))
        if isWritable, hasWatches {
            resumeWatches()
            settleDeliveries()
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        cleanUp()
        loop.logger.debug("connection closed", metadata: logMetadata)
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
        forgetWatches()
        forgetLogWaits()
        received?.wipeInPlace()
        received = nil
        releaseFrame()
        context = nil
    }

    /// The peer is gone, or the kernel refused I/O: nothing to tell it.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        loop.logger.debug("connection failed", metadata: logMetadata)
        context.close(promise: nil)
    }

    // MARK: Turns

    /// Parses, runs and answers until nothing more can be done, then writes and does what the machine asks for.
    func turn() {
        guard !isTurning, context != nil else {
            return
        }
        isTurning = true
        var actions: ConnectionActions
        repeat {
            parseFrames()
            startWaiting()
            flush()
            actions = machine.settled(leftover: leftover, now: MonotonicClock.nanoseconds)
        } while actions.contains(.parse)
        keepLeftover()
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
        endLogWaits(RequestFailure(.shuttingDown, "the daemon is stopping"))
        perform(machine.finish())
    }

    func closeNow() {
        context?.close(promise: nil)
    }

    func reloadPermissions() {
        harness = RequestHarness(
            permissions: CallPermissions(loop.policy.grants(for: caller)), uid: caller.uid)
        if hasWatches, !harness.permissions.allows(.watch) {
            endWatches(RequestFailure(.permissionDenied, "user \(caller.uid) has no right to watch any more"))
            settleDeliveries()
        }
        if hasLogWaits {
            let failure = RequestFailure(.permissionDenied, "user \(caller.uid) has no right to read this log any more")
            endLogWaits(failure) { !harness.permissions.allows(.readLog, name: $0.text) }
            settleDeliveries()
        }
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
            isStopping ? endWatches(RequestFailure(.shuttingDown, "the daemon is stopping")) : forgetWatches()
        }
        let endsLogWaits = actions.contains(.endWatches) && hasLogWaits
        if endsLogWaits {
            endLogWaits(nil)
        }
        if actions.contains(.refuseTruncated) {
            refuse(0, nil, RequestFailure(.frameTruncated, "the last frame is not whole"))
        }
        if actions.contains(.refuseSlowFrame) {
            let seconds = server.configuration.partialFrameTimeoutSeconds
            refuse(0, nil, RequestFailure(.frameTimeout, "a frame was not whole within \(seconds) s"))
        }
        flush()
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

    /// Actions of an event inside a turn: performed at its end.
    func note(_ actions: ConnectionActions) {
        deferredActions.formUnion(actions)
    }

    /// A write of nothing is done when all writes before it are.
    private func closeWhenWritten() {
        guard let context else {
            return
        }
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
        guard let deadline = machine.nextDeadline else {
            return
        }
        if let timer {
            guard deadline < timer.deadline else {
                return
            }
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

    var logMetadata: Logger.Metadata {
        ["connection": "\(id)", "uid": "\(caller.uid)", "pid": "\(caller.pid)"]
    }
}

extension ConnectionMachine.Limits {
    init(_ configuration: ServerConfiguration) {
        self.init(
            requestsInFlightMax: configuration.requestsInFlightMax,
            requestBytesInFlightMax: configuration.requestBytesInFlightMax,
            longReadsMax: CallLimits.longReadsPerConnectionMax,
            partialFrameTimeoutNanoseconds: UInt64(clamping: configuration.partialFrameTimeoutSeconds) * 1_000_000_000,
            answerTimeoutNanoseconds: UInt64(clamping: configuration.answerTimeoutSeconds) * 1_000_000_000)
    }
}
