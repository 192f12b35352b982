import CSimulatedDisk
import StoreBasics

/// What must be true of the store whatever happens to its disk: numbers that outlive the lives. Written when an answer
/// comes, read when the next life has opened the store.
struct Ledger: Sendable {
    /// How far a client has come.
    struct Progress {
        /// Works that were sent.
        var issued: Int
        /// Of those, how many were answered or seen by a reader: these are there.
        var answered: Int
    }

    static let clientsMax = 16
    /// Works of one client in one store.
    static let worksMax = 2_048

    private static let clients = 32
    private static let refusals = clients + 3 * clientsMax
    private static let refusalWords = worksMax / 64

    /// The making of the store was answered.
    var isMade: Bool {
        get { Self[flag: 0] }
        nonmutating set { Self[flag: 0] = newValue }
    }

    /// Of the history, once it is known.
    var history: UInt64 {
        get { Self[1] }
        nonmutating set { Self[1] = newValue }
    }

    /// The highest that an answer has told.
    var revision: UInt64 {
        get { Self[2] }
        nonmutating set { Self[2] = newValue }
    }

    /// Several threads answer at once.
    func raise(revision: UInt64) {
        disk_ledger_raise(2, revision)
    }

    /// Backups that were answered as made.
    var backups: Int {
        get { Int(Self[3]) }
        nonmutating set { Self[3] = UInt64(newValue) }
    }

    /// The second key file's slot is there.
    var hasSecondKey: Bool {
        get { Self[flag: 4] }
        nonmutating set { Self[flag: 4] = newValue }
    }

    /// Rotations that were answered.
    var rotations: UInt64 {
        get { Self[5] }
        nonmutating set { Self[5] = newValue }
    }

    /// Works that were answered, of all clients: for people.
    var answers: UInt64 { Self[6] }

    func countAnswer() {
        disk_ledger_add(6, 1)
    }

    func progress(of client: Int) -> Progress {
        let place = Self.clients + 3 * client
        return Progress(issued: Int(Self[place]), answered: Int(Self[place + 1]))
    }

    func issue(_ number: Int, of client: Int) {
        Self[Self.clients + 3 * client] = UInt64(number + 1)
    }

    /// Answers of one client come in their order, but what a reader sees may be ahead of them.
    func answer(_ number: Int, of client: Int) {
        disk_ledger_raise(Self.clients + 3 * client + 1, UInt64(number + 1))
    }

    /// What was sent behind these works is not there, and will be sent again.
    ///
    /// - Parameter isUncertain: the store looks the same with fewer of them.
    func settle(_ count: Int, of client: Int, isUncertain: Bool) {
        if isUncertain {
            Self[Self.clients + 3 * client + 2] = UInt64(count)
        }
        Self[Self.clients + 3 * client] = UInt64(count)
        Self[Self.clients + 3 * client + 1] = UInt64(count)
    }

    /// Whether the last of so many works is known to have been done.
    func isCertain(_ count: Int, of client: Int) -> Bool {
        Self[Self.clients + 3 * client + 2] != UInt64(count)
    }

    /// A work was answered with a failure: nothing of it is there.
    func refuse(_ number: Int, of client: Int) {
        let place = Self.refusals + client * Self.refusalWords + number / 64
        disk_ledger_mark(place, 1 << UInt64(number % 64))
    }

    func isRefused(_ number: Int, of client: Int) -> Bool {
        Self[Self.refusals + client * Self.refusalWords + number / 64] >> UInt64(number % 64) & 1 != 0
    }

    /// What was answered behind these works may be gone.
    func forget(answeredBehind count: Int, of client: Int) {
        let place = Self.clients + 3 * client + 1
        Self[place] = min(Self[place], UInt64(count))
    }

    static subscript(_ word: Int) -> UInt64 {
        get { disk_ledger_get(word) }
        set { disk_ledger_set(word, newValue) }
    }

    static subscript(flag word: Int) -> Bool {
        get { Self[word] != 0 }
        set { Self[word] = newValue ? 1 : 0 }
    }
}

/// The last backup that was answered, which a restore brings back.
extension Ledger {
    private static let backup = refusals + clientsMax * refusalWords
    private static let counts = backup + 8

    /// What names it; 0: there is none.
    var backupName: UInt64 {
        get { Self[Self.backup] }
        nonmutating set { Self[Self.backup] = newValue }
    }

    /// A restore was begun, and nobody has looked yet whether it took place.
    var isRestoring: Bool {
        get { Self[flag: Self.backup + 1] }
        nonmutating set { Self[flag: Self.backup + 1] = newValue }
    }

    /// What names the last backup whose deletion was answered; 0: there is none.
    var deletedBackup: UInt64 {
        get { Self[Self.backup + 5] }
        nonmutating set { Self[Self.backup + 5] = newValue }
    }

    /// Restores that took place: for people.
    var restores: UInt64 {
        get { Self[Self.backup + 2] }
        nonmutating set { Self[Self.backup + 2] = newValue }
    }

    /// Everything that was sent is answered, and in the backup.
    func noteBackup(named name: UInt64, revision: UInt64, clients: Int) {
        for client in 0..<clients {
            Self[Self.counts + client] = UInt64(progress(of: client).answered)
        }
        Self[flag: Self.backup + 3] = hasSecondKey
        Self[Self.backup + 4] = revision
        backupName = name
    }

    func holdsBackup(moreThan count: Int, of client: Int) -> Bool {
        Self[Self.counts + client] > UInt64(count)
    }

    /// What was done since the backup is as if it had never been.
    func noteRestore(clients: Int) {
        for client in 0..<clients {
            let (first, end) = (Int(Self[Self.counts + client]), progress(of: client).issued)
            for number in first..<max(first, end) {
                refuse(number, of: client)
            }
            settle(end, of: client, isUncertain: true)
        }
        hasSecondKey = Self[flag: Self.backup + 3]
        revision = Self[Self.backup + 4]
        restores += 1
    }
}
