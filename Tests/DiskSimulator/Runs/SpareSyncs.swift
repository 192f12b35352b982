/// A call site whose syncs may be dropped, with the reason why no power cut of these tests notices it: the data is
/// already durable, becomes durable by another sync before anything depends on it, or is written again.
struct SpareSync {
    enum Kind {
        /// A site that every run reaches. Dropping its syncs has no effect.
        case superfluous
        /// A site that a run may not reach, or whose dropped syncs have an effect only rarely, so the controls accept
        /// any result. The walks in `Walk.all` notice the drop for some of these sites.
        case rare
    }

    let kind: Kind
    /// The name of the site as `Controls` prints it.
    let place: String
    let reason: String

    private init(_ kind: Kind, _ place: String, _ reason: String) {
        (self.kind, self.place, self.reason) = (kind, place, reason)
    }

    static let all = [
        // Sites in SQLite.
        SpareSync(
            .superfluous, "SQLCipher.Statement.finalize for SQLCipher.Connection.text",
            "SQLite makes an empty database, which is synced whole before anything opens it"),
        SpareSync(
            .superfluous, "SQLCipher.Connection.execute for StoreEngine.DatabaseCopy.start",
            "SQLite makes an empty database, which is synced whole before anything opens it"),
        SpareSync(
            .superfluous, "SQLCipher.Connection.checkpoint for StoreEngine.StoreEngine.makeDatabase",
            "the file is synced once more when its connection is closed"),
        SpareSync(
            .rare, "SQLCipher.Statement.step for SQLCipher.Statement.step",
            "the header of a WAL that starts over without having been made empty, which takes 8 MiB or an idle second"),
        // Sites of the first start.
        SpareSync(
            .superfluous, "StoreEngine.StoreEngine.makeDatabase for StoreEngine.StoreEngine.makeStore",
            "the checkpoint synced the file, and the mark's renaming syncs the folder before the keyring is there"),
        SpareSync(
            .superfluous, "StoreEngine.StoreEngine.makeStore for StoreEngine.StoreEngine.initialize",
            "a renaming that is lost is done again by the next opening, and the journal's opening syncs the folder"),
        SpareSync(
            .superfluous, "StoreEngine.JournalFolder.init(in:) for StoreEngine.StoreEngine.makeStore",
            "the opening of the journal syncs both folders again before anything is in it"),
        SpareSync(
            .superfluous, "StoreEngine.JournalFolder.removeAll for StoreEngine.StoreEngine.makeStore",
            "what it removes is of a store whose keyring is gone, and no opening finds a segment in it"),
        // Sites of the journal.
        SpareSync(
            .superfluous, "StoreEngine.Journal.close for StoreEngine.Journal.closeLast",
            "a closing mark tells of a segment that somebody took away, which no power cut does"),
        // Sites of the mark, whose only purpose is to detect an older database.
        SpareSync(
            .superfluous, "Swift.Int32 for StoreEngine.StoreMarkFile.makeTemporary",
            "a mark that cannot be read is one that is missing"),
        SpareSync(
            .superfluous, "StoreEngine.StoreMarkFile.putInPlace for StoreEngine.StoreMarkFile.create",
            "a mark that is missing is made again"),
        SpareSync(
            .rare, "StoreEngine.StoreMarkFile.putInPlace for StoreEngine.StoreMarkFile.writeMark",
            "an older mark tells less of a database that somebody puts back, which no power cut does"),
        // Sites of rotations and restores.
        SpareSync(
            .superfluous, "StoreEngine.StoreEngine.copyUnderNextKey for StoreEngine.StoreEngine.rotateMasterKey",
            "the copy is synced again at the moment of the change, for which this leaves less to wait"),
        SpareSync(
            .superfluous, "StoreEngine.StoreRestore.setAside for StoreEngine.StoreRestore.perform",
            "the next step syncs the same folders, and every step can be repeated"),
        SpareSync(
            .superfluous, "StoreEngine.BackupFile.sync for StoreEngine.StoreEngine.copyDatabase",
            "the restored database is synced again with its new history"),
        SpareSync(
            .superfluous, "SQLCipher.Connection.checkpoint for StoreEngine.StoreEngine.renewHistory",
            "the file is synced once more when its connection is closed"),
        SpareSync(
            .superfluous, "StoreEngine.StoreReplacement.swap for StoreEngine.MasterKeySwitch.run",
            "the keyring, which is written before anything else is answered, syncs the same folder"),
        SpareSync(
            .rare, "StoreEngine.StoreReplacement.finishInterrupted for StoreEngine.StoreEngine.openWithConfiguredKey",
            "a renaming that is lost is done again by the next opening"),
        SpareSync(
            .rare, "StoreEngine.StoreRestore.removeFolder for StoreEngine.StoreRestore.finishInterrupted",
            "a folder that is there again is removed again"),
        SpareSync(
            .rare, "StoreEngine.StoreRestore.removeFolder for StoreEngine.StoreRestore.perform",
            "a folder that is there again is removed again"),
        SpareSync(
            .rare, "StoreEngine.StoreRestore.perform for StoreEngine.StoreRestore.commit",
            "the next step syncs the same folder, and nothing is answered before the last"),
        SpareSync(
            .rare, "StoreEngine.StoreRestore.install for StoreEngine.StoreRestore.perform",
            "the next step syncs the same folder, and every step can be repeated"),
        SpareSync(
            .rare, "StoreEngine.StoreRestore.keepOldStore for StoreEngine.StoreRestore.perform",
            "a renaming that is lost is done again by the next opening"),
        SpareSync(
            .rare, "StoreEngine.StoreRestore.removeFolder for StoreEngine.StoreRestore.removeEarlierStore",
            "a folder that is there again is removed again"),
        SpareSync(
            .rare, "StoreEngine.StoreRestore.makeRoomForOldStore for StoreEngine.StoreRestore.perform",
            "the next step syncs the same folder, and every step can be repeated"),
        SpareSync(
            .rare, "SQLCipher.Connection.checkpoint for StoreEngine.WriterOpening.migrate",
            "a store is brought to another version once"),
        SpareSync(
            .rare, "StoreEngine.Journal.prepare for StoreEngine.MasterKeySwitch.prepare",
            "a rotation was given up in an earlier life, and another ends just before the power goes"),
        // Sites that clean up after a killed process.
        SpareSync(
            .rare, "StoreEngine.Journal.removeShort for StoreEngine.Journal.begin",
            "a file whose making was cut off, which holds nothing"),
        SpareSync(
            .rare, "StoreEngine.JournalFolder.init(in:) for StoreEngine.JournalOpening.open",
            "a process was killed between the making of a folder or a file and the sync of its name"),
        SpareSync(
            .rare, "StoreEngine.StateDirectory.syncParent for StoreEngine.StateDirectory.init(following:)",
            "a process was killed between the making of the state directory and the sync of its name"),
        SpareSync(
            .rare, "StoreEngine.SegmentFile.makeFoundDurable for StoreEngine.Journal.begin",
            "a process was killed while it made a file, and the power goes while the next writes a header to it"),
        SpareSync(
            .rare, "StoreEngine.JournalOpening.recover for StoreEngine.JournalOpening.open",
            "a killed process left a record that it had not synced, and the next wrote nothing before the power went"),
        SpareSync(
            .rare, "StoreEngine.StateDirectory.syncParent for StoreEngine.StateDirectory.init(path:called:)",
            "a folder is made once, and most of what comes after it syncs the folder that it is in"),
        SpareSync(
            .rare, "StoreEngine.VaultFolder.recordLoss for StoreEngine.JournalOpening.accept",
            "it keeps contents whose names are lost, and no store with a loss has any here"),
        SpareSync(
            .rare, "StoreEngine.VaultFolder.sync for StoreEngine.VaultFolder.syncNames",
            "a killed process made one of 256 folders, and a later content comes to the same one"),
    ]
}
