import StoreProtocol

extension Backup {
    init(_ wire: WireBackup) {
        self.init(
            kind: Kind(wire.kind), name: wire.name, bytes: wire.bytes,
            createdAt: Timestamp(microseconds: wire.createdAtMicroseconds),
            revision: wire.revision, isComplete: wire.isComplete)
    }
}

extension Backup.Kind {
    init(_ wire: WireBackupKind) {
        switch wire {
        case .made: self = .made
        case .uploaded: self = .uploaded
        case .replacedStore: self = .replacedStore
        case .unspecified, .UNRECOGNIZED: self = .unknown
        }
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
            isClean: wire.isClean, findings: wire.findings, pagesChecked: Int(clamping: wire.pagesChecked),
            rowsChecked: Int(clamping: wire.rowsChecked))
    }
}
