import GhostTestSupport
import StoreProtocol
import SwiftProtobuf
import TestBasics
import Testing

@testable import StoreClient

/// Tests that decode the vectors of proto-docs/VECTORS.md with this library, and send them to the built daemon.
@Suite(.timeLimit(.minutes(5))) struct ClientVectorTests {
    @Test func `every part has vectors`() throws {
        let parts = Set(try VectorFile.all().map { $0.description.prefix { $0 != "-" } })
        #expect(parts == ["frame", "payload", "service", "store", "data", "scene", "file", "log", "blob", "watch"])
    }

    @Test(arguments: try VectorFile.all())
    func `every expected frame is decoded as by protobuf`(vector: VectorFile) throws {
        for case .expect(.frame(let frame)) in vector.steps {
            let payload = try Array(frame[payloadRange(frame)])
            let response = try WireResponse(serializedBytes: payload)
            let outline = try payload.withUnsafeBytes { try ResponseOutline($0) }
            #expect(outline.id == response.id && outline.hasMore == response.more)
            let json = try ResponseJSON.json(payload: payload)
            #expect(
                try WireResponse(jsonString: json).serializedBytes() == payload,
                "what decodes encodes to the same bytes")
            if case .error(let error)? = response.result {
                #expect(outline.isError)
                #expect(try StoreClientError(answer: payload) == StoreClientError(error))
            } else {
                #expect(!outline.isError)
            }
        }
    }

    private func payloadRange(_ frame: [UInt8]) throws -> Range<Int> {
        guard let range = try ResponseJSON.payload(in: frame), range.upperBound == frame.count else {
            throw TestSupportError("not exactly one frame")
        }
        return range
    }

    @Test(arguments: try VectorFile.all())
    func `the built daemon answers as the vector expects`(vector: VectorFile) async throws {
        try await withDaemon(.uninitialized) { daemon in
            try await prepare(daemon, store: vector.store)
            let connection = try RawConnection(daemon.socketPath)
            for step in vector.steps {
                switch step {
                // A failed write is ignored: if the daemon rejected the input and closed the connection, the expected
                // responses show it.
                case .send(let bytes): try? connection.send(bytes)
                case .halfClose: connection.closeSendingSide()
                case .expect(let expectation): try check(expectation, connection)
                }
            }
        }
    }

    private func prepare(_ daemon: TestDaemon, store: String) async throws {
        guard store != "absent" else { return }
        let client = try await daemon.connect()
        _ = try await client.initializeStore(secret: secretInput("vector passphrase"), lowCost: true)
        if store == "locked" {
            try await client.lock()
        }
        await client.close()
    }

    private func check(_ expectation: VectorFile.Expectation, _ connection: RawConnection) throws {
        switch expectation {
        case .frame(let frame):
            #expect(try connection.receiveFrame() == frame)
        case .close:
            #expect(try connection.receiveFrame() == nil)
        case .error(let reason, let id):
            let payload = try connection.receivePayload()
            #expect(try StoreClientError(answer: payload).reason.rawValue == reason)
            let outline = try payload.withUnsafeBytes { try ResponseOutline($0) }
            #expect(outline.id == id && outline.isError && !outline.hasMore)
        case .result(let name, let id, let isFinal):
            let payload = try connection.receivePayload()
            let outline = try payload.withUnsafeBytes { try ResponseOutline($0) }
            #expect(outline.id == id && !outline.isError && outline.hasMore == !isFinal)
            let json = try ResponseJSON.json(payload: payload)
            #expect(json.contains("\"\(camelCase(name))\":"), "\(json)")
        }
    }

    private func camelCase(_ snakeCase: String) -> String {
        let words = snakeCase.split(separator: "_")
        return words.dropFirst().reduce(String(words.first ?? "")) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
    }
}
