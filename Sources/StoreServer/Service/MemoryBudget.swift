import StoreEngine
import Synchronization

/// A connection as an owner of memory that `MemoryBudget` counts. Safe to use from any thread.
final class MemoryAccount: Sendable {
    let uid: UInt32
    let connection: ConnectionID
    /// True if the connection may exceed its user's share until its request is answered. Only the budget changes it.
    let isPreferred = Atomic(false)
    private let outbox: Outbox

    init(uid: UInt32, connection: ConnectionID, outbox: Outbox) {
        self.uid = uid
        self.connection = connection
        self.outbox = outbox
    }

    fileprivate func post(_ delivery: Delivery) {
        outbox.post(delivery)
    }
}

/// Limits the memory that requests and answers of all connections hold together, in decoded bytes, from the first byte
/// of a request until its answer is read.
///
/// Users share the memory by `FairShare`. A connection without room waits after older waiters of the same user: the
/// daemon does not read from it, and a delivery follows when it has room.
///
/// Incomplete frames of one user could all wait for each other. So if a waiting connection has no request in progress
/// that will release memory, it may exceed its user's share; only one connection of each user may. Frames of several
/// users could wait for each other too. So the memory of the largest request is reserved: it belongs to no share, and
/// only one of these connections at a time may use it. That connection in turn leaves enough free memory to decode a
/// frame that has been received. Such a frame may use all free memory.
///
/// Answers exist before they are counted, so they may exceed their user's share, too. If unread answers use up a user's
/// share, the user loses the connections whose answers have been unread the longest. The same applies to a user above
/// its share if another user, who holds less, finds no room. Only as many connections are closed as necessary; the
/// memory of a connection that was asked to close counts as released.
final class MemoryBudget: Sendable {
    private struct Waiter {
        let account: MemoryAccount
        let bytes: Int
        /// True if no request in progress of the connection will release memory.
        var isAlone: Bool
        /// True if the whole frame has arrived and must be decoded.
        let isReceived: Bool
    }

    private struct State {
        var share: FairShare {
            didSet { peakBytes = max(peakBytes, share.used) }
        }
        var peakBytes = 0
        var waitCount: UInt64 = 0
        /// The waiters of each user, in the order of their requests. Only users with waiters have an entry.
        var waiting: [UInt32: [Waiter]] = [:]
        /// The users of `waiting`, ordered by the time of the last grant, the longest ago first.
        var waitingUsers: [UInt32] = []
        /// The connection of each user that may exceed the share, until its request is answered.
        var preferred: [UInt32: MemoryAccount] = [:]
        /// The preferred connection that may use the reserved memory, until its request is answered.
        var first: MemoryAccount?
        /// The unread answers of each user. Only users with such answers have an entry.
        var unread: [UInt32: UnreadAnswers] = [:]
    }

    private let state: Mutex<State>
    private let excessBytesMax: Int
    private let reservedBytes: Int
    private let decodingBytesMax: Int

    /// - Parameters:
    ///   - excessBytesMax: The bytes that one user may hold beyond half of all memory.
    ///   - reservedBytes: The bytes that shares leave free for one request at a time: the size of the largest request.
    ///   - decodingBytesMax: The part of `reservedBytes` that a request takes beside its frame.
    init(bytesMax: Int, excessBytesMax: Int, reservedBytes: Int, decodingBytesMax: Int) {
        state = Mutex(State(share: FairShare(total: bytesMax)))
        self.excessBytesMax = excessBytesMax
        self.reservedBytes = reservedBytes
        self.decodingBytesMax = decodingBytesMax
    }

    var usedBytes: Int {
        state.withLock { $0.share.used }
    }

    struct Figures: Hashable, Sendable {
        var usedBytes = 0
        /// The largest number of bytes in use since the start.
        var peakBytes = 0
        var totalBytes = 0
        /// The number of times that a connection had to wait.
        var waitCount: UInt64 = 0
    }

    var figures: Figures {
        state.withLock { state in
            Figures(
                usedBytes: state.share.used, peakBytes: state.peakBytes, totalBytes: state.share.total,
                waitCount: state.waitCount)
        }
    }

    // MARK: Before the memory is needed

    /// Acquires memory for a connection. Returns false if there is no room. The connection then waits and receives a
    /// delivery when the memory has been acquired.
    func acquire(_ bytes: Int, for account: MemoryAccount, isAlone: Bool, isReceived: Bool) -> Bool {
        let (isTaken, cut) = state.withLock { state -> (Bool, [MemoryAccount]) in
            let waiter = Waiter(account: account, bytes: bytes, isAlone: isAlone, isReceived: isReceived)
            guard !grant(waiter, isNext: state.waiting[account.uid] == nil, &state) else { return (true, []) }
            state.waitCount += 1
            if state.waiting[account.uid] == nil {
                state.waitingUsers.append(account.uid)
            }
            state.waiting[account.uid, default: []].append(waiter)
            let cut = connectionsToCut(of: account.uid, beside: reservedBytes, &state)
            return (false, cut + connectionsToCut(for: account.uid, wanting: bytes, &state))
        }
        cut.forEach { $0.postCut() }
        return isTaken
    }

