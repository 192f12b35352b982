import StoreEngine
import Synchronization

/// Whose memory it is: one connection, as the budget knows it from any thread.
final class MemoryAccount: Sendable {
    let uid: UInt32
    let connection: ConnectionID
    /// It may go beyond its user's share until its request is answered. Written by the budget alone.
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

/// Bounds the memory that requests and answers of all connections hold together, in decoded bytes, from the first byte
/// of a request until its answer is taken.
///
/// Users share it by `FairShare`. Whoever gets no room waits, behind those of the same user who have waited longer: the
/// connection is not read, and is told once it has room. So that frames of one user which all wait for their other half
/// cannot hold each other up, one connection of each user whose memory nothing else will give back may go beyond the
/// user's share. Shares leave free what the largest request takes, and of all these connections only one at a time may
/// use that: so frames of several users cannot hold each other up either. That one leaves free what a frame that has
/// arrived takes to be decoded, which may take whatever there is.
///
/// Answers exist before they are counted: they may take their user beyond its share, too. A user whose share is used
/// up by answers that its peers leave untaken loses the connections that have left them longest, and so does one beyond
/// its share where another finds no room who holds less: as many as that takes, where what one holds that was told to
/// close counts as given back.
final class MemoryBudget: Sendable {
    private struct Waiter {
        let account: MemoryAccount
        let bytes: Int
        /// Nothing that is at work for the connection will give memory back.
        var isAlone: Bool
        /// The frame has arrived, and is to be decoded.
        let isReceived: Bool
    }

    private struct State {
        var share: FairShare {
            didSet { peakBytes = max(peakBytes, share.used) }
        }
        var peakBytes = 0
        var waitCount: UInt64 = 0
        /// By user, in the order asked; only users of whom somebody waits.
        var waiting: [UInt32: [Waiter]] = [:]
        /// The users of `waiting`, those first who were given something longest ago.
        var waitingUsers: [UInt32] = []
        /// The connection of a user that may go beyond its share, until its request is answered.
        var preferred: [UInt32: MemoryAccount] = [:]
        /// The one of these that may use what is reserved, until its request is answered.
        var first: MemoryAccount?
        /// By user; only users with such answers.
        var untaken: [UInt32: UntakenAnswers] = [:]
    }

    private let state: Mutex<State>
    private let excessBytesMax: Int
    private let reservedBytes: Int
    private let decodingBytesMax: Int

    /// - Parameters:
    ///   - excessBytesMax: what one user may hold beyond half of all.
    ///   - reservedBytes: what shares leave free for one request at a time: as much as the largest takes.
    ///   - decodingBytesMax: of that, what it takes beside its frame.
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
        /// Since the start.
        var peakBytes = 0
        var totalBytes = 0
        /// How often a connection had to wait.
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

