import StoreEngine
import Synchronization

/// Whose memory it is: one connection, as the budget knows it from any thread.
final class MemoryAccount: Sendable {
    let uid: UInt32
    let connection: ConnectionID
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

/// Bounds the memory that requests and answers of all connections hold together, in decoded bytes, from the first byte
/// of a request until its answer is taken.
///
/// Users share it by `FairShare`. Whoever gets no room waits: the connection is not read, and is told once it has room.
/// So that frames which all wait for their other half cannot hold each other up, one connection of each user that does
/// nothing else may go beyond the user's share, as far as there is room at all.
///
/// Answers exist before they are counted. A user whose share is used up by answers that its peers leave untaken loses
/// the connections that have left them longest: as many as that takes, where what one holds that was told to close
/// counts as given back.
final class MemoryBudget: Sendable {
    private struct Waiter {
        let account: MemoryAccount
        let bytes: Int
        /// The connection does nothing besides.
        var isAlone: Bool
    }

    private struct State {
        var share: FairShare
        /// By user, in the order asked; only users of whom somebody waits.
        var waiting: [UInt32: [Waiter]] = [:]
        /// The connection of a user that may go beyond its share.
        var preferred: [UInt32: MemoryAccount] = [:]
        /// By user; only users with such answers.
        var untaken: [UInt32: UntakenAnswers] = [:]
    }

    private let state: Mutex<State>

    init(bytesMax: Int) {
        state = Mutex(State(share: FairShare(total: bytesMax)))
    }

    var usedBytes: Int {
        state.withLock { $0.share.used }
    }

    var bytesMax: Int {
        state.withLock { $0.share.total }
    }

    // MARK: Before the memory is needed

    /// Takes memory for a connection. False when there is no room: the connection then waits, and gets a delivery with
    /// what it asked for.
    func take(_ bytes: Int, for account: MemoryAccount, isAlone: Bool) -> Bool {
        let (isTaken, cut) = state.withLock { state -> (Bool, [MemoryAccount]) in
            let waiter = Waiter(account: account, bytes: bytes, isAlone: isAlone)
            guard !Self.grant(waiter, &state) else { return (true, []) }
            state.waiting[account.uid, default: []].append(waiter)
            return (false, Self.connectionsToCut(of: account.uid, &state))
        }
        cut.forEach { $0.postCut() }
        return isTaken
    }

    /// Gives memory back.
    ///
    /// - Parameter isIdle: nothing of the connection is at work any more: another one of the user has its turn.
    func release(_ bytes: Int, of account: MemoryAccount, isIdle: Bool) {
        release(bytes, uid: account.uid) { state in
            guard isIdle else { return }
            if state.preferred[account.uid] === account {
                state.preferred[account.uid] = nil
            }
            if let index = state.waiting[account.uid]?.firstIndex(where: { $0.account === account }) {
                state.waiting[account.uid]?[index].isAlone = true
            }
        }
    }

    /// The connection is gone and gives back what it holds.
    ///
    /// - Parameter kept: what is still at work for it, and released when that is done.
    func forget(_ account: MemoryAccount, holding held: Int, keeping kept: Int) {
        release(held, uid: account.uid) { state in
            state.share.take(kept, for: account.uid)
            state.waiting[account.uid]?.removeAll { $0.account === account }
            if state.preferred[account.uid] === account {
                state.preferred[account.uid] = nil
            }
            Self.changeUntaken(of: account.uid, &state) { $0.forget(account) }
        }
    }

    // MARK: What exists already

    /// Counts what exists. Returns false, and counts nothing, where there is no room at all.
    func add(_ bytes: Int, uid: UInt32, isOptional: Bool = false) -> Bool {
        let (isTaken, cut) = state.withLock { state -> (Bool, [MemoryAccount]) in
            guard !isOptional || bytes <= state.share.free else { return (false, []) }
            state.share.take(bytes, for: uid)
            return (true, Self.connectionsToCut(of: uid, &state))
        }
        cut.forEach { $0.postCut() }
        return isTaken
    }

    /// Notes how much of its answers a peer has not taken: of what is counted, what closing it would give back.
    func setUntaken(_ bytes: Int, of account: MemoryAccount) {
        let cut = state.withLock { state in
            Self.changeUntaken(of: account.uid, &state) { $0.set(bytes, of: account) }
            return Self.connectionsToCut(of: account.uid, &state)
        }
        cut.forEach { $0.postCut() }
    }

    func release(_ bytes: Int, uid: UInt32) {
        release(bytes, uid: uid) { _ in }
    }

    // MARK: Decisions

    private func release(_ bytes: Int, uid: UInt32, _ change: (inout State) -> Void) {
        let granted = state.withLock { state in
            state.share.release(bytes, of: uid)
            change(&state)
            return state.waiting.isEmpty ? [] : Self.grantWaiting(&state)
        }
        for waiter in granted {
            waiter.account.post(.memoryGranted(waiter.account, bytes: waiter.bytes))
        }
    }

    /// Takes the memory if the user's share or its preference allows it.
    private static func grant(_ waiter: Waiter, _ state: inout State) -> Bool {
        let uid = waiter.account.uid
        guard !state.share.admits(waiter.bytes, to: uid) else {
            state.share.take(waiter.bytes, for: uid)
            return true
        }
        guard mayExceed(waiter, state), waiter.bytes <= state.share.free else { return false }
        state.preferred[uid] = waiter.account
        state.share.take(waiter.bytes, for: uid)
        return true
    }

    /// Lets those go on for whom there is room now, of every user in the order asked, and the one that may go beyond
    /// its user's share.
    private static func grantWaiting(_ state: inout State) -> [Waiter] {
        var granted: [Waiter] = []
        for (uid, waiting) in state.waiting {
            var left = waiting[...]
            while let first = left.first, grant(first, &state) {
                granted.append(left.removeFirst())
            }
            if let index = left.firstIndex(where: { mayExceed($0, state) }), grant(left[index], &state) {
                granted.append(left.remove(at: index))
            }
            state.waiting[uid] = left.isEmpty ? nil : Array(left)
        }
        return granted
    }

    private static func mayExceed(_ waiter: Waiter, _ state: State) -> Bool {
        guard let preferred = state.preferred[waiter.account.uid] else { return waiter.isAlone }
        return waiter.isAlone && preferred === waiter.account
    }

    private static func changeUntaken(
        of uid: UInt32, _ state: inout State, _ change: (inout UntakenAnswers) -> Void
    ) {
        change(&state.untaken[uid, default: UntakenAnswers()])
        if state.untaken[uid]?.isEmpty ?? false {
            state.untaken[uid] = nil
        }
    }

    /// The user's connections that have left answers untaken longest, when such answers are what fills its share.
    private static func connectionsToCut(of uid: UInt32, _ state: inout State) -> [MemoryAccount] {
        guard state.untaken[uid] != nil else { return [] }
        var cut: [MemoryAccount] = []
        while isFilledByUntaken(uid, state), let account = state.untaken[uid]?.cutOldest() {
            cut.append(account)
        }
        return cut
    }

    /// Judges what will be held when all who were told to close have done so.
    private static func isFilledByUntaken(_ uid: UInt32, _ state: State) -> Bool {
        guard let untaken = state.untaken[uid] else { return false }
        let leaving = state.untaken.values.reduce(0) { $0 + $1.leavingByteCount }
        let held = state.share.held(by: uid) - untaken.leavingByteCount
        return held >= state.share.free + leaving && untaken.byteCount * 2 >= held
    }
}

extension MemoryAccount {
    fileprivate func postCut() {
        post(.cut(connection))
    }
}
