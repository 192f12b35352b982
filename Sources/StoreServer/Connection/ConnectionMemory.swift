import Synchronization

/// The memory that one connection holds of the memory budget: received bytes that are not parsed, decoded bytes of
/// requests in progress, and unread answers. Used on its event loop only.
///
/// The first `uncountedBytes` are not counted, so that short requests never acquire the lock of the budget. Memory
/// above that is acquired from the budget in large pieces.
final class ConnectionMemory {
    /// The bytes of one connection that are not counted. The limit on connections also limits their sum.
    static let uncountedBytes = 16 << 10
    private static let pieceBytes = 64 << 10

    private let budget: MemoryBudget
    private let account: MemoryAccount
    private var receivedBytes = 0
    private var workingBytes = 0
    private var unreadBytes = 0
    /// Bytes that the budget granted for the next frame or request.
    private var grantedBytes = 0
    /// Bytes acquired from the budget.
    private var countedBytes = 0
    /// True while the connection waits for room in the budget. A delivery reports the granted memory.
    private(set) var isWaiting = false
    /// True if the budget was informed that no request in progress on this connection will release memory for the
    /// waiting request.
    private var isWaitingAlone = false
    private var isClosed = false

    init(_ budget: MemoryBudget, account: MemoryAccount) {
        self.budget = budget
        self.account = account
    }

    private var heldBytes: Int {
        receivedBytes + workingBytes + unreadBytes
    }

    /// True if completing the requests in progress would release nothing to the budget, because their memory is within
    /// `uncountedBytes`.
    private var isAlone: Bool {
        workingBytes + unreadBytes <= Self.uncountedBytes
    }

    /// Reserves memory for a frame, up to twice the bytes that have arrived. Returns false if there is no room yet.
    func expect(frameBytes: Int, receivedBytes bytes: Int) -> Bool {
        let expected = min(frameBytes, 2 * bytes)
        // Bytes reserved for the previous frame are not needed any more.
        let kept = max(bytes, min(receivedBytes, expected))
        if kept != receivedBytes {
            receivedBytes = kept
            adjustCountedBytes()
        }
        guard receivedBytes < min(frameBytes, bytes + bytes / 4) else { return true }
        guard makeRoom(for: expected - receivedBytes, isReceived: false) else { return false }
        receivedBytes = expected
        return true
    }

    /// Sets the number of received bytes that remain. They are already in memory.
    func keep(receivedBytes bytes: Int) {
        grantedBytes = 0
        receivedBytes = bytes
        adjustCountedBytes()
        endPreference(after: 0)
    }

    /// Raises the number of received bytes to a number that includes bytes which were not requested; never lowers it.
    /// Returns false, and changes nothing, if the budget has no room for the additional bytes.
    func keepUnasked(receivedBytes bytes: Int) -> Bool {
        let missing = missingBytes(for: bytes - receivedBytes)
        if missing > 0 {
            guard budget.addUnasked(missing, uid: account.uid) else { return false }
            countedBytes += missing
        }
        receivedBytes = max(receivedBytes, bytes)
        return true
    }

    /// Reserves memory for a request, which replaces its frame. Returns false if there is no room yet.
    ///
    /// A frame and its decoded form exist side by side on at most one connection of each event loop, and for at most
    /// one request of the decoding queue, at a time. That overlap is not counted, so that received frames cannot
    /// prevent each other from being decoded.
    ///
    /// - Parameter arrivedBytes: All received bytes: the frame and the bytes after it.
    func begin(_ bytes: Int, inPlaceOf frameBytes: Int, of arrivedBytes: Int) -> Bool {
        if arrivedBytes > receivedBytes, missingBytes(for: bytes - min(frameBytes, receivedBytes)) > 0 {
            // The request may have to wait, and the received bytes are in memory meanwhile.
            receivedBytes = arrivedBytes
            adjustCountedBytes()
        }
        let replacedBytes = min(frameBytes, receivedBytes)
        guard makeRoom(for: bytes - replacedBytes, isReceived: true) else { return false }
        receivedBytes -= replacedBytes
        workingBytes += bytes
        return true
    }

    /// Counts a request that cannot wait for memory, even above the limit.
    func beginAnyway(_ bytes: Int) {
        workingBytes += bytes
        adjustCountedBytes()
    }

    /// Releases the bytes of a request whose last answer was written.
    func complete(_ bytes: Int) {
        guard !isClosed else { return budget.release(bytes, uid: account.uid) }
        workingBytes -= bytes
        precondition(workingBytes >= 0, "a request must complete only once")
        adjustCountedBytes()
        reportIfAlone()
        endPreference(after: bytes)
    }

    func setUnread(_ bytes: Int) {
        guard bytes != unreadBytes, !isClosed else { return }
        unreadBytes = bytes
        adjustCountedBytes()
        budget.setUnread(min(bytes, countedBytes), of: account)
        reportIfAlone()
    }

    /// Returns whether the connection must be closed because its peer leaves answers unread. Returns false if the peer
    /// has read them in the meantime.
    func confirmCut() -> Bool {
        budget.confirmCut(of: account)
    }

    /// Accepts the granted memory that the connection waited for.
    func granted(_ bytes: Int) {
        countedBytes += bytes
        grantedBytes = bytes
        isWaiting = false
        isWaitingAlone = false
    }

    /// Releases the memory of a closed connection. Requests in progress stay counted until their answers come.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        budget.forget(account, holding: countedBytes, keeping: workingBytes)
        receivedBytes = 0
        workingBytes = 0
        unreadBytes = 0
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
        guard budget.acquire(taken, for: account, isAlone: isAlone, isReceived: isReceived) else {
            isWaiting = true
            isWaitingAlone = isAlone
            return false
        }
        countedBytes += taken
        return true
    }

    /// Ends the preference that the budget gave the connection for a large request, if that request has been answered
    /// or turned out not to be large.
    private func endPreference(after answeredBytes: Int) {
        guard account.isPreferred.load(ordering: .relaxed), !isWaiting else { return }
        if answeredBytes > Self.uncountedBytes || receivedBytes + workingBytes <= Self.uncountedBytes {
            budget.endPreference(of: account)
        }
    }

    private func missingBytes(for bytes: Int) -> Int {
        heldBytes + bytes - Self.uncountedBytes - countedBytes
    }

    private func reportIfAlone() {
        guard isWaiting, !isWaitingAlone, isAlone else { return }
        isWaitingAlone = true
        budget.becameAlone(account)
    }

    /// Adjusts the bytes acquired from the budget to the bytes in use: releases bytes that are not needed, and adds
    /// missing bytes, even if the budget is full.
    private func adjustCountedBytes() {
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