    /// Records that no request in progress will release memory for a waiting connection any more.
    func becameAlone(_ account: MemoryAccount) {
        release(0, uid: account.uid) { state in
            if let index = state.waiting[account.uid]?.firstIndex(where: { $0.account === account }) {
                state.waiting[account.uid]?[index].isAlone = true
            }
        }
    }

    /// Records that a request of the connection was answered. If the connection was preferred for this request, another
    /// connection may be preferred now.
    func endPreference(of account: MemoryAccount) {
        release(0, uid: account.uid) { Self.endPreference(of: account, &$0) }
    }

    /// Releases the memory of a closed connection.
    ///
    /// - Parameter kept: The bytes of requests in progress. They are released when these requests are done.
    func forget(_ account: MemoryAccount, holding held: Int, keeping kept: Int) {
        release(held, uid: account.uid) { state in
            state.share.acquire(kept, for: account.uid)
            Self.endPreference(of: account, &state)
            Self.changeUnread(of: account.uid, &state) { $0.forget(account) }
            guard let waiting = state.waiting[account.uid] else { return }
            Self.setWaiting(waiting.filter { $0.account !== account }, of: account.uid, &state)
        }
    }

    // MARK: Memory that is in use already

    /// Counts memory that is already in use.
    func add(_ bytes: Int, uid: UInt32) {
        let cut = state.withLock { state in
            state.share.acquire(bytes, for: uid)
            return connectionsToCut(of: uid, &state)
        }
        cut.forEach { $0.postCut() }
    }

    /// Counts bytes that arrived unrequested. When a peer closes its sending side, everything that it has sent arrives
    /// that way. Returns false, and counts nothing, if the bytes do not fit into the user's share.
    func addUnasked(_ bytes: Int, uid: UInt32) -> Bool {
        state.withLock { state in
            guard shareAdmits(bytes, uid, state) else { return false }
            state.share.acquire(bytes, for: uid)
            return true
        }
    }

    /// Counts an answer that can still be discarded. Returns false, and counts nothing, if there is no room.
    func addAnswer(_ bytes: Int, uid: UInt32) -> Bool {
        let (isTaken, cut) = state.withLock { state -> (Bool, [MemoryAccount]) in
            guard state.share.admits(bytes, to: uid) || mayExceed(bytes, uid, leaving: 0, state) else {
                return (false, connectionsToCut(for: uid, wanting: bytes, &state))
            }
            state.share.acquire(bytes, for: uid)
            return (true, connectionsToCut(of: uid, &state))
        }
        cut.forEach { $0.postCut() }
        return isTaken
    }

    /// Records the bytes of answers that a peer has not read. They are a part of the counted memory, and closing the
    /// connection would release them.
    func setUnread(_ bytes: Int, of account: MemoryAccount) {
        let cut = state.withLock { state in
            Self.changeUnread(of: account.uid, &state) { $0.set(bytes, of: account) }
            return connectionsToCut(of: account.uid, &state)
        }
        cut.forEach { $0.postCut() }
    }

    /// Returns whether the peer still leaves its answers unread. If so, its connection must close, as was decided
    /// before.
    func confirmCut(of account: MemoryAccount) -> Bool {
        state.withLock { state in
            var isConfirmed = false
            Self.changeUnread(of: account.uid, &state) { isConfirmed = $0.confirmCut(of: account) }
            return isConfirmed
        }
    }

    func release(_ bytes: Int, uid: UInt32) {
        release(bytes, uid: uid) { _ in }
    }
}

// MARK: Decisions

extension MemoryBudget {
    private func release(_ bytes: Int, uid: UInt32, _ change: (inout State) -> Void) {
        let granted = state.withLock { state in
            state.share.release(bytes, of: uid)
            change(&state)
            return state.waiting.isEmpty ? [] : grantWaiting(&state)
        }
        for waiter in granted {
            waiter.account.post(.memoryGranted(waiter.account, bytes: waiter.bytes))
        }
    }

    /// Acquires the memory if the user's share or the connection's preference allows it.
    ///
    /// - Parameter isNext: True if no connection of the same user has waited longer.
    private func grant(_ waiter: Waiter, isNext: Bool, _ state: inout State) -> Bool {
        let uid = waiter.account.uid
        if isNext, shareAdmits(waiter.bytes, uid, state) {
            state.share.acquire(waiter.bytes, for: uid)
            return true
        }
        guard Self.isPreferred(waiter, state), mayExceed(waiter.bytes, uid, leaving: left(by: waiter, state), state)
        else { return false }
        if !waiter.isReceived, waiter.bytes + reservedBytes > state.share.free {
            state.first = waiter.account
        }
        state.preferred[uid] = waiter.account
        waiter.account.isPreferred.store(true, ordering: .relaxed)
        state.share.acquire(waiter.bytes, for: uid)
        return true
    }

