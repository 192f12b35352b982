import Logging
import ReplicaModel
import ReplicaTransport
import StoreClient

/// Publishes the daemon's messages of one channel, in order, while the daemon publishes in the channel.
struct ChannelPublisher {
    let channel: ReplicaChannel
    let store: any ReplicaStore
    let stream: any ReplicaStream
    let board: SessionBoard
    let figures: AgentFigures
    let logger: Logger
    /// The longest time that a request waits for a message in the daemon.
    static let wait = Duration.seconds(30)

    private struct State {
        var machine: PublishMachine
        var retry: ChannelRetry
        var pace = RequestPace()
        var isForeignLogged = false
    }

    func run(storedThrough: UInt64) async throws {
        var state = State(
            machine: PublishMachine(channel: channel.text, storedThrough: storedThrough),
            retry: ChannelRetry(channel, logger, figures))
        while board.isOutgoing(channel) {
            try Task.checkCancellation()
            if case .forked(let sequence) = state.machine.step {
                reportFork(sequence)
                return
            }
            do {
                try await perform(state.machine.step, &state)
            } catch {
                state.machine.failed()
                try await state.retry.failed(error)
            }
        }
    }

    private func perform(_ step: PublishMachine.Step, _ state: inout State) async throws {
        switch step {
        case .readLast:
            reportNotice(state.machine.read(last: try await stream.last(of: channel)), &state)
        case .readMessage(let sequence):
            let found = try await stream.find(sequence, of: channel)
            state.machine.read(found, at: sequence)
            // In a folder, the message may arrive later.
            if found == nil { try await state.retry.pause() }
        case .readPlace(let place):
            let found = try await stream.message(of: channel, at: place)
            if !state.machine.readPlace(found) { try await state.retry.pause() }
        case .judge(let message):
            reportNotice(state.machine.judged(try await judgement(of: message)), &state)
        case .take(let storedThrough, let waits):
            try await fetchMessages(behind: storedThrough, waits: waits, &state)
        case .publish(let message, let last):
            try await publish(message, behind: last, &state)
        case .forked: break
        }
    }

    private func fetchMessages(behind storedThrough: UInt64, waits: Bool, _ state: inout State) async throws {
        if waits { try await Task.sleep(until: state.pace.nextRequestTime, clock: .continuous) }
        let start = ContinuousClock.now
        let messages = try await store.outgoing(
            channel: channel, storedThrough: storedThrough, limitBytes: board.bytesOfRound,
            wait: waits ? Self.wait : .zero)
        state.pace.recordRequest(bytes: messages.reduce(0) { $0 + $1.bytes.count }, from: start, to: .now)
        state.machine.received(messages)
        state.retry.succeeded()
        // Pause if the daemon answers without waiting, to avoid a busy loop.
        if messages.isEmpty { try await Task.sleep(for: .milliseconds(20)) }
    }

    private func publish(
        _ message: OutgoingMessage, behind last: ExpectedLast, _ state: inout State
    ) async throws {
        let outcome = try await stream.publish(message, on: channel, behind: last)
        state.machine.published(outcome)
        switch outcome {
        case .stored:
            figures.published(channel.kind, bytes: message.bytes.count)
            state.retry.succeeded()
        case .duplicate: figures.count(.publishedAgain)
        case .wrongLastSequence:
            figures.count(.publishedOutOfOrder)
            try await state.retry.pause()
        case .noQuorumYet: try await state.retry.noQuorum()
        }
    }

    private func judgement(of message: StreamMessage) async throws -> PublishMachine.Judgement {
        switch try await store.handIn(channel: channel, bytes: message.bytes, isOldestKept: false) {
        case .merged: .own
        case .refused(.forked): .copy
        case .refused, .waits: .foreign
        }
    }

    private func reportNotice(_ notice: PublishMachine.Notice?, _ state: inout State) {
        switch notice {
        case nil: break
        case .lost(through: 0, _) where stream.forgetsByAge: break
        case .lost(let through, let storedThrough):
            figures.count(.lostInStream)
            logger.error(
                "the stream has lost messages of this device: other devices may need a snapshot",
                metadata: [
                    "channel": "\(channel.text)", "kept_through": "\(through)", "stored_through": "\(storedThrough)",
                ])
        case .foreign(let message):
            figures.count(.foreignMessages)
            guard !state.isForeignLogged else { return }
            state.isForeignLogged = true
            if case .joinRequest = channel { return logger.reportUsedCode(channel) }
            logger.error(
                "another client put a message into this device's channel: the message is ignored",
                metadata: ["channel": "\(channel.text)", "stream_sequence": "\(message.streamSequence)"])
        }
    }

    private func reportFork(_ sequence: UInt64) {
        board.forked(channel)
        logger.error(
            "forked: another store publishes as this device, so this device publishes nothing any more",
            metadata: ["channel": "\(channel.text)", "sequence": "\(sequence)"])
    }
}
