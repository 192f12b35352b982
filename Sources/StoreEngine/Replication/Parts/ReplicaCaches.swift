struct ReplicaCaches {
    let keys = ReplicaKeyCache()
    let wantedFiles = WantedFilesPlace()
    let missingContents = MissingContentsPlace()
    let vault: WriterVault

    var all: [any TransactionCache] { [keys, wantedFiles, missingContents, vault] }
}
