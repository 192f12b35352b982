import StoreProtocol

extension Backup {
    init(_ wire: WireBackup) {
        self.init(
            name: wire.name, bytes: wire.bytes, createdAt: Timestamp(microseconds: wire.createdAtMicroseconds),
            revision: wire.revision, isComplete: wire.isComplete)
    }
}

extension BackupReport {
    init(_ wire: WireBackupReport) {
        self.init(isClean: wire.isClean, findings: wire.findings, statistics: Statistics(wire.statistics))
    }
}

extension CheckReport {
    init(_ wire: WireCheckReport) {
        self.init(
            isClean: wire.isClean, findings: wire.findings, pagesChecked: wire.pagesChecked,
            rowsChecked: wire.rowsChecked)
    }
}
