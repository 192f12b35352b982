import NIOCore
import NIOPosix
import StoreBasics
import StoreProtocol
import Synchronization

/// Performs what `ConnectionMachine` decides. It owns the socket, the timers and the calls that wait for answers.
///
/// Any operation on a channel may end the channel, and SwiftNIO reports the end before the operation returns, while
/// another event is still being handled. Therefore the code that handles an event never touches the channel: it asks
/// the machine and performs the actions, which put the operations on the channel into `work`. These operations run in a
/// separate turn of the event loop, where no event is being handled.
final class ConnectionDriver: @unchecked Sendable {
    // Sendable because everything mutable is used only on `eventLoop`; methods for other threads run their work there.

    let eventLoop: any EventLoop
    let path: String
    let configuration: ClientConfiguration
    let greeting: RequestBody
    private let backoff: Backoff
    private let idSource = Atomic<UInt64>(1)

    var machine: ConnectionMachine
    var calls: [UInt64: OutgoingCall] = [:]
    var channel: (any Channel)?
    var channelNumber = 0
    var work = ChannelWork()
    var faults = ConnectionFaults()
    /// True if bytes read from this connection may contain a recovery code and must be wiped. It stays true until the
    /// connection ends, because an answer may still arrive after its caller has stopped waiting.
    var mayReadSecrets = false
    /// Calls whose secret was handed to the channel, which has not sent it yet.
    var unsentSecrets: Set<UInt64> = []
    private var timer: (deadline: UInt64, task: Scheduled<Void>)?
    private var pause: Scheduled<Void>?
    private var payloadBytesMax = FrameLimits.payloadBytesMaxDefault

    /// - Parameter greeting: The request to send first on every connection, except on the first one: there it is sent
    ///   as an ordinary call.
    init(path: String, configuration: ClientConfiguration, greeting: RequestBody) {
        // Uses a process-wide thread of SwiftNIO, so that a client adds no thread.
        eventLoop = MultiThreadedEventLoopGroup.singleton.next()
        self.path = path
        self.configuration = configuration
        self.greeting = greeting
        backoff = Backoff(first: configuration.reconnectDelayMin, longest: configuration.reconnectDelayMax)
        machine = ConnectionMachine(
            inFlightMax: max(1, configuration.inFlightCallsMax), waitingMax: max(1, configuration.waitingCallsMax))
    }

    /// The current time in nanoseconds, on the clock of the deadlines.
    static var now: UInt64 {
        NIODeadline.now().uptimeNanoseconds
    }

    func makeID() -> UInt64 {
        idSource.wrappingAdd(1, ordering: .relaxed).oldValue
    }

    /// The largest answer that is accepted.
    var largestPayloadBytes: Int {
        max(payloadBytesMax, FrameLimits.payloadBytesMaxDefault)
    }

    // MARK: From any thread

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

    /// Sets the largest frame size that the daemon reported. A value outside the range of the daemon's configuration is
    /// moved into this range.
    func adopt(payloadBytesMax: Int) {
        eventLoop.execute {
            self.payloadBytesMax = min(max(1, payloadBytesMax), FrameLimits.payloadBytesMaxHighest)
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

    // MARK: Calls

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

    func perform(_ actions: [ConnectionMachine.Action]) {
        for action in actions {
            switch action {
            case .connect: work.mustConnect = true
            case .pause(let attempt): startPause(attempt: attempt)
            case .send(let id): work.frames.append(.call(id))
            case .sendCancel(let id): work.frames.append(.cancel(id))
            case .fail(let id, let failure): fail(id, failure)
            case .disconnect: work.mustClose = true
            }
        }
        scheduleWork()
    }

    private func fail(_ id: UInt64, _ failure: ConnectionMachine.Failure) {
        if unsentSecrets.contains(id) {
            // A channel cannot cancel a single write, so the whole connection is closed.
            work.mustClose = true
        }
        let error = StoreClientError(failure, fault: faults.cause, configuration: configuration)
        calls.removeValue(forKey: id)?.onEvent(.failure(error))
    }

    // MARK: Time

    private func startPause(attempt: Int) {
        pause = afterReconnectDelay(attempt: attempt) {
            self.perform(self.machine.pauseEnded())
        }
    }

    @discardableResult
    func afterReconnectDelay(attempt: Int, _ body: @escaping @Sendable () -> Void) -> Scheduled<Void> {
        let delay = backoff.pause(before: attempt)
        return eventLoop.scheduleTask(in: .nanoseconds(delay.nanosecondsClamped), body)
    }

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

/// The processing of the frames that AnswerHandler has read.
extension ConnectionDriver {
    /// Passes the answer in a frame to the call that waits for it.
    ///
    /// - Parameter payload: The payload of one frame in the receive buffer. A recovery code in it is overwritten with
    ///   zeros.
    /// - Throws: If the payload is no valid answer. The connection cannot be used any more in that case.
    func received(_ payload: UnsafeMutableRawBufferPointer) throws(StoreClientError) {
        let bytes = UnsafeRawBufferPointer(payload)
        let outline: ResponseOutline
        do throws(ProtobufFault) {
            outline = try ResponseOutline(bytes)
        } catch {
            throw .answerUnreadable("the daemon sent bytes that are not a response")
        }
        if outline.id == 0 && outline.isError {
            // An error about the connection as a whole. The daemon closes the connection after it.
            faults.refused(try? StoreClientError(answer: Array(bytes)))
            return
        }
        // Take the recovery code out before the machine records the answer, because a call with an unreadable answer
        // has not been answered.
        let recoveryCode =
            try calls[outline.id]?.body.answersSecret == true ? SecretAnswer.extractCode(from: payload) : nil
        let kind: ConnectionMachine.AnswerKind =
            outline.errorReason(in: bytes) == ErrorReason.shuttingDown.rawValue
            ? .refusedBecauseShuttingDown : .result(isFinal: !outline.hasMore)
        let received = machine.received(outline.id, kind)
        if received.delivery != .toNobody {
            faults.answered()
            let isFinal = received.delivery == .asLast
            let call = isFinal ? calls.removeValue(forKey: outline.id) : calls[outline.id]
            let piece = call?.body.answersPiece == true ? FilePiece(in: bytes, outline) : nil
            call?.onEvent(
                .answer(
                    Answer(
                        payload: piece == nil ? Array(bytes) : [], isFinal: isFinal, recoveryCode: recoveryCode,
                        piece: piece, isError: outline.isError)))
        }
        perform(received.actions)
    }
}
