import StoreProtocol
import SwiftProtobuf
import TestBasics
import Testing

@testable import StoreServer

/// A connection that records which calls it has made.
final class RecordingCaller {
    private let connection: RawConnection
    private let documented: [CallKind: String]
    private(set) var made: Set<CallKind> = []
    /// The error reasons of watches that ended while the caller waited for another response.
    private(set) var endedWatches: [String] = []
    private var lastID: UInt64 = 0

    init(_ connection: RawConnection) throws {
        self.connection = connection
        documented = try ProtocolDocument.results()
    }

    /// Makes a call, skips progress, and expects a result of this name.
    func expect(_ result: String, _ call: WireRequest.OneOf_Call) throws -> WireResponse {
        lastID += 1
        let request = RawConnection.request(lastID, call)
        var outline = RequestOutline()
        let payload: [UInt8] = try request.serializedBytes()
        try payload.withUnsafeBytes { try outline.read($0) }
        let kind = try #require(outline.callNumber.flatMap(CallKind.init(rawValue:)))
        made.insert(kind)
        #expect(result == documented[kind] || result == "error", "\(kind.name)")
        try connection.send(request)
        var response = try connection.receive()
        while try response.id != lastID || response.resultName == "progress" {
            if response.id != lastID, !response.more {
                endedWatches.append(response.error.reason)
            }
            response = try connection.receive()
        }
        #expect(response.id == lastID)
        #expect(try response.resultName == result, "\(call) was answered \(response)")
        return response
    }
}
