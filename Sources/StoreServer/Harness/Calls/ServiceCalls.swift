import FoundationEssentials
import StoreBasics
import StoreEngine
import StoreProtocol
import SwiftProtobuf

enum ServiceCalls {
    static let hello = CallRule(.none, .free) { (request: WireHelloRequest, _) throws(RequestFailure) in
        guard request.clientName.utf8.count <= CallLimits.clientNameBytesMax else {
            throw .invalidArgument("the client name has more than \(CallLimits.clientNameBytesMax) bytes")
        }
        return .hello(clientName: request.clientName)
    }

    static let ping = CallRule(.none, .free) { (call) throws(RequestFailure) in
        if !call.bytes.isEmpty {
            _ = try call.parse(WirePingRequest.self)
        }
        return .ping
    }

    static let getStatus = CallRule(.none, .read) { (request: WireGetStatusRequest, _) throws(RequestFailure) in
        .report { (server, asker) throws(StoreError) in
            var report = server.statusReport()
            if request.withClients {
                report.clients = server.clients.list(for: asker)
            }
            return .result(.status(WireStatus(report, for: asker.scope)))
        }
    }

    static let getMetrics = CallRule(.read(.metrics), .free) {
        (request: WireGetMetricsRequest, _) throws(RequestFailure) in
        let format = try MetricsText.Format(request.format)
        return .report { (server, _) throws(StoreError) in
            .result(.metrics(.with { $0.text = server.metricsText(format) }))
        }
    }

    static let cancel = CallRule(.none, .free) { (request: WireCancelRequest, _) throws(RequestFailure) in
        .cancel(requestID: request.requestID)
    }
}

extension MetricsText.Format {
    fileprivate init(_ wire: WireMetricsFormat) throws(RequestFailure) {
        switch wire {
        case .unspecified, .prometheus: self = .prometheus
        case .openmetrics: self = .openMetrics
        case .UNRECOGNIZED(let value):
            throw .invalidArgument("the format \(value) of metrics is unknown to this daemon")
        }
    }
}

extension Answer {
    /// To a caller without any right nothing of the store, as in the status.
    static func hello(uid: UInt32, for scope: AnswerScope, _ server: ServerContext) -> Answer {
        let history = scope.contains(.operation) ? (try? server.engine.statistics())?.history.bytes : nil
        return .result(
            .hello(
                .with {
                    $0.protocolVersion = ProtocolVersion.current
                    $0.serverVersion = ProjectVersion.text
                    $0.frameBytesMax = UInt32(clamping: server.configuration.frameBytesMax)
                    $0.uid = uid
                    $0.historyID = Data(history ?? [])
                }))
    }

    static var cancelled: Answer { .result(.cancel(WireCancelResponse())) }
}

extension WireStatus {
    /// To a caller without any right: who answers, and whether there is a store to use. What areas hold is told to
    /// who may read all files.
    init(_ report: StatusReport, for scope: AnswerScope) {
        self.init()
        serverVersion = report.serverVersion
        protocolVersion = ProtocolVersion.current
        (storeState, storeStateMessage) = Self.wire(report.state)
        guard scope.contains(.operation) else { return }
        if scope.contains(.host) {
            stateDirectory = report.stateDirectory
            if case .failed(let error) = report.state, let message = error.hostMessage {
                storeStateMessage = message
            }
        }
        clients = report.clients.map(WireConnectedClient.init)
        sqlcipherVersion = report.sqlCipherVersion
        sqliteVersion = report.sqliteVersion
        libsodiumVersion = report.libsodiumVersion
        schemaVersion = report.schemaVersion
        isMemoryLocked = report.isMemoryLocked
        uptimeMilliseconds = report.uptimeMilliseconds
        connectionCount = UInt32(clamping: report.connectionCount)
        revision = report.revision
        compactedThroughRevision = report.compactedThroughRevision
        databaseBytes = report.databaseBytes
        walBytes = report.walBytes
        journalBytes = report.journalBytes
        historyID = Data(report.history?.bytes ?? [])
        revisionsMissing = report.revisionsMissing
        residentBytes = report.residentBytes
        processID = report.processID
        guard scope.contains(.files) else { return }
        fileAreas = report.fileAreas.map(WireFileAreaUsage.init)
    }

    private static func wire(_ state: StoreState) -> (WireStoreState, message: String) {
        switch state {
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
        case .failed(let error): (wire(failure: error.reason), error.message)
        }
    }

    /// The state of a store that does not open for this reason. Reasons without a state of their own are failures of
    /// the storage.
    private static func wire(failure reason: ErrorReason) -> WireStoreState {
        failedStates[reason] ?? .storageFailed
    }

    private static let failedStates: [ErrorReason: WireStoreState] = [
        .wrongKey: .wrongKey, .keyMissing: .keyMissing, .keyringDamaged: .keyringDamaged,
        .databaseDamaged: .databaseDamaged, .journalDamaged: .journalDamaged, .storeRolledBack: .rolledBack,
        .newerSchema: .newerSchema,
    ]
}

extension WireConnectedClient {
    init(_ client: ConnectedClient) {
        self.init()
        uid = client.uid
        processID = UInt32(clamping: client.processID)
        clientName = client.name
        connectedAtMicroseconds = client.connectedAt.microseconds
        requestCount = client.requestCount
        watchCount = UInt32(clamping: client.watchCount)
    }
}
