import StoreProtocol

/// The daemon itself. These calls answer in every state of the store.
extension StoreClient {
    /// Waits for an answer that says nothing but that the daemon is there.
    public func ping() async throws(StoreClientError) {
        try await answer(to: .ping(WirePingRequest()), .read) { result in
            if case .ping = result { () } else { nil }
        }
    }

    /// What the daemon says of itself and of this caller.
    public func hello() async throws(StoreClientError) -> ServerInfo {
        try await hello(failsWhenUnreachable: false)
    }

    /// Versions, the store's state and why, sizes.
    public func status() async throws(StoreClientError) -> Status {
        let status = try await answer(to: .getStatus(WireGetStatusRequest()), .read) { result in
            if case .status(let status) = result { status } else { nil }
        }
        return Status(status)
    }

    /// Returns the connections that are open now, the oldest first. A caller with the right to administration sees all
    /// of them, any other caller those of its own user.
    public func connectedClients() async throws(StoreClientError) -> [ConnectedClient] {
        var request = WireGetStatusRequest()
        request.withClients = true
        let clients = try await answer(to: .getStatus(request), .read) { result in
            if case .status(let status) = result { status.clients } else { nil }
        }
        return clients.map(ConnectedClient.init)
    }

    /// What the daemon counts, as text for collectors of metrics. Needs the right to read metrics.
    public func metrics(as format: MetricsFormat = .prometheus) async throws(StoreClientError) -> String {
        var request = WireGetMetricsRequest()
        request.format = WireMetricsFormat(format)
        return try await answer(to: .getMetrics(request), .read) { result in
            if case .metrics(let metrics) = result { metrics.text } else { nil }
        }
    }

    func hello(failsWhenUnreachable: Bool) async throws(StoreClientError) -> ServerInfo {
        let body = try RequestBody.hello(connection.configuration.clientName)
        return try ServerInfo(try await finalAnswer(to: body, .read, failsWhenUnreachable: failsWhenUnreachable))
    }
}

extension ServerInfo {
    init(_ answer: Answer) throws(StoreClientError) {
        self = try answer.result { result in
            if case .hello(let hello) = result { ServerInfo(hello) } else { nil }
        }
    }
}

extension RequestBody {
    static func hello(_ clientName: String) throws(StoreClientError) -> RequestBody {
        var hello = WireHelloRequest()
        hello.clientName = clientName
        hello.protocolVersion = ProtocolVersion.current
        return try RequestBody(.hello(hello))
    }
}

/// Looking after the store.
extension StoreClient {
    /// Exact counts, in constant time.
    public func statistics() async throws(StoreClientError) -> Statistics {
        let answered = try await answer(to: .getStatistics(WireGetStatisticsRequest()), .read) { result in
            if case .statistics(let statistics) = result { statistics } else { nil }
        }
        return Statistics(answered)
    }

    /// Reads every page and row.
    /// - Parameter progress: called on the connection's thread: return quickly.
    public func checkStore(
        progress: @escaping @Sendable (WorkProgress) -> Void = { _ in }
    ) async throws(StoreClientError) -> CheckReport {
        try await finish(RequestBody(.checkStore(WireCheckStoreRequest())), progress: progress) { result in
            if case .checkReport(let report) = result { CheckReport(report) } else { nil }
        }
    }

    /// Deletes every conversation, message, draft, contact, scene, log and file. This cannot be undone.
    ///
    /// Deletes nothing on the other devices of a replica group. The store leaves its group if `leavingReplicaGroup` is
    /// set.
    ///
    /// - Parameter leavingReplicaGroup: Whether a store that belongs to a replica group leaves it. Has no effect
    ///   without a group.
    /// - Throws: `.storeInReplicaGroup` where the store belongs to a group and is not to leave it.
    @discardableResult
    public func clearAllData(
        leavingReplicaGroup: Bool = false,
        idempotencyKey: IdempotencyKey = IdempotencyKey()
    ) async throws(StoreClientError) -> Commit {
        var call = WireClearAllDataRequest()
        call.confirmation = "clear all data"
        call.leaveReplicaGroup = leavingReplicaGroup
        return try await commit(.clearAllData_p(call), key: idempotencyKey)
    }
}
