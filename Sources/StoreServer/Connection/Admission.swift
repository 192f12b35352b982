import Logging
import NIOCore
import StoreBasics
import StoreProtocol
import Synchronization

/// From an accepted socket to a connection.
extension ConnectionLoop {
    /// Learns who the peer is and gives the channel its handler: one that serves, or one that says why not.
    ///
    /// - Throws: `ServerError` when the peer's identity cannot be read; the channel is then closed.
    func adopt(_ channel: any Channel) throws {
        let pipeline = channel.pipeline.syncOperations
        let caller = try pipeline.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { descriptor in
            PeerCredentials.refusePassedDescriptors(descriptor)
            return try PeerCredentials.read(descriptor)
        }
        guard let caller else { throw ServerError(.system, "the connection is no socket") }
        do throws(RequestFailure) {
            let handler = try makeHandler(for: caller)
            try? pipeline.addHandler(handler)
        } catch {
            server.metrics.recordConnection(accepted: false)
            server.metrics.recordError(error.reason)
            server.audit.record(.refusal(error.reason, call: nil, by: caller))
            try? pipeline.addHandler(RefusingHandler(error, encoder: server.encoder))
        }
    }
}

/// Tells a peer why it is not served, and closes.
private final class RefusingHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let failure: RequestFailure
    private let encoder: ResponseEncoder

    init(_ failure: RequestFailure, encoder: ResponseEncoder) {
        self.failure = failure
        self.encoder = encoder
    }

    func channelActive(context: ChannelHandlerContext) {
        var buffer = ByteBuffer()
        encoder.append(.failure(failure), ResponseHead(id: 0), to: &buffer)
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(buffer)).whenComplete { _ in
            channel.close(promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}

/// Counts the connections of all event loops against their limits.
final class ConnectionRegistry: Sendable {
    private struct Counts {
        var total = 0
        var byUser: [UInt32: Int] = [:]
    }

    private let connectionsMax: Int
    private let connectionsPerUserMax: Int
    private let counts = Mutex(Counts())

    init(connectionsMax: Int, connectionsPerUserMax: Int) {
        self.connectionsMax = connectionsMax
        self.connectionsPerUserMax = connectionsPerUserMax
    }

    var total: Int {
        counts.withLock { $0.total }
    }

    /// Takes a place, to be given back with `remove`.
    ///
    /// - Throws: `RequestFailure` with reason `.tooManyConnections`.
    func add(uid: UInt32) throws(RequestFailure) {
        let refusal: RequestFailure? = counts.withLock { counts in
            guard counts.total < connectionsMax else {
                return RequestFailure(
                    .tooManyConnections, "the daemon has \(connectionsMax) connections, the most it allows")
            }
            let ofUser = counts.byUser[uid, default: 0]
            guard ofUser < connectionsPerUserMax else {
                return RequestFailure(
                    .tooManyConnections, "user \(uid) has \(connectionsPerUserMax) connections, the most allowed")
            }
            counts.total += 1
            counts.byUser[uid] = ofUser + 1
            return nil
        }
        if let refusal {
            throw refusal
        }
    }

    func remove(uid: UInt32) {
        counts.withLock { counts in
            counts.total -= 1
            let ofUser = counts.byUser[uid, default: 0] - 1
            precondition(counts.total >= 0 && ofUser >= 0, "a connection is counted once")
            counts.byUser[uid] = ofUser == 0 ? nil : ofUser
        }
    }
}
