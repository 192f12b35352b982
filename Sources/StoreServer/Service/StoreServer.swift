package import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
package import StoreEngine
import StoreProtocol
import Synchronization

/// Serves a store to clients on listening sockets until it is asked to stop.
///
/// It stops gracefully: it accepts no more connections and requests, answers those in flight for at most
/// `drainTimeoutSeconds`, and then closes everything. The engine stays open; its owner shuts it down.
package final class StoreServer: Service {
    let server: ServerContext
    private let listeners: [ListeningSocket]
    private let state: Mutex<State>

    private struct State {
        var policy: AccessPolicy
        var logger: Logger
        var loops: [ConnectionLoop] = []
    }

    /// - Parameter listeners: Bound sockets. The server takes over their descriptors. The caller removes the files of
    ///   the sockets after `run` has returned.
    package init(
        engine: StoreEngine, configuration: ServerConfiguration, policy: AccessPolicy, listeners: [ListeningSocket],
        logger: Logger, audit: AuditLog
    ) {
        server = ServerContext(engine: engine, configuration: configuration, audit: audit)
        self.listeners = listeners
        state = Mutex(State(policy: policy, logger: logger))
    }

    /// Applies new rules and a new log level, also to open connections. A watch that is no longer allowed ends.
    package func reload(policy: AccessPolicy, logLevel: Logger.Level) {
        let loops = state.withLock { state in
            state.policy = policy
            state.logger.logLevel = logLevel
            return state.loops
        }
        for loop in loops {
            loop.outbox.post(.reload(policy, logLevel))
        }
    }

    /// Calls back when every event loop has run a task; calls back at once if there is no event loop. May be called on
    /// any thread.
    package func askEventLoops(_ answered: @escaping @Sendable () -> Void) {
        Self.ask(state.withLock { $0.loops.map(\.eventLoop) }[...], answered)
    }

    private static func ask(_ loops: ArraySlice<any EventLoop>, _ answered: @escaping @Sendable () -> Void) {
        guard let first = loops.first else { return answered() }
        first.execute { ask(loops.dropFirst(), answered) }
    }

    /// Serves until graceful shutdown or cancellation.
    ///
    /// - Throws: The error of the operating system if a listening socket cannot be served.
    package func run() async throws {
        async let _: Void = server.audit.reportPeriodically()
        async let _: Void = server.causedLines.reportPeriodically { logger }
        defer {
            server.audit.logSuppressed()
            server.causedLines.logSuppressed(to: logger)
        }
        try await serve()
    }

    private func serve() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: server.configuration.eventLoopThreads)
        let loops = makeLoops(group)
        server.hub.start(server.engine)
        do {
            let channels = try await listen(group, loops)
            logger.info("serving", metadata: ["sockets": "\(listeners.map(\.path).joined(separator: " "))"])
            try? await gracefulShutdown()
            for channel in channels {
                try? await channel.close().get()
            }
        } catch {
            server.hub.stop()
            await end(loops)
            try await group.shutdownGracefully()
            throw error
        }
        await drain(loops)
        server.hub.stop()
        await end(loops)
        try await group.shutdownGracefully()
    }

    private var logger: Logger {
        state.withLock { $0.logger }
    }

    private func makeLoops(_ group: MultiThreadedEventLoopGroup) -> [ObjectIdentifier: ConnectionLoop] {
        state.withLock { state in
            var loops: [ObjectIdentifier: ConnectionLoop] = [:]
            for eventLoop in group.makeIterator() {
                loops[ObjectIdentifier(eventLoop)] = ConnectionLoop(
                    server: server, eventLoop: eventLoop, policy: state.policy, logger: state.logger)
            }
            state.loops = Array(loops.values)
            return loops
        }
    }

    private func listen(
        _ group: MultiThreadedEventLoopGroup, _ loops: [ObjectIdentifier: ConnectionLoop]
    ) async throws -> [any Channel] {
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.maxMessagesPerRead, value: Self.acceptsPerPass)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AcceptPause())
                }
            }
            .childChannelOption(.autoRead, value: false)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(
                .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 1_024, initial: 2_048, maximum: 65_536)
            )
            .childChannelOption(.writeBufferWaterMark, value: Self.waterMark(server.configuration))
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    guard let loop = loops[ObjectIdentifier(channel.eventLoop)] else {
                        preconditionFailure("every event loop must have a connection loop")
                    }
                    try loop.adopt(channel)
                }
            }
        var channels: [any Channel] = []
        for listener in listeners {
            channels.append(try await bootstrap.withBoundSocket(listener.descriptor).get())
            try listener.listen()
        }
        return channels
    }

    /// Returns two numbers of unread bytes of answers: above the high one, the daemon stops reading from a connection;
    /// below the low one, it continues.
    static func waterMark(_ configuration: ServerConfiguration) -> ChannelOptions.Types.WriteBufferWaterMark {
        let high = configuration.answerBytesPendingMax
        return ChannelOptions.Types.WriteBufferWaterMark(low: high / 2, high: high)
    }

    /// Lets every connection answer its requests in flight, for a limited time.
    private func drain(_ loops: [ObjectIdentifier: ConnectionLoop]) async {
        for loop in loops.values {
            loop.outbox.post(.finishAll)
        }
        let deadline = ContinuousClock.now.advanced(by: .seconds(server.configuration.drainTimeoutSeconds))
        while server.registry.total > 0, ContinuousClock.now < deadline {
            do {
                try await Task.sleep(for: Self.drainPollInterval)
            } catch {
                break
            }
        }
        let left = server.registry.total
        if left > 0 {
            logger.warning(
                "connections were closed while requests were in progress", metadata: ["connections": "\(left)"])
        }
    }

    /// Closes the remaining connections.
    private func end(_ loops: [ObjectIdentifier: ConnectionLoop]) async {
        for loop in loops.values {
            try? await loop.end().get()
        }
    }

    /// The number of connections that the loop accepts before it does other work. It is large enough that a burst of
    /// new connections is accepted soon.
    private static let acceptsPerPass: UInt = 64
    private static let drainPollInterval = Duration.milliseconds(5)
}
