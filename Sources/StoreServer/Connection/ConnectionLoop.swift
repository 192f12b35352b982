import Logging
import NIOCore
import StoreEngine
import StoreProtocol

/// The connections of one event loop and what they share.
// @unchecked Sendable because everything in it is only touched on its event loop; other threads post to `outbox`.
final class ConnectionLoop: @unchecked Sendable {
    let server: ServerContext
    let eventLoop: any EventLoop
    private(set) var policy: AccessPolicy
    private(set) var logger: Logger
    private var connections: [ConnectionID: ConnectionHandler] = [:]
    private var lastConnectionID: ConnectionID = 0
    private var buffers = BufferPool()
    /// How often so many revisions had passed when watches were told where they stand.
    private var carriedForward: UInt64 = 0
    private var endings: Observation?
    let fanOut = FanOut()
    let followerReads = FollowerReads()

    private(set) lazy var outbox = Outbox(eventLoop: eventLoop, budget: server.memoryBudget) { [weak self] deliveries in
        self?.take(deliveries)
    }
    private(set) lazy var runner = RequestRunner(server: server, reader: server.engine.makeReader(), outbox: outbox)
    private(set) lazy var watchSubscription = server.hub.subscribe(outbox)

    init(server: ServerContext, eventLoop: any EventLoop, policy: AccessPolicy, logger: Logger) {
        self.server = server
        self.eventLoop = eventLoop
        self.policy = policy
        self.logger = logger
        // Made now, the outbox with them, before other threads could race to make it.
        _ = watchSubscription
        _ = runner
        let outbox = outbox
        endings = server.engine.observeEndings { [weak self] _ in
            eventLoop.execute { [weak self] in self?.buffers.removeAll() }
        }
        server.engine.bracketAnswers(begin: { outbox.cork() }, end: { outbox.uncork() })
    }

    /// The handler for a new connection of this loop.
    ///
    /// - Throws: `RequestFailure` with reason `.tooManyConnections`.
    func makeHandler(for caller: Caller) throws(RequestFailure) -> ConnectionHandler {
        eventLoop.preconditionInEventLoop()
        try server.registry.add(uid: caller.uid, hasReserve: policy.hasReserve(caller))
        lastConnectionID += 1
        let handler = ConnectionHandler(id: lastConnectionID, caller: caller, loop: self)
        connections[lastConnectionID] = handler
        return handler
    }

    func remove(_ handler: ConnectionHandler) {
        if connections.removeValue(forKey: handler.id) != nil {
            server.registry.remove(uid: handler.caller.uid)
        }
    }

    /// What checks the requests of a caller, by the rules in force.
    func harness(for caller: Caller) -> RequestHarness {
        RequestHarness(permissions: CallPermissions(policy.grants(for: caller)), uid: caller.uid)
    }

    func connection(_ id: ConnectionID) -> ConnectionHandler? {
        connections[id]
    }

    func takeBuffer() -> ByteBuffer {
        buffers.take()
    }

    func recycle(_ buffer: ByteBuffer) {
        buffers.recycle(buffer)
    }

    /// Hands out a burst of deliveries, then lets each connection write once.
    private func take(_ deliveries: [Delivery]) {
        eventLoop.preconditionInEventLoop()
        var touched: [ConnectionHandler] = []
        for delivery in deliveries {
            deliver(delivery, touched: &touched)
        }
        for handler in touched {
            handler.settleDeliveries()
        }
    }

    /// Tells followers the news for a short while, and goes on later where that is not all.
    private func tellFollowers(_ touched: inout [ConnectionHandler]) {
        let hasMore = fanOut.run { news, key in
            guard let handler = connections[key.connection] else { return }
            handler.touch(&touched)
            handler.followers.tell(news, key)
        }
        guard hasMore else { return }
        fanOut.goOnLater(eventLoop) { [self] in
            fanOut.wentOn()
            var touched: [ConnectionHandler] = []
            tellFollowers(&touched)
            for handler in touched {
                handler.settleDeliveries()
            }
        }
    }

    private func deliver(_ delivery: Delivery, touched: inout [ConnectionHandler]) {
        switch delivery {
        case .request(let request, let delivered):
            if request.isLogWait {
                followerReads.completed(uid: request.userID)
            }
            guard let handler = connections[request.connection] else {
                delivery.discard(server.memoryBudget)
                return
            }
            handler.touch(&touched)
            handler.deliver(delivered, to: request)
        case .decoded(let decoded):
            guard let handler = connections[decoded.connection] else { return delivery.discard(server.memoryBudget) }
            handler.touch(&touched)
            handler.take(decoded)
        case .memoryGranted(let account, let bytes):
            guard let handler = connections[account.connection] else { return delivery.discard(server.memoryBudget) }
            handler.touch(&touched)
            handler.memoryGranted(bytes)
        case .cut(let connection):
            connections[connection]?.cut()
        case .watchPage(let connection, let watch, let page):
            followerReads.completed(uid: watch.userID)
            guard let handler = connections[connection] else { return }
            handler.touch(&touched)
            handler.followers.read(page, for: watch)
        case .news(let news):
            // Before the answers of the same commit, which stand behind it.
            fanOut.add(news)
            if case .commit(let commit) = news, let last = commit.changes.last?.revision {
                let count = last / Watch.carriedForwardRevisions
                if count > carriedForward {
                    carriedForward = count
                    fanOut.carryForward(through: last)
                }
            }
            tellFollowers(&touched)
        case .compacted(let revision):
            fanOut.carryForward(through: revision)
            tellFollowers(&touched)
        case .endWatches(let failure):
            for handler in connections.values where handler.followers.hasWatches {
                handler.touch(&touched)
                handler.followers.endWatches(failure)
            }
        case .historyChanged(let history):
            carriedForward = 0
            let failure = RequestFailure(
                .historyChanged, "a backup took the store's place; read the data itself again and watch from there")
            for handler in connections.values where handler.followers.hasWatches {
                handler.touch(&touched)
                handler.followers.historyChanged(to: history, failure)
            }
        case .reload(let policy, let level):
            self.policy = policy
            logger.logLevel = level
            connections.values.forEach { $0.reloadPermissions() }
        case .finishAll:
            connections.values.forEach { $0.finish() }
        case .closeAll:
            connections.values.forEach { $0.closeNow() }
        }
    }
}

/// A few buffers for answers, so that a request needs no allocation.
struct BufferPool {
    private static let countMax = 8
    private static let initialBytes = 1 << 10
    /// Larger buffers are not kept.
    private static let keptBytesMax = 64 << 10

    private var free: [ByteBuffer] = []

    mutating func take() -> ByteBuffer {
        guard var buffer = free.popLast() else { return ByteBufferAllocator().buffer(capacity: Self.initialBytes) }
        buffer.clear()
        return buffer
    }

    /// Forgets what answers have left in them.
    mutating func removeAll() {
        for var buffer in free {
            // Another storage than one that the transport still writes from.
            buffer.clear()
            buffer.wipeInPlace()
        }
        free.removeAll()
    }

    mutating func recycle(_ buffer: ByteBuffer) {
        if buffer.capacity <= Self.keptBytesMax, free.count < Self.countMax {
            free.append(buffer)
        }
    }
}
