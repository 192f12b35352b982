import NIOCore
import NIOPosix
import StoreProtocol
import Synchronization

/// Performs what `ConnectionMachine` decides: owns the socket, the timers and the calls that wait for answers.
final class ConnectionDriver: @unchecked Sendable {
    // Sendable because everything mutable is only touched on `eventLoop`; each entry point from outside hops there.

    private let eventLoop: any EventLoop
    private let path: String
    private let configuration: ClientConfiguration
    private let reconnectDelay: ReconnectDelay
    private let greeting: RequestBody
    private let idSource = Atomic<UInt64>(1)

    private var machine: ConnectionMachine
    private var calls: [UInt64: OutgoingCall] = [:]
    private var channel: (any Channel)?
    private var channelNumber = 0
    private var outgoing: ByteBuffer
    private var isFlushScheduled = false
    private var timer: (deadline: UInt64, task: Scheduled<Void>)?
    private var pause: Scheduled<Void>?
    /// The last thing known to be wrong with the connection, for the messages of calls that fail by it.
    private var connectionFault: StoreClientError?
    /// Whether bytes read from this connection may hold a recovery code and are to be wiped. Stays until the
    /// connection ends: an answer nobody waits for any more may still come.
    private(set) var mayReadSecrets = false
    private var payloadBytesMax = FrameLimits.payloadBytesMaxDefault

    /// - Parameter greeting: sent first on every connection but the first, where it is a call of its own.
    init(path: String, configuration: ClientConfiguration, greeting: RequestBody) {
        // The process-wide threads of SwiftNIO: a client adds no thread of its own.
        eventLoop = MultiThreadedEventLoopGroup.singleton.next()
        self.path = path
        self.configuration = configuration
        self.greeting = greeting
        reconnectDelay = ReconnectDelay(min: configuration.reconnectDelayMin, max: configuration.reconnectDelayMax)
        machine = ConnectionMachine(
            inFlightMax: max(1, configuration.inFlightCallsMax), waitingMax: max(1, configuration.waitingCallsMax))
        outgoing = ByteBuffer()
    }

    /// Nanoseconds of the clock that deadlines are given in.
    static var now: UInt64 {
        NIODeadline.now().uptimeNanoseconds
    }

    func makeID() -> UInt64 {
        idSource.wrappingAdd(1, ordering: .relaxed).oldValue
    }

    // MARK: - From any thread

    func submit(_ call: OutgoingCall) {
        eventLoop.execute {
            self.accept(call)
        }
    }

    func cancel(_ id: UInt64) {
        eventLoop.execute {
            self.perform(self.machine.cancel(id))
        }
    }

    /// Takes over the frame size the daemon told.
    func adopt(payloadBytesMax: Int) {
        eventLoop.execute {
            self.payloadBytesMax = max(1, payloadBytesMax)
        }
    }

    /// Ends every call and closes the connection.
    func close(whenClosed: @escaping @Sendable () -> Void = {}) {
        eventLoop.execute {
            let closing = self.channel?.closeFuture
            self.perform(self.machine.close())
            self.timer?.task.cancel()
            self.pause?.cancel()
            if let closing {
                closing.whenComplete { _ in whenClosed() }
            } else {
                whenClosed()
            }
        }
    }

    // MARK: - Calls

    private func accept(_ call: OutgoingCall) {
        guard call.body.bytes.count + RequestFrame.prefixBytesMax <= payloadBytesMax else {
            call.onEvent(.failure(.requestTooLarge(bytes: call.body.bytes.count, bytesMax: payloadBytesMax)))
            return
        }
        calls[call.id] = call
        perform(machine.submit(call.id, call.terms))
        if let deadline = call.terms.deadline, deadline < timer?.deadline ?? .max {
            startTimer(deadline)
        }
    }

    private func perform(_ actions: [ConnectionMachine.Action]) {
        for action in actions {
            switch action {
            case .connect: connect()
            case .pause(let attempt): startPause(attempt: attempt)
            case .send(let id): send(id)
            case .sendCancel(let id): sendCancel(id)
            case .fail(let id, let failure): fail(id, failure)
            case .disconnect: channel?.close(promise: nil)
            case .deliver: preconditionFailure("answers are delivered where they are received")
            }
        }
    }

    private func fail(_ id: UInt64, _ failure: ConnectionMachine.Failure) {
        let error = StoreClientError(failure, fault: connectionFault, configuration: configuration)
        calls.removeValue(forKey: id)?.onEvent(.failure(error))
    }

    // MARK: - Sending

    private func send(_ id: UInt64) {
        guard let call = calls[id] else {
            return
        }
        mayReadSecrets = mayReadSecrets || call.body.answersSecret
        let deadline = Self.deadlineMilliseconds(call.terms.deadline, now: Self.now)
        guard !call.body.secrets.isEmpty else {
            RequestFrame.append(id: id, deadlineMilliseconds: deadline, body: call.body.bytes, to: &outgoing)
            scheduleFlush()
            return
        }
        flush()
        guard
            let channel,
            let frame = RequestFrame.withSecrets(
                id: id, deadlineMilliseconds: deadline, body: call.body, allocator: channel.allocator)
        else {
            preconditionFailure("a call with secrets is sent once, over an open connection")
        }
        channel.writeAndFlush(frame).whenComplete { _ in RequestFrame.wipe(frame) }
    }

    private func sendCancel(_ id: UInt64) {
        // Serializing one integer does not fail; if it did, the daemon would go on sending what nobody reads.
        if let body = try? RequestBody.cancel(id) {
            write(body)
        }
    }

