import NIOEmbedded
import Synchronization
import Testing

@testable import StoreServer

/// Connections whose event loop runs when the test says so.
final class MemoryPeers {
    private final class Inbox: Sendable {
        let deliveries = Mutex<[Delivery]>([])
    }

    let budget: MemoryBudget
    private let eventLoop = EmbeddedEventLoop()
    private let inbox = Inbox()
    private let outbox: Outbox
    private(set) var held: [ConnectionID: Int] = [:]
    private var accounts: [ConnectionID: MemoryAccount] = [:]

    init(bytesMax: Int, requestBytesMax: Int? = nil, reservedBytes: Int = 0, decodingBytesMax: Int = 0) {
        budget = MemoryBudget(
            bytesMax: bytesMax, excessBytesMax: requestBytesMax ?? bytesMax / 2, reservedBytes: reservedBytes,
            decodingBytesMax: decodingBytesMax)
        outbox = Outbox(eventLoop: eventLoop, budget: budget) { [inbox] deliveries in
            inbox.deliveries.withLock { $0 += deliveries }
        }
    }

    func account(_ id: ConnectionID, uid: UInt32 = 1) -> MemoryAccount {
        let account = accounts[id] ?? MemoryAccount(uid: uid, connection: id, outbox: outbox)
        accounts[id] = account
        return account
    }

    func isPreferred(_ id: ConnectionID) -> Bool {
        account(id).isPreferred.load(ordering: .relaxed)
    }

    /// Adds response bytes that the peer does not read.
    func leaveUntaken(_ bytes: Int, _ id: ConnectionID, uid: UInt32 = 1) {
        let account = account(id, uid: uid)
        held[id, default: 0] += bytes
        budget.add(bytes, uid: uid)
        budget.setUnread(held[id] ?? 0, of: account)
    }

    func close(_ id: ConnectionID) {
        guard let account = accounts.removeValue(forKey: id) else { return }
        budget.forget(account, holding: held.removeValue(forKey: id) ?? 0, keeping: 0)
    }

    /// Returns the connections that were ordered to close since the last call, in that order.
    func takeCut() -> [ConnectionID] {
        takeDeliveries().compactMap { delivery in
            guard case .cut(let id) = delivery else { return nil }
            return id
        }
    }

    /// Returns the connections that were granted the memory that they waited for.
    func takeGranted() -> [ConnectionID] {
        takeGrants().map(\.id)
    }

    func takeGrants() -> [(id: ConnectionID, bytes: Int)] {
        takeDeliveries().compactMap { delivery in
            guard case .memoryGranted(let account, let bytes) = delivery else { return nil }
            return (account.connection, bytes)
        }
    }

    private func takeDeliveries() -> [Delivery] {
        eventLoop.run()
        return inbox.deliveries.withLock { deliveries in
            defer { deliveries = [] }
            return deliveries
        }
    }
}

extension MemoryBudget {
    /// Acquires memory for a frame that has arrived completely.
    func acquire(_ bytes: Int, for account: MemoryAccount, isAlone: Bool) -> Bool {
        acquire(bytes, for: account, isAlone: isAlone, isReceived: true)
    }
}

extension ConnectionMemory {
    /// Begins a request whose frame was not counted.
    func begin(_ bytes: Int) -> Bool {
        begin(bytes, inPlaceOf: 0, of: 0)
    }
}
