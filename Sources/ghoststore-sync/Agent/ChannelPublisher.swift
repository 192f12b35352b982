import Logging
import ReplicaTransport

/// Publishes what the daemon has for one channel, in order, until the channel is none of its any more.
struct ChannelPublisher {
    let channel: ChannelName
    let store: any ReplicaStore
    let stream: any ReplicaStream
    let board: SessionBoard
    let figures: AgentFigures
    let logger: Logger
    /// How long the daemon may wait for a message.
    static let wait = Duration.seconds(2)

    func run(storedThrough: UInt64) async throws {
        var machine = PublishMachine(channel: channel.text, storedThrough: storedThrough)
        var retry = ChannelRetry(channel, logger, figures)
        var pace = TakePace()
        while board.isOutgoing(channel) {
            try Task.checkCancellation()
            if case .forked(let sequence) = machine.step {
                tellFork(sequence)
                return
            }
            do {
                try await perform(machine.step, &machine, &retry, &pace)
            } catch {
                machine.failed()
                try await retry.failed(error)
            }
        }
    }

    private func perform(
        _ step: PublishMachine.Step, _ machine: inout PublishMachine, _ retry: inout ChannelRetry,
        _ pace: inout TakePace
    ) async throws {
        switch step {
        case .readLast:
            if let notice = machine.read(last: try await stream.last(of: channel)) { tell(notice) }
        case .readMessage(let sequence):
            let found = try await stream.find(sequence, of: channel)
            machine.read(found, at: sequence)
        case .take(let storedThrough, let waits):
            if waits { try await Task.sleep(until: pace.nextTake, clock: .continuous) }
            let start = ContinuousClock.now
            let messages = try await store.outgoing(
                channel: channel.text, storedThrough: storedThrough, limitBytes: board.bytesOfRound,
                wait: waits ? Self.wait : .zero)
            pace.took(bytes: messages.reduce(0) { $0 + $1.bytes.count }, from: start, to: .now)
            machine.took(messages)
            retry.succeeded()
            // A daemon that does not wait is not asked all the time.
            if messages.isEmpty { try await Task.sleep(for: .milliseconds(20)) }
        case .publish(let message, let last):
            let outcome = try await stream.publish(message, on: channel, behind: last)
            machine.published(outcome)
            switch outcome {
            case .stored:
                figures.published(channel.kind, bytes: message.bytes.count)
                retry.succeeded()
            case .duplicate: figures.count("published_again")
            case .wrongLastSequence:
                figures.count("published_out_of_order")
                try await retry.pause()
            case .noQuorumYet: try await retry.noQuorum()
            }
        case .forked: break
        }
    }

    private func tell(_ notice: PublishMachine.Notice) {
        switch notice {
        case .lost(through: 0, _) where stream.forgetsByAge: break
        case .lost(let through, let storedThrough):
            figures.count("lost_in_stream")
            logger.error(
                "the stream has lost messages of this device: other devices may need a snapshot",
                metadata: [
                    "channel": "\(channel.text)", "kept_through": "\(through)", "stored_through": "\(storedThrough)",
                ])
        }
    }

    private func tellFork(_ sequence: UInt64) {
        board.forked(channel)
        logger.error(
            "forked: another store publishes as this device, so nothing of this one is published any more",
            metadata: ["channel": "\(channel.text)", "sequence": "\(sequence)"])
    }
}
