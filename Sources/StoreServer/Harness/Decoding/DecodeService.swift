internal import StoreProtocol

extension RequestDecoder {
    static func decodeService(
        _ kind: CallKind, _ call: UnsafeRawBufferPointer
    ) throws(RequestFailure) -> Command {
        switch kind {
        case .hello:
            let hello = try parse(WireHelloRequest.self, call)
            guard hello.clientName.utf8.count <= CallLimits.clientNameBytesMax else {
                throw .invalidArgument("the client name has more than \(CallLimits.clientNameBytesMax) bytes")
            }
            return .hello(clientName: hello.clientName)
        case .ping:
            _ = try parse(WirePingRequest.self, call)
            return .ping
        case .getStatus:
            _ = try parse(WireGetStatusRequest.self, call)
            return .status
        case .getMetrics:
            _ = try parse(WireGetMetricsRequest.self, call)
            return .metrics
        case .cancel:
            return .cancel(requestID: try parse(WireCancelRequest.self, call).requestID)
        default:
            preconditionFailure("\(kind) is not a service call")
        }
    }
}
