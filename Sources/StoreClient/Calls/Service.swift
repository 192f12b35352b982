import StoreProtocol

/// Calls about the daemon itself. They are answered in every state of the store.
extension StoreClient {
    /// Returns what the daemon reports about itself and about this caller.
    public func hello() async throws(StoreClientError) -> ServerInfo {
        try await hello(failsWhenUnreachable: false)
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
