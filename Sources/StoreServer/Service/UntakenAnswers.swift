/// Answers that peers of one user leave untaken, those longest left first.
struct UntakenAnswers {
    private struct Entry {
        let account: MemoryAccount
        var byteCount: Int
        /// It was told to close, and holds them until it has.
        var isCut = false
    }

    private var entries: [Entry] = []
    /// Of connections that stay.
    private(set) var byteCount = 0
    /// Of connections that were told to close: as good as given back.
    private(set) var leavingByteCount = 0

    var isEmpty: Bool { entries.isEmpty }

    /// Notes how much a peer leaves untaken.
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

    /// The connection is gone.
    mutating func forget(_ account: MemoryAccount) {
        guard let index = entries.firstIndex(where: { $0.account === account }) else { return }
        let entry = entries.remove(at: index)
        if entry.isCut {
            leavingByteCount -= entry.byteCount
        } else {
            byteCount -= entry.byteCount
        }
    }

    /// Chooses the connection that is to close: the one whose answers were left longest, once.
    mutating func cutOldest() -> MemoryAccount? {
        guard let index = entries.firstIndex(where: { !$0.isCut }) else { return nil }
        entries[index].isCut = true
        byteCount -= entries[index].byteCount
        leavingByteCount += entries[index].byteCount
        return entries[index].account
    }

    /// Whether the connection, which was told to close, still leaves something untaken. If not, it stays.
    mutating func confirmCut(of account: MemoryAccount) -> Bool {
        guard let index = entries.firstIndex(where: { $0.account === account && $0.isCut }) else { return false }
        guard entries[index].byteCount == 0 else { return true }
        entries.remove(at: index)
        return false
    }
}