    /// Takes memory for a connection. False when there is no room: the connection then waits, and gets a delivery with
    /// what it asked for.
    func take(_ bytes: Int, for account: MemoryAccount, isAlone: Bool, isReceived: Bool) -> Bool {
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

    /// What was at work for a connection that waits will give nothing back any more.
    func becameAlone(_ account: MemoryAccount) {
        release(0, uid: account.uid) { state in
            if let index = state.waiting[account.uid]?.firstIndex(where: { $0.account === account }) {
                state.waiting[account.uid]?[index].isAlone = true
            }
        }
    }

    /// A request of the connection is answered: if it was preferred for that, another one has its turn.
    func endPreference(of account: MemoryAccount) {
        release(0, uid: account.uid) { Self.endPreference(of: account, &$0) }
    }

    /// The connection is gone and gives back what it holds.
    ///
    /// - Parameter kept: what is still at work for it, and released when that is done.
    func forget(_ account: MemoryAccount, holding held: Int, keeping kept: Int) {
        release(held, uid: account.uid) { state in
            state.share.take(kept, for: account.uid)
            Self.endPreference(of: account, &state)
            Self.changeUntaken(of: account.uid, &state) { $0.forget(account) }
            guard let waiting = state.waiting[account.uid] else { return }
            Self.setWaiting(waiting.filter { $0.account !== account }, of: account.uid, &state)
        }
    }

    // MARK: What exists already

    /// Counts what exists.
    func add(_ bytes: Int, uid: UInt32) {
        let cut = state.withLock { state in
            state.share.take(bytes, for: uid)
            return connectionsToCut(of: uid, &state)
        }
        cut.forEach { $0.postCut() }
    }

    /// Counts what has come without having been asked for, as all that a peer has sent does when it closes its sending
    /// side. Returns false, and counts nothing, where it does not fit into the user's share.
    func addUnasked(_ bytes: Int, uid: UInt32) -> Bool {
        state.withLock { state in
            guard shareAdmits(bytes, uid, state) else { return false }
            state.share.take(bytes, for: uid)
            return true
        }
    }

    /// Counts an answer that can still be done without. Returns false, and counts nothing, where there is no room.
    func addAnswer(_ bytes: Int, uid: UInt32) -> Bool {
        let (isTaken, cut) = state.withLock { state -> (Bool, [MemoryAccount]) in
            guard state.share.admits(bytes, to: uid) || mayExceed(bytes, uid, leaving: 0, state) else {
                return (false, connectionsToCut(for: uid, wanting: bytes, &state))
            }
            state.share.take(bytes, for: uid)
            return (true, connectionsToCut(of: uid, &state))
        }
        cut.forEach { $0.postCut() }
        return isTaken
    }

    /// Notes how much of its answers a peer has not taken: of what is counted, what closing it would give back.
    func setUntaken(_ bytes: Int, of account: MemoryAccount) {
        let cut = state.withLock { state in
            Self.changeUntaken(of: account.uid, &state) { $0.set(bytes, of: account) }
            return connectionsToCut(of: account.uid, &state)
        }
        cut.forEach { $0.postCut() }
    }

    /// Whether the peer still leaves answers untaken, for which it was told to close. If not, it stays.
    func confirmCut(of account: MemoryAccount) -> Bool {
        state.withLock { state in
            var isConfirmed = false
            Self.changeUntaken(of: account.uid, &state) { isConfirmed = $0.confirmCut(of: account) }
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

    /// Takes the memory if the user's share or its preference allows it.
    ///
    /// - Parameter isNext: nobody of the same user has waited longer.
    private func grant(_ waiter: Waiter, isNext: Bool, _ state: inout State) -> Bool {
        let uid = waiter.account.uid
        if isNext, shareAdmits(waiter.bytes, uid, state) {
            state.share.take(waiter.bytes, for: uid)
            return true
        }
        guard Self.isPreferred(waiter, state), mayExceed(waiter.bytes, uid, leaving: left(by: waiter, state), state)
        else { return false }
        if !waiter.isReceived, waiter.bytes + reservedBytes > state.share.free {
            state.first = waiter.account
        }
        state.preferred[uid] = waiter.account
        waiter.account.isPreferred.store(true, ordering: .relaxed)
        state.share.take(waiter.bytes, for: uid)
        return true
    }

    /// Lets those go on for whom there is room now, of every user in the order asked, and the one that may go beyond
    /// its user's share. Users who were given something come last the next time.
    private func grantWaiting(_ state: inout State) -> [Waiter] {
        var granted: [Waiter] = []
        var users: (passed: [UInt32], given: [UInt32]) = ([], [])
        for uid in state.waitingUsers {
            let grantedBefore = granted.count
            var left = (state.waiting[uid] ?? [])[...]
            while let first = left.first, grant(first, isNext: true, &state) {
                granted.append(left.removeFirst())
            }
            // One that is refused may have asked for more than one behind it.
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

    /// Whether it is the one of its user that may go beyond the share.
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

    /// What whoever goes beyond its share leaves free.
    private func left(by waiter: Waiter, _ state: State) -> Int {
        if waiter.isReceived { return 0 }
        return state.first.map { $0 === waiter.account } ?? true ? decodingBytesMax : reservedBytes
    }

    /// Whether a user may hold so much more, whatever its share.
    private func mayExceed(_ bytes: Int, _ uid: UInt32, leaving left: Int, _ state: State) -> Bool {
        bytes + left <= state.share.free && state.share.held(by: uid) + bytes <= state.share.total / 2 + excessBytesMax
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
    ///
    /// - Parameter reserved: what is in nobody's share where the user finds no room; answers may take of it.
    private func connectionsToCut(
        of uid: UInt32, beside reserved: Int = 0, _ state: inout State
    ) -> [MemoryAccount] {
        var cut: [MemoryAccount] = []
        while let untaken = state.untaken[uid], Self.hasUsedShare(uid, beside: reserved, state),
            untaken.byteCount * 2 >= Self.staying(uid, state), let account = state.untaken[uid]?.cutOldest()
        {
            cut.append(account)
        }
        return cut
    }

    /// The same of other users, where one found no room who would hold less than they do: whatever else they hold.
    private func connectionsToCut(for uid: UInt32, wanting bytes: Int, _ state: inout State) -> [MemoryAccount] {
        let wanted = state.share.held(by: uid) + bytes
        var cut: [MemoryAccount] = []
        for other in state.untaken.keys where other != uid {
            while Self.hasUsedShare(other, state), Self.staying(other, state) > wanted,
                let account = state.untaken[other]?.cutOldest()
            {
                cut.append(account)
            }
        }
        return cut
    }

    /// Judges what will be held when all who were told to close have done so.
    private static func hasUsedShare(_ uid: UInt32, beside reserved: Int = 0, _ state: State) -> Bool {
        let leaving = state.untaken.values.reduce(0) { $0 + $1.leavingByteCount }
        return staying(uid, state) >= state.share.free - reserved + leaving
    }

    private static func staying(_ uid: UInt32, _ state: State) -> Int {
        state.share.held(by: uid) - (state.untaken[uid]?.leavingByteCount ?? 0)
    }
}

extension MemoryAccount {
    fileprivate func postCut() {
        post(.cut(connection))
    }
}
