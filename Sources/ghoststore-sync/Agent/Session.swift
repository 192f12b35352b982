import Logging
import ReplicaModel
import ReplicaTransport

/// The work during one connection to the stream: polls the daemon's status, and runs a task for each channel in it.
struct Session {
    let store: any ReplicaStore
    let stream: any ReplicaStream
    let limits: AgentLimits
    let figures: AgentFigures
    let logger: Logger

    private enum Part: Hashable {
        case status
        case channel(ChannelWork)
    }

    /// The running tasks, and whether the warning about too many channels was logged.
    private struct Running {
        var works: Set<ChannelWork> = []
        var isShortageLogged = false
    }

    /// - Throws: errors that end the connection, and `CancellationError`.
    func run() async throws {
        var retry = DaemonRetry(logger, figures)
        let first = try await status(&retry)
        let board = SessionBoard(
            first, bytesInFlight: limits.bytesInFlight, roundBytes: limits.roundBytes, figures: figures)
        try await withThrowingTaskGroup(of: Part.self) { group in
            var running = Running()
            var current = first
            var pace = StatusPace()
            start(current, board, &running, &group)
            ask(again: pace.pause(after: current, at: .now), &group)
            while let ended = try await group.next() {
                if case .channel(let work) = ended {
                    running.works.remove(work)
                    continue
                }
                guard !stream.isClosed else { throw TransportError(.closed, "the connection to the servers ended") }
                current = try await status(&retry)
                start(current, board, &running, &group)
                try await stream.removeUnneeded(current)
                ask(again: pace.pause(after: current, at: .now), &group)
            }
        }
    }

    private func ask(again pause: Duration, _ group: inout ThrowingTaskGroup<Part, any Error>) {
        group.addTask {
            try await Task.sleep(for: pause)
            return .status
        }
    }

    private func status(_ retry: inout DaemonRetry) async throws -> ReplicaStoreStatus {
        while true {
            do {
                let status = try await store.status()
                retry.succeeded()
                return status
            } catch {
                try await retry.failed(error)
            }
        }
    }

    /// Starts the channels that the daemon wants and that are not running. A channel that the daemon no longer wants
    /// ends by itself.
    private func start(
        _ status: ReplicaStoreStatus, _ board: SessionBoard, _ running: inout Running,
        _ group: inout ThrowingTaskGroup<Part, any Error>
    ) {
        board.update(status)
        figures.say(Self.line(status))
        let outgoing = status.outgoing.map(\.channel).filter { !board.isForked($0) }
        let (started, waitingCount) = ChannelRoom(channelsMax: limits.channelsMax).assign(
            outgoing.map { .outgoing($0) } + status.followed.map { .followed($0.channel) }, running: running.works)
        reportWaitingChannels(waitingCount, &running)
        for work in started {
            running.works.insert(work)
            switch work {
            case .outgoing(let channel):
                let publisher = ChannelPublisher(
                    channel: channel, store: store, stream: stream, board: board, figures: figures, logger: logger)
                let place = status.outgoing.first { $0.channel == channel }?.storedThrough ?? 0
                group.addTask {
                    try await publisher.run(storedThrough: place)
                    return .channel(work)
                }
            case .followed(let channel):
                let following = ChannelFollowing(
                    channel: channel, store: store, stream: stream, board: board, figures: figures, logger: logger)
                group.addTask {
                    try await following.run()
                    return .channel(work)
                }
            }
        }
    }

    private func reportWaitingChannels(_ waitingCount: Int, _ running: inout Running) {
        figures.set(.waitingChannels, waitingCount)
        if waitingCount > 0, !running.isShortageLogged {
            logger.warning(
                "there are more channels than limits.channels_max: the agent does not use all of them yet",
                metadata: ["waiting": "\(waitingCount)", "limit": "\(limits.channelsMax)"])
        }
        running.isShortageLogged = waitingCount > 0
    }

    private static func line(_ status: ReplicaStoreStatus) -> String {
        switch status.state {
        case .none: "the store is in no replica group"
        case .joining: "the store is joining a replica group"
        case .removed: "the store was removed from its replica group"
        case .changed: "a backup replaced the store: leave the replica group and join it again"
        case .member: "published channels: \(status.outgoing.count), followed channels: \(status.followed.count)"
        }
    }
}
