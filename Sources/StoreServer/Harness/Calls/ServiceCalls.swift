import FoundationEssentials
import StoreBasics
import StoreEngine
import StoreProtocol
import SwiftProtobuf

enum ServiceCalls {
    static let hello = CallRule(.none, .free) { (request: WireHelloRequest, _) throws(StoreError) in
        guard request.clientName.utf8.count <= CallLimits.clientNameBytesMax else {
            throw .invalidArgument("the client name has more than \(CallLimits.clientNameBytesMax) bytes")
        }
        return .hello(clientName: request.clientName)
    }

    static let ping = CallRule(.none, .free) { (call) throws(StoreError) in
        if !call.bytes.isEmpty {
            _ = try call.parse(WirePingRequest.self)
        }
        return .ping
    }

    static let cancel = CallRule(.none, .free) { (request: WireCancelRequest, _) throws(StoreError) in
        .cancel(requestID: request.requestID)
    }
}

extension Answer {
    /// Returns the answer to hello. As in the answer to get_status, a caller without any right receives no facts about
    /// the store.
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
