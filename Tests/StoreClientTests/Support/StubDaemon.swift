import GhostTestSupport
import NIOCore
import NIOPosix
import StoreProtocol
import SwiftProtobuf
import Synchronization
import TestBasics

@testable import StoreClient

/// A daemon on a real socket that answers as the test wants, for behaviour that the real daemon cannot be made to show
/// at the right moment. The stub itself responds to Hello.
final class StubDaemon: Sendable {
    typealias Behaviour = @Sendable (WireRequest, StubConnection) -> Void

    let directory: TemporaryDirectory
    var path: String { directory.file("socket") }
    private let frameBytesMax: UInt32
    private let behaviour: Behaviour
    private let listener: Mutex<(any Channel)?>
    private let received = Mutex<[WireRequest]>([])
    private let connectionCount = Atomic<Int>(0)

    private init(frameBytesMax: UInt32, behaviour: @escaping Behaviour) throws {
        directory = try TemporaryDirectory()
        self.frameBytesMax = frameBytesMax
        self.behaviour = behaviour
        listener = Mutex(nil)
    }

    /// - Parameter frameBytesMax: the size of the largest frame, which the stub announces in its response to Hello.
    static func start(
        frameBytesMax: UInt32 = 16 << 20, _ behaviour: @escaping Behaviour
    ) async throws -> StubDaemon {
        let daemon = try StubDaemon(frameBytesMax: frameBytesMax, behaviour: behaviour)
        try await daemon.listen()
        return daemon
    }

    /// Starts listening, also after `stopListening`.
    func listen() async throws {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { [weak self] channel in
                channel.eventLoop.makeCompletedFuture {
                    if let self {
                        try channel.pipeline.syncOperations.addHandler(StubHandler(daemon: self))
                    }
                }
            }
            .bind(unixDomainSocketPath: path, cleanupExistingSocketFile: true).get()
        listener.withLock { $0 = channel }
    }

    /// Stops accepting connections. Existing connections stay open.
    func stopListening() async throws {
        let channel = listener.withLock { $0.take() }
        try await channel?.close().get()
    }

    /// The requests received so far, except Hello, in the order of arrival.
    var requests: [WireRequest] {
        received.withLock { requests in
            requests
        }
    }

    var connections: Int {
        connectionCount.load(ordering: .relaxed)
    }

    fileprivate func accept(_ channel: any Channel) -> StubConnection {
        StubConnection(channel: channel, number: connectionCount.wrappingAdd(1, ordering: .relaxed).newValue)
    }

    fileprivate func take(_ payload: [UInt8], on connection: StubConnection) {
        guard let request = try? WireRequest(serializedBytes: payload) else {
            connection.close()
            return
        }
        if case .hello = request.call {
            connection.answer(request) { [frameBytesMax] response in
                response.hello.protocolVersion = 1
                response.hello.frameBytesMax = frameBytesMax
            }
            return
        }
        received.withLock { $0.append(request) }
        behaviour(request, connection)
    }
}

/// One accepted connection.
struct StubConnection: Sendable {
    private let channel: any Channel
    /// The number of this connection, counted from 1 in the order in which the stub accepted connections.
    let number: Int

    fileprivate init(channel: any Channel, number: Int) {
        self.channel = channel
        self.number = number
    }

    func answer(_ request: WireRequest, _ fill: (inout WireResponse) -> Void) {
        var response = WireResponse()
        response.id = request.id
        fill(&response)
        guard let payload: [UInt8] = try? response.serializedBytes() else { return }
        send(frame(of: payload))
    }

    func send(_ bytes: [UInt8]) {
        channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
    }

    func close() {
        channel.close(promise: nil)
    }
}

private final class StubHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let daemon: StubDaemon
    private var connection: StubConnection?
    private var received: [UInt8] = []

    init(daemon: StubDaemon) {
        self.daemon = daemon
    }

    func channelActive(context: ChannelHandlerContext) {
        connection = daemon.accept(context.channel)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received += unwrapInboundIn(data).readableBytesView
        while let range = try? ResponseJSON.payload(in: received), let connection {
            let payload = Array(received[range])
            received.removeFirst(range.upperBound)
            daemon.take(payload, on: connection)
        }
    }
}
