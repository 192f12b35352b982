/// The unread answers of one user's connections. The connection whose answers have been unread the longest comes first.
struct UnreadAnswers {
    private struct Entry {
        let account: MemoryAccount
        var byteCount: Int
        /// True if the connection was asked to close. It holds the answers until it has closed.
        var isCut = false
    }

    private var entries: [Entry] = []
    /// The unread bytes of all connections that stay open.
    private(set) var byteCount = 0
    /// The unread bytes of all connections that were asked to close. They count as released.
    private(set) var leavingByteCount = 0

    var isEmpty: Bool { entries.isEmpty }

    /// Records the current number of unread bytes of one connection. With 0, a connection that stays open loses its
    /// place in the order.
    mutating func set(_ bytes: Int, of account: MemoryAccount) {
        guard let index = entries.firstIndex(where: { $0.account === account }) else {
            guard bytes > 0 else { return }
            entries.append(Entry(account: account, byteCount: bytes))
            byteCount += bytes
            return
        }
        let difference = bytes - entries[index].byteCount
        entries[index].byteCount = bytes
        if entries[index].isCut {
            leavingByteCount += difference
        } else {
            byteCount += difference
            if bytes == 0 {
                entries.remove(at: index)
            }
        }
    }

    /// Removes a closed connection.
    mutating func forget(_ account: MemoryAccount) {
        guard let index = entries.firstIndex(where: { $0.account === account }) else { return }
        let entry = entries.remove(at: index)
        if entry.isCut {
            leavingByteCount -= entry.byteCount
        } else {
            byteCount -= entry.byteCount
        }
    }

    /// Chooses the connection whose answers have been unread the longest. The connection must close, and is chosen only
    /// once.
    mutating func cutOldest() -> MemoryAccount? {
        guard let index = entries.firstIndex(where: { !$0.isCut }) else { return nil }
        entries[index].isCut = true
        byteCount -= entries[index].byteCount
        leavingByteCount += entries[index].byteCount
        return entries[index].account
    }

    /// Returns whether the chosen connection still has unread answers. If not, it stays open.
    mutating func confirmCut(of account: MemoryAccount) -> Bool {
        guard let index = entries.firstIndex(where: { $0.account === account && $0.isCut }) else { return false }
        guard entries[index].byteCount == 0 else { return true }
        entries.remove(at: index)
        return false
    }
}
