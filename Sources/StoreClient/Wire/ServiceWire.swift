import StoreProtocol

extension Status {
    init(_ wire: WireStatus) {
        self.init(
            serverVersion: wire.serverVersion, protocolVersion: Int(wire.protocolVersion),
            storeState: StoreState(wire.storeState), storeStateMessage: wire.storeStateMessage,
            sqlCipherVersion: wire.sqlcipherVersion, sqliteVersion: wire.sqliteVersion,
            libsodiumVersion: wire.libsodiumVersion, schemaVersion: Int(wire.schemaVersion),
            isMemoryLocked: wire.isMemoryLocked, uptimeMilliseconds: wire.uptimeMilliseconds,
            connectionCount: Int(wire.connectionCount), revision: wire.revision,
            compactedThroughRevision: wire.compactedThroughRevision,
            historyID: HistoryID(bytes: wire.historyID), databaseBytes: wire.databaseBytes, walBytes: wire.walBytes,
            journalBytes: wire.journalBytes, revisionsMissing: wire.revisionsMissing,
            vaultAreas: wire.fileAreas.compactMap(VaultAreaUsage.init), residentBytes: wire.residentBytes,
            processID: Int(wire.processID), stateDirectory: wire.stateDirectory)
    }
}

extension StoreState {
    init(_ wire: WireStoreState) {
        switch wire {
        case .absent: self = .absent
        case .locked: self = .locked
        case .open: self = .open
        case .readOnly: self = .readOnly
        case .wrongKey: self = .wrongKey
        case .keyMissing: self = .keyMissing
        case .keyringDamaged: self = .keyringDamaged
        case .databaseDamaged: self = .databaseDamaged
        case .journalDamaged: self = .journalDamaged
        case .rolledBack: self = .rolledBack
        case .newerSchema: self = .newerSchema
        case .storageFailed: self = .storageFailed
        case .unspecified, .UNRECOGNIZED: self = .unknown
        }
    }
}

extension ServerInfo {
    init(_ wire: WireHelloResponse) {
        self.init(
            protocolVersion: Int(wire.protocolVersion), serverVersion: wire.serverVersion,
            frameBytesMax: Int(wire.frameBytesMax), userID: wire.uid,
            historyID: HistoryID(bytes: wire.historyID))
    }
}

extension Statistics {
    init(_ wire: WireStatistics) {
        self.init(
            conversationCount: Int(clamping: wire.conversationCount), messageCount: Int(clamping: wire.messageCount),
            contactCount: Int(clamping: wire.contactCount), unreadCount: Int(clamping: wire.unreadCount),
            revision: wire.revision,
            compactedThroughRevision: wire.compactedThroughRevision, databaseBytes: wire.databaseBytes)
    }
}

extension WorkProgress {
    init(_ wire: WireProgress) {
        self.init(done: Int(clamping: wire.done), total: wire.total == 0 ? nil : Int(clamping: wire.total))
    }
}

extension KeySlotKind {
    init(_ wire: WireKeySlotKind) {
        switch wire {
        case .passphrase: self = .passphrase
        case .recoveryCode: self = .recoveryCode
        case .keyFile: self = .keyFile
        case .credential: self = .credential
        case .unspecified, .UNRECOGNIZED: self = .unknown
        }
    }
}

extension WireKeySlotKind {
    init(_ kind: KeySlotKind) {
        switch kind {
        case .passphrase: self = .passphrase
        case .recoveryCode: self = .recoveryCode
        case .keyFile: self = .keyFile
        case .credential: self = .credential
        case .unknown: self = .unspecified
        }
    }
}

extension KeySlot {
    init(_ wire: WireKeySlot) {
        self.init(
            number: Int(wire.number), kind: KeySlotKind(wire.kind), label: wire.label,
            createdAt: Timestamp(microseconds: wire.createdAtMicroseconds), memoryBytes: wire.memoryBytes,
            passes: Int(wire.passes), isConfigured: wire.isConfigured)
    }
}

extension ConfiguredKey {
    init(_ wire: WireConfiguredKey) {
        switch wire {
        case .absent: self = .absent
        case .opensSlot: self = .opensSlot
        case .opensNoSlot: self = .opensNoSlot
        case .unusable: self = .unusable
        case .unspecified, .UNRECOGNIZED: self = .unknown
        }
    }
}

extension ConnectedClient {
    init(_ wire: WireConnectedClient) {
        self.init(
            userID: wire.uid, processID: Int(wire.processID), name: wire.clientName,
            connectedAt: Timestamp(microseconds: wire.connectedAtMicroseconds),
            requestCount: Int(clamping: wire.requestCount), watchCount: Int(wire.watchCount))
    }
}

extension Backup {
    init(_ wire: WireBackup) {
        self.init(
            kind: Kind(wire.kind), name: wire.name, number: wire.number, bytes: wire.bytes,
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

extension WireMetricsFormat {
    init(_ format: MetricsFormat) {
        switch format {
        case .prometheus: self = .prometheus
        case .openMetrics: self = .openmetrics
        }
    }
}
