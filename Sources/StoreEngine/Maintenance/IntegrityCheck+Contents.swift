import SQLCipher
import StoreBasics

extension IntegrityCheck {
    /// The progress of checking all contents of files; every other part of the check counts as 1.
    static let contentShare: UInt64 = 100

    /// - Parameter progress: Receives a value up to `contentShare`.
    static func checkContents(
        _ files: ContentFiles, _ report: inout CheckReport, progress: (UInt64) -> Void,
        _ onSnapshot: ((Connection) throws(StoreError) -> CheckReport) throws(StoreError) -> Void
    ) throws(StoreError) {
        var check = ContentCheck(files)
        var isLeft = true
        var bytes: UInt64 = 0
        while isLeft {
            var found = report
            try onSnapshot { connection throws(StoreError) in
                do throws(StoreError) {
                    bytes = max(bytes, try BackupContents.bytes(connection))
                    isLeft = try check.step(connection, &found)
                } catch {
                    guard error.reason == .databaseDamaged else { throw error }
                    if found.isDatabaseClean {
                        found.add("the database rows about the contents of files cannot be read")
                    }
                    isLeft = false
                }
                return found
            }
            report = found
            progress(bytes == 0 ? 0 : min(contentShare, contentShare * (check.bytesRead >> 10) / max(1, bytes >> 10)))
        }
        if report.isClean {
            try files.expectEnd()
        }
    }
}
