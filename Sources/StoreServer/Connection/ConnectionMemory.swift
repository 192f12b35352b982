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

    /// Makes room for as many bytes of a frame again as have arrived. False while there is none.
    func expect(frameBytes: Int, receivedBytes bytes: Int) -> Bool {
        let expected = min(frameBytes, 2 * bytes)
        // What was expected of the frame before is not received any more.
        let kept = max(bytes, min(receivedBytes, expected))
        if kept != receivedBytes {
            receivedBytes = kept
            settle()
        }
        guard receivedBytes < min(frameBytes, bytes + bytes / 4) else { return true }
        guard makeRoom(for: expected - receivedBytes, isReceived: false) else { return false }
        receivedBytes = expected
        return true
    }

    /// So many received bytes are left, which exist.
    func keep(receivedBytes bytes: Int) {
        grantedBytes = 0
        receivedBytes = bytes
        settle()
        endPreference(after: 0)
    }

    /// So many received bytes are there, some of which were not asked for. False where they are too many to be kept.
    func keepUnasked(receivedBytes bytes: Int) -> Bool {
        let missing = missingBytes(for: bytes - receivedBytes)
        if missing > 0 {
            guard budget.addUnasked(missing, uid: account.uid) else { return false }
            countedBytes += missing
        }
        receivedBytes = max(receivedBytes, bytes)
        return true
    }

    /// Makes room for a request, which takes the place of its frame. False while there is none.
    ///
    /// A frame and what it is decoded to exist side by side, but on one connection of a loop and one of the decoding
    /// queue at a time: that is not counted, so that frames which were received cannot keep each other from being
    /// decoded.
    ///
    /// - Parameter arrivedBytes: all that has arrived, the frame and what stands behind it.
    func begin(_ bytes: Int, inPlaceOf frameBytes: Int, of arrivedBytes: Int) -> Bool {
        if arrivedBytes > receivedBytes, missingBytes(for: bytes - min(frameBytes, receivedBytes)) > 0 {
            // It may have to wait, and what has arrived exists meanwhile.
            receivedBytes = arrivedBytes
            settle()
        }
        let replacedBytes = min(frameBytes, receivedBytes)
        guard makeRoom(for: bytes - replacedBytes, isReceived: true) else { return false }
        receivedBytes -= replacedBytes
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
        precondition(workingBytes >= 0, "a request must complete only once")
        settle()
        noteIsAlone()
        endPreference(after: bytes)
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

    private func makeRoom(for bytes: Int, isReceived: Bool) -> Bool {
        grantedBytes = 0
        let missing = missingBytes(for: bytes)
        guard missing > 0 else { return true }
        guard !isWaiting else { return false }
        let taken = (missing + Self.pieceBytes - 1) / Self.pieceBytes * Self.pieceBytes
        let isAlone = isAlone
        guard budget.take(taken, for: account, isAlone: isAlone, isReceived: isReceived) else {
            isWaiting = true
            isWaitingAlone = isAlone
            return false
        }
        countedBytes += taken
        return true
    }

    /// When the large request that the connection was preferred for is answered, or was none.
    private func endPreference(after answeredBytes: Int) {
        guard account.isPreferred.load(ordering: .relaxed), !isWaiting else { return }
        if answeredBytes > Self.uncountedBytes || receivedBytes + workingBytes <= Self.uncountedBytes {
            budget.endPreference(of: account)
        }
    }

    private func missingBytes(for bytes: Int) -> Int {
        heldBytes + bytes - Self.uncountedBytes - countedBytes
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
