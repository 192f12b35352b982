import DequeModule
import Logging
import NIOCore
import StoreBasics
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
    /// Not handed out yet.
    private var deliveries: Deque<Delivery> = []
    /// Connections with requests that have arrived and had no turn.
    private let turns = FairQueue<ConnectionID>(capacity: FairQueue.Capacity(), turnCost: 1)
    private lazy var pacer = LoopPacer(eventLoop) { [unowned self] in work(until: $0) }
    private(set) lazy var strangers = Strangers(
        eventLoop, timeoutSeconds: server.configuration.strangerTimeoutSeconds)
    let fanOut = FanOut()
    var activity = LoopActivity()
    let followerReads = FollowerReads()

    private(set) lazy var outbox = Outbox(eventLoop: eventLoop, budget: server.memoryBudget) { [weak self] deliveries in
        self?.take(deliveries)
    }
    private(set) lazy var runner = RequestRunner(
        server: server, reader: server.engine.makeReaderThatNeverWaits(), outbox: outbox,
        eventLoop: eventLoop)
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
    /// - Throws: `StoreError` with reason `.tooManyConnections`.
    func makeHandler(for caller: Caller) throws(StoreError) -> ConnectionHandler {
        eventLoop.preconditionInEventLoop()
        try server.registry.add(uid: caller.uid, hasReserve: policy.hasReserve(caller))
        lastConnectionID += 1
        let handler = ConnectionHandler(id: lastConnectionID, caller: caller, loop: self)
        connections[lastConnectionID] = handler
        return handler
    }

    func remove(_ handler: ConnectionHandler) {
        if connections.removeValue(forKey: handler.id) != nil {
            strangers.forget(handler.id)
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

    /// Closes the connections that are left, and gives back what is under way for them: they have counted what they
    /// hold by then. Nothing is delivered any more.
    func end() -> EventLoopFuture<Void> {
        let closed = eventLoop.submit { [self] in connections.values.forEach { $0.closeNow() } }
        // A channel tells its handler in a task of its own that it is closed.
        return closed.flatMap { [self] in
            eventLoop.submit { [self] in
                endings?.cancel()
                outbox.close()
                while let delivery = deliveries.popFirst() {
                    delivery.discard(server.memoryBudget)
                }
            }
        }
    }

    // MARK: The loop's time

    private func take(_ deliveries: [Delivery]) {
        eventLoop.preconditionInEventLoop()
        self.deliveries.append(contentsOf: deliveries)
        pacer.run()
    }

    /// Whether a connection with requests has to wait for its turn: others of its user do.
    func mustWaitForTurn(_ connection: ConnectionHandler) -> Bool {
        !turns.isEmpty && turns.hasWork(of: connection.caller.uid)
    }

    /// The connection has requests that have not been looked at; `takeTurn` is called when it may.
    func waitForTurn(_ connection: ConnectionHandler) {
        let isTaken = turns.append(
            FairQueue.Item(work: connection.id, owner: connection.workOwner, cost: 1, byteCount: 0))
        precondition(isTaken, "an unbounded queue must accept every element")
        pacer.runSoon()
    }

    /// Hands out deliveries, tells followers the news and lets connections take requests, each for a part of the time
    /// and at least one, then lets each connection that was touched write once.
    ///
    /// - Returns: whether there is more.
    private func work(until end: UInt64) -> Bool {
        var touched: [ConnectionHandler] = []
        var partEnd = Self.partEnd(end)
        while let delivery = deliveries.popFirst() {
            deliver(delivery, touched: &touched)
            if MonotonicClock.nanoseconds >= partEnd { break }
        }
        tellFollowers(until: Self.partEnd(end), &touched)
        for handler in touched {
            handler.settleDeliveries()
        }
        partEnd = Self.partEnd(end)
        while let turn = turns.next() {
            connections[turn.work]?.takeTurn()
            if MonotonicClock.nanoseconds >= partEnd { break }
        }
        return hasWork
    }

    var hasWork: Bool {
        !deliveries.isEmpty || fanOut.hasPending || !turns.isEmpty
    }

    private static func partEnd(_ end: UInt64) -> UInt64 {
        min(end, MonotonicClock.nanoseconds + LoopPacer.sliceNanoseconds / 3)
    }

    private func tellFollowers(until end: UInt64, _ touched: inout [ConnectionHandler]) {
        guard fanOut.hasPending else { return }
        fanOut.run(until: end) { news, key in
            guard let handler = connections[key.connection] else { return }
            handler.touch(&touched)
            handler.followers.tell(news, key)
        }
    }

    /// News are told before the answers of the same commit, which stand behind them, unless others still wait to be
    /// told.
    private func add(_ news: News, _ touched: inout [ConnectionHandler]) {
        let isFirst = !fanOut.hasPending
        fanOut.add(news)
        if case .commit(let commit) = news, let last = commit.changes.last?.revision {
            let count = last / Watch.carriedForwardRevisions
            if count > carriedForward {
                carriedForward = count
                fanOut.carryForward(through: last, of: commit.history)
            }
        }
        if isFirst {
            tellFollowers(until: Self.partEnd(.max), &touched)
        }
    }

    // MARK: Deliveries

    private func deliver(_ delivery: Delivery, touched: inout [ConnectionHandler]) {
        switch delivery {
        case .request(let request, let delivered):
            if request.isWaitingRead {
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
            add(news, &touched)
        case .compacted(let revision, let history):
            fanOut.carryForward(through: revision, of: history)
        case .endWatches(let failure):
            for handler in connections.values where handler.followers.hasWatches {
                handler.touch(&touched)
                handler.followers.endWatches(failure)
            }
        case .historyChanged(let history):
            carriedForward = 0
            fanOut.historyChanged()
            let failure = StoreError(
                .historyChanged,
                "a backup replaced the store; read the data again, and watch from the revision of that data")
            for handler in connections.values where handler.followers.hasWatches {
                handler.touch(&touched)
                handler.followers.historyChanged(to: history, failure)
            }
        case .reload(let policy, let level):
            self.policy = policy
            logger.logLevel = level
            for connection in connections.values {
                strangers.note(connection, isStranger: policy.grants(for: connection.caller).isEmpty)
                connection.reloadPermissions()
            }
        case .finishAll:
            connections.values.forEach { $0.finish() }
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
        // Where the transport still has it, another one that need not be as large.
        buffer.clear(minimumCapacity: Self.initialBytes)
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
