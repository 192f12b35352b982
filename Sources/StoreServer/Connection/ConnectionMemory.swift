import Synchronization

/// What one connection holds of the memory budget: bytes received and not parsed, requests at work in decoded bytes,
/// and answers that its peer has not taken. Used on its event loop.
///
/// A little is not counted, so that short requests never meet the budget's lock; more is taken from it in pieces.
final class ConnectionMemory {
    /// Bounded by the number of connections.
    static let uncountedBytes = 16 << 10
    private static let pieceBytes = 64 << 10

    private let budget: MemoryBudget
    private let account: MemoryAccount
    private var receivedBytes = 0
    private var workingBytes = 0
    private var untakenBytes = 0
    /// Given by the budget for what comes next.
    private var grantedBytes = 0
    /// Taken from the budget.
    private var countedBytes = 0
    /// There was no room; a delivery tells when there is.
    private(set) var isWaiting = false
    /// The budget knows that nothing at work will give memory back for what is waited for.
    private var isWaitingAlone = false
    private var isClosed = false

    init(_ budget: MemoryBudget, account: MemoryAccount) {
        self.budget = budget
        self.account = account
    }

    private var heldBytes: Int {
        receivedBytes + workingBytes + untakenBytes
    }

    /// What is at work is so little that its end gives nothing back.
    private var isAlone: Bool {
        workingBytes + untakenBytes <= Self.uncountedBytes
    }

    /// True for what never fits, however long it waits.
    func isTooLarge(_ bytes: Int) -> Bool {
        bytes > budget.bytesMax
    }

    /// Makes room for as many bytes of a frame again as have arrived. False while there is none.
    func expect(frameBytes: Int, receivedBytes bytes: Int) -> Bool {
        if bytes > receivedBytes {
            receivedBytes = bytes
            settle()
        }
        let expected = min(frameBytes, 2 * bytes)
        guard receivedBytes < min(frameBytes, bytes + bytes / 4) else { return true }
        guard makeRoom(for: expected - receivedBytes) else { return false }
        receivedBytes = expected
        return true
    }

    /// So many received bytes are left, which exist.
    func keep(receivedBytes bytes: Int) {
        grantedBytes = 0
        receivedBytes = bytes
        settle()
    }

    /// So many received bytes are there, some of which were not asked for. False where they are too many to be kept.
    func keepUnasked(receivedBytes bytes: Int) -> Bool {
        let missing = heldBytes + bytes - receivedBytes - Self.uncountedBytes - countedBytes
        if missing > 0 {
            guard budget.addUnasked(missing, uid: account.uid) else { return false }
            countedBytes += missing
        }
        receivedBytes = max(receivedBytes, bytes)
        return true
    }

    /// Makes room for a request. False while there is none.
    func begin(_ bytes: Int) -> Bool {
        guard makeRoom(for: bytes) else { return false }
        workingBytes += bytes
        return true
    }

    /// The same where it cannot wait.
    func beginAnyway(_ bytes: Int) {
        workingBytes += bytes
        settle()
    }

    /// A request has its last answer.
    func complete(_ bytes: Int) {
        guard !isClosed else { return budget.release(bytes, uid: account.uid) }
        workingBytes -= bytes
        precondition(workingBytes >= 0, "a request completes once")
        settle()
        noteIsAlone()
        if bytes > Self.uncountedBytes, account.isPreferred.load(ordering: .relaxed) {
            budget.endPreference(of: account)
        }
    }

    func setUntaken(_ bytes: Int) {
        guard bytes != untakenBytes, !isClosed else { return }
        untakenBytes = bytes
        settle()
        budget.setUntaken(min(bytes, countedBytes), of: account)
        noteIsAlone()
    }

    /// Whether the connection is to be closed for answers that its peer leaves untaken: not if it took them meanwhile.
    func confirmCut() -> Bool {
        budget.confirmCut(of: account)
    }

    /// What it waited for is there.
    func granted(_ bytes: Int) {
        countedBytes += bytes
        grantedBytes = bytes
        isWaiting = false
        isWaitingAlone = false
    }

    /// The connection is gone. What is still at work for it is counted until its answer comes.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        budget.forget(account, holding: countedBytes, keeping: workingBytes)
        receivedBytes = 0
        workingBytes = 0
        untakenBytes = 0
        grantedBytes = 0
        countedBytes = 0
        isWaiting = false
    }

    private func makeRoom(for bytes: Int) -> Bool {
        grantedBytes = 0
        let missing = heldBytes + bytes - Self.uncountedBytes - countedBytes
        guard missing > 0 else { return true }
        guard !isWaiting else { return false }
        let taken = (missing + Self.pieceBytes - 1) / Self.pieceBytes * Self.pieceBytes
        let isAlone = isAlone
        guard budget.take(taken, for: account, isAlone: isAlone) else {
            isWaiting = true
            isWaitingAlone = isAlone
            return false
        }
        countedBytes += taken
        return true
    }

    private func noteIsAlone() {
        guard isWaiting, !isWaitingAlone, isAlone else { return }
        isWaitingAlone = true
        budget.becameAlone(account)
    }

    /// Gives back what is not needed, and counts what exists beyond what was taken.
    private func settle() {
        guard !isClosed else { return }
        let needed = max(heldBytes - Self.uncountedBytes, 0) + grantedBytes
        if needed > countedBytes {
            budget.add(needed - countedBytes, uid: account.uid)
            countedBytes = needed
        } else if countedBytes > 0, needed == 0 || countedBytes - needed >= 2 * Self.pieceBytes {
            let given = countedBytes - needed
            countedBytes = needed
            budget.release(given, uid: account.uid)
        }
    }
}
