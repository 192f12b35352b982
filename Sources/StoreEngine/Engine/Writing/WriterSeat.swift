/// Who works with the writer's context: the writer thread, with what is queued; or, while that waits for something to
/// do, the thread of a caller, with something short, which then waits for no other thread to wake.
struct WriterSeat {
    /// How the writer thread finds what it left.
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
    /// The writer thread has asked for it while a caller had it.
    private var isWanted = false
    /// The writer thread looks again by itself, in time to commit the pages of a loan.
    private var isWaitShort = false

    /// The writer thread takes it back; `nil` while a caller has it, who then wakes the writer thread.
    mutating func take() -> Return? {
        if case .borrower = holder {
            isWanted = true
            return nil
        }
        defer { wasLent = false }
        isWanted = false
        holder = .writer
        return wasLent ? .afterLoans : .asLeft
    }

    /// The writer thread waits for something to do.
    ///
    /// - Parameters:
    ///   - isLent: whether a caller may have it.
    ///   - milliseconds: at most so long; `nil`: until it is woken.
    mutating func leave(isLent: Bool, milliseconds: Int?) {
        holder = .nobody(isLent: isLent)
        isWaitShort = milliseconds.map { $0 <= EngineLimits.uncommittedMilliseconds } ?? false
    }

    /// - Returns: whether the caller has it now.
    mutating func borrow() -> Bool {
        guard case .nobody(isLent: true) = holder, !isWanted else { return false }
        holder = .borrower
        return true
    }

    /// - Returns: whether the writer thread is to be woken.
    mutating func giveBack(isLent: Bool) -> Bool {
        holder = .nobody(isLent: isLent)
        wasLent = true
        return isWanted || !isWaitShort
    }
}
