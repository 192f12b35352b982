import Logging
import NIOCore
import StoreBasics
import StoreEngine
import StoreProtocol
import Synchronization

extension ConnectionLoop {
    /// Reads the identity of the peer and gives the channel its handler, which either serves the peer or answers with
    /// the reason for the refusal.
    ///
    /// - Throws: `ServerError` if the peer's identity cannot be read; the channel is then closed.
    func adopt(_ channel: any Channel) throws {
        let pipeline = channel.pipeline.syncOperations
        let caller = try pipeline.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { descriptor in
            PeerCredentials.refusePassedDescriptors(descriptor)
            return try PeerCredentials.read(descriptor)
        }
        guard let caller else { throw ServerError(.system, "the connection is not a socket") }
        try serve(channel, caller)
    }

    func serve(_ channel: any Channel, _ caller: Caller) throws {
        let pipeline = channel.pipeline.syncOperations
        do throws(StoreError) {
            let handler = try makeHandler(for: caller)
            try? pipeline.addHandler(handler)
            strangers.setStranger(handler, isStranger: policy.grants(for: caller).isEmpty)
        } catch {
            server.metrics.recordConnection(accepted: false)
            server.metrics.recordError(error.reason)
            server.audit.record(.refusal(error.reason, call: nil, by: caller))
            try? pipeline.addHandler(RefusingHandler(error, encoder: server.encoder))
        }
    }
}

/// Sends the peer the reason why the daemon does not serve it, and closes the channel.
private final class RefusingHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let failure: StoreError
    private let encoder: ResponseEncoder

    init(_ failure: StoreError, encoder: ResponseEncoder) {
        self.failure = failure
        self.encoder = encoder
    }

    func channelActive(context: ChannelHandlerContext) {
        var buffer = ByteBuffer()
        _ = encoder.append(.failure(failure), ResponseHead(id: 0), to: &buffer)
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(buffer)).whenComplete { _ in
            channel.close(promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}

/// Counts the connections of all event loops against their limit. Users share the connections. Some are reserved for
/// root and the daemon's own user, who are not limited to a share.
final class ConnectionRegistry: Sendable {
    private let connectionsMax: Int
    private let places: Mutex<FairShare>

    init(connectionsMax: Int) {
        self.connectionsMax = connectionsMax
        places = Mutex(FairShare(total: connectionsMax - connectionsMax / ServerLimits.connectionsPerReservedOne))
    }

    var total: Int {
        places.withLock { $0.used }
    }

    /// Counts a new connection; `remove` must be called when it ends.
    ///
    /// - Throws: `StoreError` with reason `.tooManyConnections`.
    func add(uid: UInt32, hasReserve: Bool) throws(StoreError) {
        let refusal: StoreError? = places.withLock { places in
            guard hasReserve ? places.used < connectionsMax : places.admits(1, to: uid) else {
                return StoreError(
                    .tooManyConnections,
                    """
                    too many connections of user \(uid): the daemon accepts \(connectionsMax) connections, and one \
                    user can have at most as many of them as are still free; close a connection of this user
                    """)
            }
            places.acquire(1, for: uid)
            return nil
        }
        if let refusal {
            throw refusal
        }
    }

    func remove(uid: UInt32) {
        places.withLock { $0.release(1, of: uid) }
    }
}
