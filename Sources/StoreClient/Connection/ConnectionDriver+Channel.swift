import Glibc
import NIOCore
import NIOPosix
import StoreBasics
import StoreProtocol

/// Pending operations on the channel. They are performed in the order of the members.
struct ChannelWork {
    enum Frame: Hashable {
        /// The first frame of a connection.
        case greeting
        /// The frame of a call. It is created when it is written, so that a call that has ended by then is not sent.
        case call(UInt64)
        case cancel(UInt64)
    }

    var mustClose = false
    var mustConnect = false
    /// The frames for the present connection, in order.
    var frames: [Frame] = []
    var isScheduled = false

    var isEmpty: Bool {
        !mustClose && !mustConnect && frames.isEmpty
    }
}

/// All operations on the channel.
extension ConnectionDriver {
    /// The pause between two attempts to connect to a daemon that is slow to accept connections.
    private static let acceptPause = TimeAmount.milliseconds(10)

    /// Schedules the pending operations. All frames of one turn of the event loop are sent with one system call.
    func scheduleWork() {
        guard !work.isEmpty, !work.isScheduled else { return }
        work.isScheduled = true
        eventLoop.execute {
            self.doWork()
        }
    }

    /// Performs the pending operations. Each step first removes its operation from `work`, and touches the channel
    /// last: the operation may end the channel, and the next channel may be ready when the step returns.
    private func doWork() {
        work.isScheduled = false
        if work.mustClose {
            work.mustClose = false
            channel?.close(promise: nil)
        }
        if work.mustConnect {
            work.mustConnect = false
            connect()
        }
        writeFrames()
    }

    // MARK: Connecting

    private func connect() {
        channelNumber += 1
        connect(until: .now() + .nanoseconds(configuration.connectTimeout.nanosecondsClamped))
    }

    /// Connects to the daemon's socket. If the daemon is slow to accept connections, tries again after a pause.
    ///
    /// - Parameter end: The time at which attempts stop, if the daemon is slow to accept connections.
    private func connect(until end: NIODeadline) {
        guard !machine.isClosed else { return }
        do throws(SystemError) {
            let descriptor = try LocalSocket.connect(to: path)
            let number = channelNumber
            ClientBootstrap(group: eventLoop)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(
                            AnswerHandler(driver: self, channelNumber: number))
                    }
                }
                .withConnectedSocket(descriptor)
                .whenComplete { result in
                    self.connectEnded(result.mapError { SystemError(($0 as? IOError)?.errnoCode ?? EIO) })
                }
        } catch {
            guard error.number == EAGAIN, NIODeadline.now() < end else { return connectEnded(.failure(error)) }
            eventLoop.scheduleTask(in: Self.acceptPause) {
                self.connect(until: end)
            }
        }
    }

    private func connectEnded(_ result: Result<any Channel, SystemError>) {
        switch result {
        case .success(let channel) where channel.isActive:
            self.channel = channel
            faults.connected()
            if channelNumber > 1 {
                work.frames.append(.greeting)
            }
            perform(machine.connected())
        case .success:
            faults.connectFailed(.closedWithoutAnswer)
            perform(machine.connectFailed())
        case .failure(let error):
            faults.connectFailed(SocketPath.connectError(path: path, errno: error.number))
            perform(machine.connectFailed())
        }
    }

    /// Called by AnswerHandler when the connection has ended.
    func lost(channelNumber: Int, error: StoreClientError?) {
        guard channelNumber == self.channelNumber, channel != nil else { return }
        channel = nil
        mayReadSecrets = false
        // Drop the frames that were not written. A call that is repeated gets a new frame. No other call, and none of
        // its secrets, reaches the next connection.
        work.frames = []
        faults.lost(error, isAwaited: !calls.isEmpty)
        perform(machine.connectionLost(isUnreadable: error?.reason == .answerUnreadable))
    }

    // MARK: Writing

    private func writeFrames() {
        guard let channel, !work.frames.isEmpty else { return }
        let frames = work.frames
        work.frames = []
        let now = Self.now
        var buffer = channel.allocator.buffer(capacity: 1_024)
        for frame in frames {
            switch frame {
            case .greeting:
                appendUnanswered(greeting, to: &buffer)
            case .cancel(let id):
                // Serializing one integer does not fail. If it did, the daemon would continue to send answers that no
                // caller reads.
                if let body = try? RequestBody.cancel(id) {
                    appendUnanswered(body, to: &buffer)
                }
            case .call(let id):
                append(id, now: now, to: &buffer, channel)
            }
        }
        if buffer.readableBytes > 0 {
            channel.write(buffer, promise: nil)
        }
        channel.flush()
    }

    private func append(_ id: UInt64, now: UInt64, to buffer: inout ByteBuffer, _ channel: any Channel) {
        guard let call = calls[id] else {
            perform(machine.notWritten(id))
            return
        }
        mayReadSecrets = mayReadSecrets || call.body.answersSecret
        let deadline = Self.deadlineMilliseconds(call.terms.deadline, now: now)
        guard !call.body.secrets.isEmpty else {
            RequestFrame.append(id: id, deadlineMilliseconds: deadline, body: call.body.bytes, to: &buffer)
            return
        }
        let secretFrame = RequestFrame.withSecrets(
            id: id, deadlineMilliseconds: deadline, body: call.body, allocator: channel.allocator)
        guard let secretFrame else {
            perform(machine.notWritten(id))
            return
        }
        if buffer.readableBytes > 0 {
            channel.write(buffer, promise: nil)
            buffer = channel.allocator.buffer(capacity: 1_024)
        }
        unsentSecrets.insert(id)
        channel.write(secretFrame).whenComplete { _ in
            RequestFrame.wipe(secretFrame)
            self.unsentSecrets.remove(id)
        }
    }

    /// Appends a request whose answer no caller waits for.
    private func appendUnanswered(_ body: RequestBody, to buffer: inout ByteBuffer) {
        RequestFrame.append(id: makeID(), deadlineMilliseconds: 0, body: body.bytes, to: &buffer)
    }

    /// Returns the remaining time of a deadline, rounded up; 0 means no deadline.
    private static func deadlineMilliseconds(_ deadline: UInt64?, now: UInt64) -> UInt32 {
        guard let deadline else { return 0 }
        let left = deadline > now ? deadline - now : 0
        return UInt32(clamping: max(1, left.quotientRoundedUp(dividingBy: 1_000_000)))
    }
}

extension UInt64 {
    fileprivate func quotientRoundedUp(dividingBy divisor: UInt64) -> UInt64 {
        self / divisor + (self % divisor == 0 ? 0 : 1)
    }
}
