import StoreBasics
import StoreEngine
import StoreProtocol
import SwiftProtobuf

enum AdministrationCalls {
    static let getStatus = CallRule(.none, .read) { (request: WireGetStatusRequest, _) throws(StoreError) in
        .report { (server, asker) throws(StoreError) in
            var report = server.statusReport()
            if request.withClients {
                report.wire.clients = server.clients.list(for: asker).map { WireConnectedClient($0) }
            }
            return .result(.status(WireStatus(report, for: asker.scope)))
        }
    }

    static let getMetrics = CallRule(.read(.metrics), .free) {
        (request: WireGetMetricsRequest, _) throws(StoreError) in
        let format = try MetricsText.Format(wire: request.format)
        return .report { (server, _) throws(StoreError) in
            .result(.metrics(.with { $0.text = server.metricsText(format) }))
        }
    }
}

extension WireStatus {
    /// Creates the answer for the caller. A caller without any right learns only the versions and whether there is a
    /// store to use. A caller needs the right to read all files to receive the figures of file areas.
    init(_ report: StatusReport, for scope: AnswerScope) {
        guard scope.contains(.operation) else {
            self.init()
            (serverVersion, protocolVersion) = (report.wire.serverVersion, report.wire.protocolVersion)
            (storeState, storeStateMessage) = (report.wire.storeState, report.wire.storeStateMessage)
            return
        }
        self = report.wire
        if !scope.contains(.files) {
            fileAreas = []
        }
        if !scope.contains(.host) {
            stateDirectory = ""
        } else if case .failed(let error) = report.state, let message = error.hostMessage {
            storeStateMessage = message
        }
    }
}

extension StoreState {
    /// The state on the wire, and its explanation for people.
    var wire: (state: WireStoreState, message: String) {
        switch self {
        case .absent: (.absent, "there is no store yet; hint: ghoststorectl init")
        case .locked: (.locked, "the store is locked; hint: ghoststorectl unlock")
        case .open: (.open, "")
        case .readOnly:
            (
                .readOnly,
                """
                the disk is full: until it has space again, only reads and deletes work; hint: free some space, or \
                delete data
                """
            )
        case .failed(let error): (Self.wire(failure: error.reason), error.message)
        }
    }

    /// Returns the state of a store that does not open for this reason. A reason without a state of its own is a
    /// failure of the storage.
    private static func wire(failure reason: ErrorReason) -> WireStoreState {
        failedStates[reason] ?? .storageFailed
    }

    private static let failedStates: [ErrorReason: WireStoreState] = [
        .wrongKey: .wrongKey, .keyMissing: .keyMissing, .keyringDamaged: .keyringDamaged,
        .databaseDamaged: .databaseDamaged, .journalDamaged: .journalDamaged, .storeRolledBack: .rolledBack,
        .newerSchema: .newerSchema,
    ]
}
