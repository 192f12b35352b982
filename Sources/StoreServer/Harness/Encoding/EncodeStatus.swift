internal import StoreEngine
internal import StoreProtocol

extension ResponseEncoder {
    static func wire(_ report: StatusReport) -> WireStatus {
        let (state, message) = wire(report.state)
        var wire = WireStatus()
        wire.serverVersion = report.serverVersion
        wire.protocolVersion = ProtocolVersion.current
        wire.storeState = state
        wire.storeStateMessage = message
        wire.sqlcipherVersion = report.sqlCipherVersion
        wire.sqliteVersion = report.sqliteVersion
        wire.libsodiumVersion = report.libsodiumVersion
        wire.schemaVersion = report.schemaVersion
        wire.isMemoryLocked = report.isMemoryLocked
        wire.uptimeMilliseconds = report.uptimeMilliseconds
        wire.connectionCount = UInt32(clamping: report.connectionCount)
        wire.revision = report.revision
        wire.databaseBytes = report.databaseBytes
        wire.walBytes = report.walBytes
        wire.walFramesIgnored = report.walFramesIgnored
        wire.residentBytes = report.residentBytes
        wire.processID = report.processID
        return wire
    }

    static func wire(_ state: StoreState) -> (state: WireStoreState, message: String) {
        switch state {
        case .absent: (.absent, "there is no store yet; hint: ghoststorectl init")
        case .locked: (.locked, "the store is locked; hint: ghoststorectl unlock")
        case .open: (.open, "")
        case .readOnly: (.readOnly, "the disk is full; reads and deletes work, writes follow when there is space")
        case .failed(let error): (wire(failure: error.reason), error.message)
        }
    }

    private static func wire(failure reason: StoreError.Reason) -> WireStoreState {
        switch reason {
        case .wrongKey: .wrongKey
        case .keyMissing: .keyMissing
        case .keyringDamaged: .keyringDamaged
        case .databaseDamaged: .databaseDamaged
        case .newerSchema: .newerSchema
        default: .storageFailed
        }
    }
}
