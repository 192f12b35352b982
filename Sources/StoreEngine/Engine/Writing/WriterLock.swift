/// The writer lock: the right to use the writer's context. The writer thread holds the lock to perform queued work.
/// While this thread waits for work, the thread of a caller may borrow the lock for a short write, so that the write
/// does not have to wake another thread.
struct WriterLock {
    /// The use of the lock while the writer thread waited: `asLeft` if no caller borrowed it.
    enum Return: Hashable, Sendable {
        case asLeft
        case afterLoans
    }

    private enum Holder {
        case writer
        case borrower
        case nobody(isLent: Bool)
    }

    private var holder = Holder.writer
    private var wasLent = false
    /// True if the writer thread has requested the lock while a caller had it.
    private var isWanted = false
    /// True if the writer thread wakes by itself early enough to commit the pages that a borrower of the lock has
    /// written.
    private var isWaitShort = false

    /// Gives the lock back to the writer thread. Returns `nil` while a caller has the lock; the caller then wakes the
    /// writer thread when it returns the lock.
    mutating func reacquire() -> Return? {
        if case .borrower = holder {
            isWanted = true
            return nil
        }
        defer { wasLent = false }
        isWanted = false
        holder = .writer
        return wasLent ? .afterLoans : .asLeft
    }

    /// Releases the lock while the writer thread waits for work.
    ///
    /// - Parameters:
    ///   - isLent: True if callers may borrow it.
    ///   - milliseconds: The longest time of the wait; `nil` for any time.
    mutating func leave(isLent: Bool, milliseconds: Int?) {
        holder = .nobody(isLent: isLent)
        isWaitShort = milliseconds.map { $0 <= EngineLimits.uncommittedMilliseconds } ?? false
    }

    /// Lends the lock to a caller if the writer thread has left it for callers.
    ///
    /// - Returns: True if the caller has the lock now.
    mutating func borrow() -> Bool {
        guard case .nobody(isLent: true) = holder, !isWanted else { return false }
        holder = .borrower
        return true
    }

    /// Releases the lock that a caller has borrowed.
    ///
    /// - Returns: True if the writer thread must be woken.
    mutating func giveBack(isLent: Bool) -> Bool {
        holder = .nobody(isLent: isLent)
        wasLent = true
        return isWanted || !isWaitShort
    }
}