    /// Grants memory to waiters for whom there is room now. The waiters of each user are served in the order of their
    /// requests. The preferred waiter of a user may exceed the user's share. Users who received memory come last the
    /// next time.
    private func grantWaiting(_ state: inout State) -> [Waiter] {
        var granted: [Waiter] = []
        var users: (passed: [UInt32], given: [UInt32]) = ([], [])
        for uid in state.waitingUsers {
            let grantedBefore = granted.count
            var left = (state.waiting[uid] ?? [])[...]
            while let first = left.first, grant(first, isNext: true, &state) {
                granted.append(left.removeFirst())
            }
            // The share has no room for the first waiter. A later one may have asked for less memory, so all waiters
            // that may exceed the share are tried.
            if let index = left.indices.first(where: { index in
                Self.isPreferred(left[index], state) && grant(left[index], isNext: false, &state)
            }) {
                granted.append(left.remove(at: index))
            }
            state.waiting[uid] = left.isEmpty ? nil : Array(left)
            if left.isEmpty { continue }
            if granted.count == grantedBefore {
                users.passed.append(uid)
            } else {
                users.given.append(uid)
            }
        }
        state.waitingUsers = users.passed + users.given
        return granted
    }

    private static func setWaiting(_ waiting: [Waiter], of uid: UInt32, _ state: inout State) {
        state.waiting[uid] = waiting.isEmpty ? nil : waiting
        if waiting.isEmpty {
            state.waitingUsers.removeAll { $0 == uid }
        }
    }

    /// Returns whether the waiter may exceed its user's share. Only one waiter of each user may.
    private static func isPreferred(_ waiter: Waiter, _ state: State) -> Bool {
        waiter.isAlone && state.preferred[waiter.account.uid].map { $0 === waiter.account } ?? true
    }

    private static func endPreference(of account: MemoryAccount, _ state: inout State) {
        guard state.preferred[account.uid] === account else { return }
        state.preferred[account.uid] = nil
        if state.first === account {
            state.first = nil
        }
        account.isPreferred.store(false, ordering: .relaxed)
    }

    private func shareAdmits(_ bytes: Int, _ uid: UInt32, _ state: State) -> Bool {
        FairShare.admits(bytes, holding: state.share.held(by: uid), free: state.share.free - reservedBytes)
    }

    /// Returns the memory that a waiter must leave free if it exceeds its user's share.
    private func left(by waiter: Waiter, _ state: State) -> Int {
        if waiter.isReceived { return 0 }
        return state.first.map { $0 === waiter.account } ?? true ? decodingBytesMax : reservedBytes
    }

    /// Returns whether a user may hold `bytes` more than now, regardless of its share.
    private func mayExceed(_ bytes: Int, _ uid: UInt32, leaving left: Int, _ state: State) -> Bool {
        bytes + left <= state.share.free && state.share.held(by: uid) + bytes <= state.share.total / 2 + excessBytesMax
    }

    private static func changeUnread(
        of uid: UInt32, _ state: inout State, _ change: (inout UnreadAnswers) -> Void
    ) {
        change(&state.unread[uid, default: UnreadAnswers()])
        if state.unread[uid]?.isEmpty ?? false {
            state.unread[uid] = nil
        }
    }

    /// Chooses the connections of the user to close, because unread answers fill the user's share: those whose answers
    /// have been unread the longest.
    ///
    /// - Parameter reserved: The bytes that do not count as free. If the user waits for memory, this is the memory that
    ///   belongs to no share; otherwise it is 0, because answers may use that memory.
    private func connectionsToCut(
        of uid: UInt32, beside reserved: Int = 0, _ state: inout State
    ) -> [MemoryAccount] {
        var cut: [MemoryAccount] = []
        while let unread = state.unread[uid], Self.hasUsedShare(uid, beside: reserved, state),
            unread.byteCount * 2 >= Self.staying(uid, state), let account = state.unread[uid]?.cutOldest()
        {
            cut.append(account)
        }
        return cut
    }

    /// Chooses the connections of other users to close, because this user found no room. A user is affected only if it
    /// holds more than this user would hold with the wanted bytes.
    private func connectionsToCut(for uid: UInt32, wanting bytes: Int, _ state: inout State) -> [MemoryAccount] {
        let wanted = state.share.held(by: uid) + bytes
        var cut: [MemoryAccount] = []
        for other in state.unread.keys where other != uid {
            while Self.hasUsedShare(other, state), Self.staying(other, state) > wanted,
                let account = state.unread[other]?.cutOldest()
            {
                cut.append(account)
            }
        }
        return cut
    }

    /// Returns whether the user has used up its share, computed as if all connections that were asked to close had
    /// closed.
    private static func hasUsedShare(_ uid: UInt32, beside reserved: Int = 0, _ state: State) -> Bool {
        let leaving = state.unread.values.reduce(0) { $0 + $1.leavingByteCount }
        return staying(uid, state) >= state.share.free - reserved + leaving
    }

    private static func staying(_ uid: UInt32, _ state: State) -> Int {
        state.share.held(by: uid) - (state.unread[uid]?.leavingByteCount ?? 0)
    }
}

extension MemoryAccount {
    fileprivate func postCut() {
        post(.cut(connection))
    }
}
