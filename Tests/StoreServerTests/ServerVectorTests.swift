import StoreProtocol
import SwiftProtobuf
import TestBasics
import Testing

@Suite(.serialized) struct ServerVectorTests {
    @Test(arguments: try Vector.all()) func `responses are those of the vector`(_ vector: Vector) async throws {
        let store: RunningServer.Store =
            switch vector.store {
            case .absent: .absent
            case .locked: .locked
            case .open: .open
            }
        try await RunningServer.with(store) { server in
            let connection = try server.connect()
            for step in vector.steps {
                try check(step, connection)
            }
        }
    }

    @Test func `each part of the protocol has vectors`() throws {
        let prefixes = Set(try Vector.all().map { $0.name.prefix { $0 != "-" } })
        #expect(prefixes == ["frame", "payload", "service", "store", "data", "scene", "file", "log", "blob", "watch"])
    }

    private func check(_ step: Vector.Step, _ connection: RawConnection) throws {
        switch step {
        case .send(let bytes):
            try connection.send(bytes)
        case .halfClose:
            connection.closeSendingSide()
        case .expectFrame(let bytes):
            #expect(try connection.receiveFrame() == bytes)
        case .expectResult(let name, let id, let more):
            let response = try connection.receive()
            #expect(response.id == id)
            #expect(response.more == more)
            #expect(try response.resultName == name, "\(response)")
        case .expectError(let reason, let id):
            let response = try connection.receive()
            #expect(response.id == id)
            #expect(!response.more)
            #expect(response.error.reason == reason, "\(response)")
        case .expectClose:
            #expect(try connection.receiveFrame() == nil)
        }
    }
}
