import StoreBasics

/// What is known of a store whose journal somebody has changed.
extension Ledger {
    private static let stopped = 640
    private static let flags = stopped + clientsMax

    /// Files of the store are not as it left them. A loss may be accepted then.
    var isTamperedWith: Bool {
        get { Self[flag: Self.flags] }
        nonmutating set { Self[flag: Self.flags] = newValue }
    }

    /// An operator has gone on without what is missing, and nobody has looked yet at what is left.
    var isAcceptingLoss: Bool {
        get { Self[flag: Self.flags + 1] }
        nonmutating set { Self[flag: Self.flags + 1] = newValue }
    }

    /// Before the loss that is being accepted. Looking at what is left may be cut off like anything else.
    var historyBeforeLoss: UInt64 {
        get { Self[Self.flags + 4] }
        nonmutating set { Self[Self.flags + 4] = newValue }
    }

    /// Somebody keeps a copy of the database file, made when it was last closed.
    var isDatabaseKept: Bool {
        get { Self[flag: Self.flags + 2] }
        nonmutating set { Self[flag: Self.flags + 2] = newValue }
    }

    /// The database file holds everything, and nobody can take that away.
    func noteStop(clients: Int) {
        guard !isDatabaseKept else { return }
        for client in 0..<clients {
            Self[Self.stopped + client] = UInt64(progress(of: client).answered)
        }
    }

    /// Of each client's works those are there that the database file held, and of the others the first ones.
    func noteLoss(clients: Int, revision: UInt64) {
        for client in 0..<clients {
            let kept = Int(Self[Self.stopped + client])
            forget(answeredBehind: kept, of: client)
            // What is in a backup and not in the store any more would be sent again.
            if holdsBackup(moreThan: kept, of: client) {
                backupName = 0
            }
        }
        self.revision = revision
        isDatabaseKept = false
        losses += 1
    }

    /// Losses that were accepted: for people.
    var losses: UInt64 {
        get { Self[Self.flags + 3] }
        nonmutating set { Self[Self.flags + 3] = newValue }
    }
}
