extension StoreEngine {
    /// Reads every page and row of the open store on one snapshot, while it goes on serving.
    ///
    /// - Throws: why the store is not open, `.storageFailed`. Damage is in the report.
    public func check(progress: (Progress) -> Void) throws(StoreError) -> CheckReport {
        let reader = makeReader()
        defer { reader.close() }
        let report = try reader.readSnapshot { connection throws(StoreError) in
            try IntegrityCheck.run(on: connection, progress: progress)
        }
        if !report.isClean {
            status.noteDamage(
                StoreError(.databaseDamaged, "an integrity check found damage; run `ghoststorectl check` for the list"))
        }
        return report
    }
}
