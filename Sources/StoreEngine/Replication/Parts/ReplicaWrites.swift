import StoreBasics

/// Work of a transaction for the store's replica group.
final class ReplicaWrites: AreaWork {
    let areas: AreaWrites
    let keys: ReplicaKeyCache
    let wantedFiles: WantedFilesPlace
    let missingContents: MissingContentsPlace
    let vault: WriterVault
    /// Learn of rows of messages that replication removes.
    let messageRows: MessageRowListeners
    /// What has become of devices of the group, to be logged after the commit.
    var news: [ReplicaNews] = []

    private(set) lazy var group = ReplicaGroupWrites(replica: self)
    private(set) lazy var channels = ReplicaChannels(replica: self)
    private(set) lazy var collecting = ReplicaCollecting(replica: self)
    private(set) lazy var merging = ReplicaMergeWrites(replica: self)
    private(set) lazy var contents = ReplicaContents(replica: self)
    private(set) lazy var files = ReplicaFiles(replica: self)
    private(set) lazy var logs = ReplicaLogs(replica: self)
    private(set) lazy var snapshots = ReplicaSnapshots(replica: self)
    private(set) lazy var things = ReplicaThings(replica: self)

    init(
        _ areas: AreaWrites, _ caches: ReplicaCaches,
        _ messageRows: @escaping MessageRowListeners
    ) {
        self.areas = areas
        keys = caches.keys
        wantedFiles = caches.wantedFiles
        missingContents = caches.missingContents
        vault = caches.vault
        self.messageRows = messageRows
    }
}

/// A part of the work for the group, which uses the other parts. `ReplicaWrites` owns all of them.
protocol ReplicaPart: AreaWork {
    var replica: ReplicaWrites { get }
}

extension ReplicaPart {
    var areas: AreaWrites { replica.areas }
}
