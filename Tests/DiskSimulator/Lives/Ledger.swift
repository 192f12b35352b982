import CSimulatedDisk
import StoreBasics

/// Facts that must be true of the store whatever happens to its disk. Each life of the store (see `Life`) is a process,
/// and the ledger outlasts these processes. A life records what it sends and which answers arrive, and the next life
/// checks the store against these records.
struct Ledger: Sendable {
    struct Progress {
        /// The number of works (see `Work`) that the client has sent.
        var issued: Int
        /// The number of works that were acknowledged or seen by a reader. The store must contain them.
        var answered: Int
    }

    static let clientsMax = 16
    /// The largest number of works of one client in one store.
    static let worksMax = 2_048

    private static let clients = 32
    private static let refusals = clients + 3 * clientsMax
    private static let refusalWords = worksMax / 64

    /// True if the creation of the store was acknowledged.
    var isMade: Bool {
        get { Self[flag: 0] }
        nonmutating set { Self[flag: 0] = newValue }
    }

    /// The history of the store; 0 until it is known.
    var history: UInt64 {
        get { Self[1] }
        nonmutating set { Self[1] = newValue }
    }

    /// The highest revision in any answer.
    var revision: UInt64 {
        get { Self[2] }
        nonmutating set { Self[2] = newValue }
    }

    /// Raises the highest revision. It is atomic because several threads receive answers at the same time.
    func raise(revision: UInt64) {
        disk_ledger_raise(2, revision)
    }

    /// The number of acknowledged backups.
    var backups: Int {
        get { Int(Self[3]) }
        nonmutating set { Self[3] = UInt64(newValue) }
    }

    /// True if the store has the key slot of the second key file.
    var hasSecondKey: Bool {
        get { Self[flag: 4] }
        nonmutating set { Self[flag: 4] = newValue }
    }

    /// The number of acknowledged rotations.
    var rotations: UInt64 {
        get { Self[5] }
        nonmutating set { Self[5] = newValue }
    }

    /// The number of acknowledged works of all clients, for the printed summary.
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

    /// Records that a work is acknowledged. The number only rises: answers of one client arrive in order, but a reader
    /// may have seen later works before.
    func answer(_ number: Int, of client: Int) {
        disk_ledger_raise(Self.clients + 3 * client + 1, UInt64(number + 1))
    }

    /// Sets the number of works that the store contains. Later works are not in the store and will be sent again.
    ///
    /// - Parameter isUncertain: true if the store would look the same with fewer works.
    func settle(_ count: Int, of client: Int, isUncertain: Bool) {
        if isUncertain {
            Self[Self.clients + 3 * client + 2] = UInt64(count)
        }
        Self[Self.clients + 3 * client] = UInt64(count)
        Self[Self.clients + 3 * client + 1] = UInt64(count)
    }

    /// Returns true if the store certainly contains the last of the first `count` works, and false if the store would
    /// look the same without it.
    func isCertain(_ count: Int, of client: Int) -> Bool {
        Self[Self.clients + 3 * client + 2] != UInt64(count)
    }

    /// Records that a work failed: the store contains nothing of it.
    func refuse(_ number: Int, of client: Int) {
        let place = Self.refusals + client * Self.refusalWords + number / 64
        disk_ledger_mark(place, 1 << UInt64(number % 64))
    }

    func isRefused(_ number: Int, of client: Int) -> Bool {
        Self[Self.refusals + client * Self.refusalWords + number / 64] >> UInt64(number % 64) & 1 != 0
    }

    /// Lowers the number of works that the store must contain to `count`. The later works may be lost, although they
    /// were acknowledged.
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

/// The part of the ledger for the last acknowledged backup, which a restore brings back.
extension Ledger {
    private static let backup = refusals + clientsMax * refusalWords
    private static let counts = backup + 8

    /// A hash of the backup's name; 0 if there is no backup.
    var backupName: UInt64 {
        get { Self[Self.backup] }
        nonmutating set { Self[Self.backup] = newValue }
    }

    /// True if a restore was begun and no life has checked yet if it took place.
    var isRestoring: Bool {
        get { Self[flag: Self.backup + 1] }
        nonmutating set { Self[flag: Self.backup + 1] = newValue }
    }

    /// A hash of the name of the last backup whose deletion was acknowledged; 0 if no deletion was.
    var deletedBackup: UInt64 {
        get { Self[Self.backup + 5] }
        nonmutating set { Self[Self.backup + 5] = newValue }
    }

    /// The number of restores that took place, for the printed summary.
    var restores: UInt64 {
        get { Self[Self.backup + 2] }
        nonmutating set { Self[Self.backup + 2] = newValue }
    }

    /// Records a backup. All sent works must already be acknowledged, so the backup contains all of them.
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

    /// Updates the progress after a restore. All works that came after the backup are counted as refused, because the
    /// store contains nothing of them.
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
