import StoreBasics

/// The part of the ledger for stores whose journal was damaged on purpose.
extension Ledger {
    private static let stopped = 640
    private static let flags = stopped + clientsMax

    /// True if files of the store were changed while it was closed. Only then may a loss be accepted.
    var isTamperedWith: Bool {
        get { Self[flag: Self.flags] }
        nonmutating set { Self[flag: Self.flags] = newValue }
    }

    /// True if a loss was accepted and the remaining content has not been checked yet.
    var isAcceptingLoss: Bool {
        get { Self[flag: Self.flags + 1] }
        nonmutating set { Self[flag: Self.flags + 1] = newValue }
    }

    /// The history before the accepted loss. It is in the ledger because a power cut or a kill may interrupt the life
    /// that checks the new history.
    var historyBeforeLoss: UInt64 {
        get { Self[Self.flags + 4] }
        nonmutating set { Self[Self.flags + 4] = newValue }
    }

    /// True after the database file was copied (`Tampering.keptDatabase`), until a loss was accepted. Later stops do
    /// not renew the copy.
    var isDatabaseKept: Bool {
        get { Self[flag: Self.flags + 2] }
        nonmutating set { Self[flag: Self.flags + 2] = newValue }
    }

    /// Remembers the works that the database file contains after a clean stop. No damage to the journal can remove
    /// them.
    func noteStop(clients: Int) {
        guard !isDatabaseKept else { return }
        for client in 0..<clients {
            Self[Self.stopped + client] = UInt64(progress(of: client).answered)
        }
    }

    /// Updates the progress after an accepted loss: the store must contain the works of the database file. It may
    /// contain later works, but none without all works before it.
    func noteLoss(clients: Int, revision: UInt64) {
        for client in 0..<clients {
            let kept = Int(Self[Self.stopped + client])
            forget(answeredBehind: kept, of: client)
            // A restore would bring back works that the store has lost and the clients send again. So the backup is not
            // used any more.
            if holdsBackup(moreThan: kept, of: client) {
                backupName = 0
            }
        }
        self.revision = revision
        isDatabaseKept = false
        losses += 1
    }

    /// The number of accepted losses, for the printed summary.
    var losses: UInt64 {
        get { Self[Self.flags + 3] }
        nonmutating set { Self[Self.flags + 3] = newValue }
    }
}
