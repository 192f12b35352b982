import StoreBasics

/// Work of a transaction for the store's replica group.
final class ReplicaWrites: AreaWork {
    let areas: AreaWrites
    let keys: ReplicaKeyCache
    let wantedFiles: WantedFilesPlace
    let missingContents: MissingContentsPlace
    let vault: WriterVault
    /// Listeners that are informed when replication removes rows of messages.
    let messageRows: MessageRowListeners
    /// News about devices, logged after the commit.
    var news: [ReplicaNews] = []

    var group: ReplicaGroupWrites { ReplicaGroupWrites(replica: self) }
    var channels: ReplicaChannels { ReplicaChannels(replica: self) }
    var collecting: ReplicaCollecting { ReplicaCollecting(replica: self) }
    var merging: ReplicaMergeWrites { ReplicaMergeWrites(replica: self) }
    var contents: ReplicaContents { ReplicaContents(replica: self) }
    var files: ReplicaFiles { ReplicaFiles(replica: self) }
    var logs: ReplicaLogs { ReplicaLogs(replica: self) }
    var snapshots: ReplicaSnapshots { ReplicaSnapshots(replica: self) }
    var lostEdits: ReplicaLostEdits { ReplicaLostEdits(replica: self) }
    var things: ReplicaThings { ReplicaThings(replica: self) }

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

/// A part of replication that can use the other parts. `ReplicaWrites` owns all of them.
protocol ReplicaPart: AreaWork {
    var replica: ReplicaWrites { get }
}

extension ReplicaPart {
    var areas: AreaWrites { replica.areas }
}
