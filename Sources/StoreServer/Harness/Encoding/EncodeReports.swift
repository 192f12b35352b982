internal import StoreBasics
internal import StoreEngine
internal import StoreProtocol

extension ResponseEncoder {
    static func wire(_ report: CheckReport) -> WireCheckReport {
        var wire = WireCheckReport()
        wire.isClean = report.isClean
        wire.findings = report.findings
        wire.pagesChecked = UInt64(clamping: report.pagesChecked)
        wire.rowsChecked = UInt64(clamping: report.rowsChecked)
        return wire
    }

    static func wire(_ info: BackupInfo) -> WireBackup {
        var wire = WireBackup()
        wire.name = info.name
        wire.bytes = UInt64(clamping: info.bytes)
        wire.createdAtMicroseconds = info.createdAt.microseconds
        wire.revision = info.revision
        wire.isComplete = info.isComplete
        wire.kind =
            switch info.kind {
            case .made: .made
            case .uploaded: .uploaded
            case .replacedStore: .replacedStore
            }
        return wire
    }

    static func wire(_ report: BackupReport) -> WireBackupReport {
        var wire = WireBackupReport()
        wire.isClean = report.isClean
        wire.findings = report.findings
        wire.statistics = self.wire(report.statistics, databaseBytes: 0)
        return wire
    }
}
