import Glibc
import NIOCore
import NIOPosix
import StoreBasics
import StoreProtocol

/// What is to be done to the channel, in the order of the members.
struct ChannelWork {
    enum Frame: Hashable {
        /// The first one of a connection.
        case greeting
        /// Made when it is written: a call that has ended by then is not sent any more.
        case call(UInt64)
        case cancel(UInt64)
    }

    var mustClose = false
    var mustConnect = false
    /// For the present connection, in order.
    var frames: [Frame] = []
    var isScheduled = false

    var isEmpty: Bool {
        !mustClose && !mustConnect && frames.isEmpty
    }
}

/// All that touches the channel.
extension ConnectionDriver {
    /// The pause between two attempts to connect to a daemon that is slow to accept connections.
    private static let acceptPause = TimeAmount.milliseconds(10)

    /// Frames of one turn of the event loop leave in one system call.
    func scheduleWork() {
        guard !work.isEmpty, !work.isScheduled else { return }
        work.isScheduled = true
        eventLoop.execute {
            self.doWork()
        }
    }

    /// Each step takes what it does out of `work` first and is the last to need it: it may end the channel and have the
    /// next one ready when it returns.
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

    /// - Parameter end: When to stop trying, if the daemon is slow to accept connections.
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

    /// Reported by AnswerHandler.
    func lost(channelNumber: Int, error: StoreClientError?) {
        guard channelNumber == self.channelNumber, channel != nil else { return }
        channel = nil
        mayReadSecrets = false
        // What is sent again is asked for again; of what is not, no secret must reach the next connection.
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
                // Serializing one integer does not fail; if it did, the daemon would go on sending what nobody reads.
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

    /// A request whose answer nobody waits for.
    private func appendUnanswered(_ body: RequestBody, to buffer: inout ByteBuffer) {
        RequestFrame.append(id: makeID(), deadlineMilliseconds: 0, body: body.bytes, to: &buffer)
    }

    /// What is left of a deadline, rounded up; 0 means none.
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
