import StoreProtocol

extension Status {
    init(_ wire: WireStatus) {
        self.init(
            serverVersion: wire.serverVersion, protocolVersion: Int(wire.protocolVersion),
            storeState: StoreState(wire.storeState), storeStateMessage: wire.storeStateMessage,
            sqlCipherVersion: wire.sqlcipherVersion, sqliteVersion: wire.sqliteVersion,
            libsodiumVersion: wire.libsodiumVersion, schemaVersion: Int(wire.schemaVersion),
            isMemoryLocked: wire.isMemoryLocked, uptimeMilliseconds: wire.uptimeMilliseconds,
            connectionCount: Int(wire.connectionCount), revision: wire.revision, databaseBytes: wire.databaseBytes,
            walBytes: wire.walBytes, walFramesIgnored: Int(clamping: wire.walFramesIgnored),
            residentBytes: wire.residentBytes,
            processID: Int(wire.processID))
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
            frameBytesMax: Int(wire.frameBytesMax), userID: wire.uid)
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
