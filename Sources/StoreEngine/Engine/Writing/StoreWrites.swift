import StoreBasics

/// Everything that a transaction can do to the store.
final class StoreWrites: AreaWork {
    let areas: AreaWrites
    let search: SearchChanges
    let keptKeys: KeptKeyCache
    private(set) lazy var archive = ArchiveRestoring(areas: areas)
    private(set) lazy var replica: ReplicaWrites = {
        usesReplica = true
        return ReplicaWrites(areas, caches.replica, RowRemoval.listeners)
    }()
    private var usesReplica = false
    private(set) lazy var clearing = StoreClearing(areas: areas, keptKeys: keptKeys, replica: replica)
    private let caches: WriterCaches

    init(_ transaction: Transaction, _ caches: WriterCaches, _ fileQuotas: FileQuotas) {
        self.caches = caches
        keptKeys = caches.keptKeys
        let leftovers = Leftovers(transaction)
        search = SearchChanges(transaction)
        let listeners = AreaListeners(all: [search, ReplicaChangeTracker(transaction, leftovers)])
        areas = AreaWrites(transaction, leftovers, caches.areas, fileQuotas, listeners)
    }

    /// What has become of devices of the store's group.
    var replicaNews: [ReplicaNews] { usesReplica ? replica.news : [] }

    /// Does the last work of the transaction.
    func finish() throws(StoreError) {
        try areas.logs.deleteDisplacedEntries()
        try areas.scenes.writeSharedSceneValues()
        try keptKeys.keys.trim(connection)
        // A rule about time is stored together with the anchor from which its time is counted.
        if !transaction.changes.isEmpty || areas.expiries.retentionDue != nil {
            try areas.expiries.keepAnchor()
        }
        try ChangeLog.write(transaction)
    }

    /// True if areas of the vault may hold more or less than before.
    var hasChangedFiles: Bool {
        transaction.changes.contains { $0.kind == .file || $0.kind == .store }
    }
}
