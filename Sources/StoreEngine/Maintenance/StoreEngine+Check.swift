extension StoreEngine {
    /// Reads every page and row of the open store on one snapshot, while it goes on serving.
    ///
    /// - Throws: why the store is not open, `.storageFailed`, `.shuttingDown`. Damage is in the report.
    package func check(progress: (Progress) -> Void) throws(StoreError) -> CheckReport {
        let reader = makeReader()
        defer { reader.close() }
        return try reader.readSnapshot { connection throws(StoreError) in
            let report = try shutdown.interrupting(connection) { () throws(StoreError) in
                try IntegrityCheck.run(on: connection, progress: progress) { () throws(StoreError) in
                    try shutdown.check()
                }
            }
            // Here, where no other store can have taken the place of the one that was read.
            if !report.isClean {
                status.noteDamage(.databaseDamaged("an integrity check found what does not fit together"))
            }
            return report
        }
    }
}
