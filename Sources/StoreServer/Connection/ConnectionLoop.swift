import DequeModule
import Logging
import NIOCore
import StoreBasics
import StoreEngine
import StoreProtocol

/// The connections of one event loop and the state that they share.
// @unchecked Sendable because everything in it is used only on its event loop; other threads post to `outbox`.
final class ConnectionLoop: @unchecked Sendable {
    let server: ServerContext
    let eventLoop: any EventLoop
    private(set) var policy: AccessPolicy
    private(set) var logger: Logger
    private var connections: [ConnectionID: ConnectionHandler] = [:]
    private var lastConnectionID: ConnectionID = 0
    private var buffers = BufferPool()
    /// The number of times that all watches were due to receive their position: the last committed revision, divided by
    /// `Watch.carriedForwardRevisions`.
    private var carriedForward: UInt64 = 0
    private var endings: Observation?
    /// Deliveries that have not been handed out yet.
    private var deliveries: Deque<Delivery> = []
    /// Connections with received requests that wait for their turn.
    private let turns = FairQueue<ConnectionID>(capacity: FairQueue.Capacity(), turnCost: 1)
    private lazy var pacer = LoopPacer(eventLoop) { [unowned self] in work(until: $0) }
    private(set) lazy var strangers = Strangers(
        eventLoop, timeoutSeconds: server.configuration.strangerTimeoutSeconds)
    let fanOut = FanOut()
    var activity = LoopActivity()
    let followerReads = FollowerReads()

    private(set) lazy var outbox = Outbox(eventLoop: eventLoop, budget: server.memoryBudget) { [weak self] deliveries in
        self?.enqueue(deliveries)
    }
    private(set) lazy var runner = RequestRunner(
        server: server, reader: server.engine.makeReaderWithoutVisibilityWait(), outbox: outbox,
        eventLoop: eventLoop)
    private(set) lazy var watchSubscription = server.hub.subscribe(outbox)

    init(server: ServerContext, eventLoop: any EventLoop, policy: AccessPolicy, logger: Logger) {
        self.server = server
        self.eventLoop = eventLoop
        self.policy = policy
        self.logger = logger
        // Create these lazy properties and the outbox now, before several threads could create them at the same time.
        _ = watchSubscription
        _ = runner
        let outbox = outbox
        endings = server.engine.observeEndings { [weak self] _ in
            eventLoop.execute { [weak self] in self?.buffers.removeAll() }
        }
        server.engine.bracketAnswers(begin: { outbox.cork() }, end: { outbox.uncork() })
    }

    /// Creates the handler for a new connection of this loop.
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

    /// Returns the harness that checks the requests of a caller against the rules in force.
    func harness(for caller: Caller) -> RequestHarness {
        RequestHarness(permissions: CallPermissions(policy.grants(for: caller)), uid: caller.uid)
    }

    func connection(_ id: ConnectionID) -> ConnectionHandler? {
        connections[id]
    }

    func acquireBuffer() -> ByteBuffer {
        buffers.acquire()
    }

    func recycle(_ buffer: ByteBuffer) {
        buffers.recycle(buffer)
    }

    /// Closes the remaining connections, which release the memory that they hold, and discards the deliveries that no
    /// connection receives any more. Nothing is delivered afterwards.
    func end() -> EventLoopFuture<Void> {
        let closed = eventLoop.submit { [self] in connections.values.forEach { $0.closeNow() } }
        // NIO informs a channel's handler of the close in a task of its own. So the rest runs in a later task.
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

    private func enqueue(_ deliveries: [Delivery]) {
        eventLoop.preconditionInEventLoop()
        self.deliveries.append(contentsOf: deliveries)
        pacer.run()
    }

    /// Returns whether a connection with requests must wait for its turn because connections of the same user already
    /// wait.
    func mustWaitForTurn(_ connection: ConnectionHandler) -> Bool {
        !turns.isEmpty && turns.hasWork(of: connection.caller.uid)
    }

    /// Queues a connection that has unread requests. The loop calls the connection's `resumeTurn` when it may continue.
    func waitForTurn(_ connection: ConnectionHandler) {
        let isTaken = turns.append(
            FairQueue.Item(work: connection.id, owner: connection.workOwner, cost: 1, byteCount: 0))
        precondition(isTaken, "an unbounded queue must accept every element")
        pacer.runSoon()
    }

    /// Hands out deliveries, gives news to followers, and lets connections handle requests. Each of the three gets a
    /// part of the time and does at least one step. A connection with deliveries or news writes its answers and events
    /// before the requests are handled.
    ///
    /// - Returns: True if there is more work.
    private func work(until end: UInt64) -> Bool {
        var touched: [ConnectionHandler] = []
        var partEnd = Self.partEnd(end)
        while let delivery = deliveries.popFirst() {
            deliver(delivery, touched: &touched)
            if MonotonicClock.nanoseconds >= partEnd { break }
        }
        deliverToFollowers(until: Self.partEnd(end), &touched)
        for handler in touched {
            handler.finishDeliveries()
        }
        partEnd = Self.partEnd(end)
        while let turn = turns.next() {
            connections[turn.work]?.resumeTurn()
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

    private func deliverToFollowers(until end: UInt64, _ touched: inout [ConnectionHandler]) {
        guard fanOut.hasPending else { return }
        fanOut.run(until: end) { news, key in
            guard let handler = connections[key.connection] else { return }
            handler.touch(&touched)
            handler.followers.deliver(news, key)
        }
    }

    /// Adds news for the followers. If no earlier news is pending, hands it out at once, so that followers receive a
    /// commit before the answers to its writes, which are queued after the news.
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
            deliverToFollowers(until: Self.partEnd(.max), &touched)
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
            handler.handle(decoded)
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
                strangers.setStranger(connection, isStranger: policy.grants(for: connection.caller).isEmpty)
                connection.reloadPermissions()
            }
        case .finishAll:
            connections.values.forEach { $0.finish() }
        }
    }
}

/// A few reusable buffers, so that a request needs no allocation for its answer.
struct BufferPool {
    private static let countMax = 8
    private static let initialBytes = 1 << 10
    /// The largest buffer that is kept.
    private static let keptBytesMax = 64 << 10

    private var free: [ByteBuffer] = []

    mutating func acquire() -> ByteBuffer {
        guard var buffer = free.popLast() else { return ByteBufferAllocator().buffer(capacity: Self.initialBytes) }
        // If the transport still uses the storage, the buffer gets new storage, which need not be as large.
        buffer.clear(minimumCapacity: Self.initialBytes)
        return buffer
    }

    /// Wipes the rests of answers from the free buffers and removes the buffers.
    mutating func removeAll() {
        for var buffer in free {
            // Gives the buffer new storage if the transport still writes from the present one.
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