    /// Sends a request whose answer nobody waits for.
    private func write(_ body: RequestBody) {
        RequestFrame.append(id: makeID(), deadlineMilliseconds: 0, body: body.bytes, to: &outgoing)
        scheduleFlush()
    }

    /// Frames written in one turn of the event loop leave in one system call.
    private func scheduleFlush() {
        guard !isFlushScheduled else {
            return
        }
        isFlushScheduled = true
        eventLoop.execute {
            self.flush()
        }
    }

    private func flush() {
        isFlushScheduled = false
        guard let channel, outgoing.readableBytes > 0 else {
            outgoing.clear()
            return
        }
        channel.writeAndFlush(outgoing, promise: nil)
        outgoing = channel.allocator.buffer(capacity: 1_024)
    }

    /// What is left of a deadline, rounded up; 0 means none.
    private static func deadlineMilliseconds(_ deadline: UInt64?, now: UInt64) -> UInt32 {
        guard let deadline else {
            return 0
        }
        let left = deadline > now ? deadline - now : 0
        return UInt32(clamping: max(1, left.quotientRoundedUp(dividingBy: 1_000_000)))
    }

    // MARK: - Connecting

    private func connect() {
        channelNumber += 1
        let number = channelNumber
        ClientBootstrap(group: eventLoop)
            .connectTimeout(.nanoseconds(configuration.connectTimeout.nanosecondsClamped))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AnswerHandler(driver: self, channelNumber: number))
                }
            }
            .connect(unixDomainSocketPath: path)
            .whenComplete { result in
                self.connectEnded(result)
            }
    }

    private func connectEnded(_ result: Result<any Channel, any Error>) {
        switch result {
        case .success(let channel) where channel.isActive:
            self.channel = channel
            outgoing.clear()
            connectionFault = nil
            if channelNumber > 1 {
                write(greeting)
            }
            let actions = machine.connected()
            perform(actions)
            if machine.isClosed {
                channel.close(promise: nil)
            }
        case .success:
            connectionFault = SocketPath.connectError(path: path, errno: nil)
            perform(machine.connectFailed())
        case .failure(let error):
            connectionFault = SocketPath.connectError(path: path, errno: (error as? IOError)?.errnoCode)
            perform(machine.connectFailed())
        }
    }

    private func startPause(attempt: Int) {
        let delay = reconnectDelay.delay(attempt: attempt, chance: .random(in: 0...1))
        pause = eventLoop.scheduleTask(in: .nanoseconds(delay.nanosecondsClamped)) {
            self.perform(self.machine.pauseEnded())
        }
    }

    // MARK: - Time

    private func startTimer(_ deadline: UInt64) {
        timer?.task.cancel()
        let task = eventLoop.scheduleTask(deadline: .uptimeNanoseconds(deadline)) {
            self.timer = nil
            self.perform(self.machine.expire(now: Self.now))
            if let next = self.machine.nextDeadline {
                self.startTimer(next)
            }
        }
        timer = (deadline, task)
    }
}

// MARK: - What AnswerHandler reports, on the event loop

extension ConnectionDriver {
    var largestPayloadBytes: Int {
        max(payloadBytesMax, FrameLimits.payloadBytesMaxDefault)
    }

    func received(_ payload: UnsafeMutableRawBufferPointer) throws(StoreClientError) {
        let bytes = UnsafeRawBufferPointer(payload)
        let outline: AnswerOutline
        do throws(ProtobufFault) {
            outline = try AnswerOutline(bytes)
        } catch {
            throw .answerUnreadable("the daemon sent what is not a response")
        }
        if outline.id == 0 && outline.isError {
            // About the connection as a whole, which the daemon closes next.
            connectionFault = try? StoreClientError(answer: Array(bytes))
            return
        }
        let kind: ConnectionMachine.AnswerKind =
            outline.errorReason(in: bytes) == ErrorReason.shuttingDown.rawValue
            ? .refusedBecauseShuttingDown : .result(isFinal: !outline.hasMore)
        for action in machine.received(outline.id, kind) {
            if case .deliver(let id, let isFinal) = action {
                try deliver(payload, to: id, isFinal: isFinal)
            } else {
                perform([action])
            }
        }
    }

    private func deliver(
        _ payload: UnsafeMutableRawBufferPointer, to id: UInt64, isFinal: Bool
    ) throws(StoreClientError) {
        guard let call = isFinal ? calls.removeValue(forKey: id) : calls[id] else {
            return
        }
        var recoveryCode: LockedBytesBox?
        if call.body.answersSecret {
            do {
                recoveryCode = try SecretAnswer.take(from: payload)
            } catch {
                call.onEvent(.failure(error))
                throw error
            }
        }
        call.onEvent(.answer(Answer(payload: Array(payload), isFinal: isFinal, recoveryCode: recoveryCode)))
    }

    func lost(channelNumber: Int, error: StoreClientError?) {
        guard channelNumber == self.channelNumber, channel != nil else {
            return
        }
        channel = nil
        mayReadSecrets = false
        // What the daemon said before it closed tells more than how the socket broke.
        connectionFault = connectionFault ?? error
        perform(machine.connectionLost())
    }
}

extension UInt64 {
    fileprivate func quotientRoundedUp(dividingBy divisor: UInt64) -> UInt64 {
        self / divisor + (self % divisor == 0 ? 0 : 1)
    }
}
