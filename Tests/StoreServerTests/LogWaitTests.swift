import FoundationEssentials
import StoreBasics
import StoreEngine
import StoreProtocol
import SwiftProtobuf
import TestBasics
import Testing

@testable import StoreServer

private func open(_ name: String) -> WireRequest.OneOf_Call {
    .openLog(
        .with {
            $0.name = name
            $0.maximumBytes = 1_000
            $0.overwritesOldest = true
        })
}

private func append(_ text: String, to name: String) -> WireRequest.OneOf_Call {
    .appendLog(
        .with {
            $0.name = name
            $0.messages = [Data(text.utf8)]
        })
}

private func wait(_ name: String, after sequence: UInt64 = 0, milliseconds: UInt32 = 60_000) -> WireRequest.OneOf_Call {
    .readLog(
        .with {
            $0.name = name
            $0.afterSequence = sequence
            $0.waitMilliseconds = milliseconds
        })
}

@Suite(.serialized, .timeLimit(.minutes(1))) struct LogWaitTests {
    @Test func `a waiting read returns an appended entry and blocks no other call`() async throws {
        try await RunningServer.with { server in
            let reader = try server.connect()
            let writer = try server.connect()
            _ = try writer.call(open("events"))
            _ = try writer.call(open("others"))
            try reader.send(RawConnection.request(7, wait("events")))
            // Other calls continue on this connection and on others, including calls that wait for all earlier reads.
            _ = try writer.call(append("elsewhere", to: "others"))
            try reader.send(RawConnection.request(8, .ping(.init())))
            #expect(try reader.receive().id == 8)
            _ = try writer.call(append("one", to: "events"))
            let response = try reader.receive()
            #expect(response.id == 7)
            #expect(response.logEntries.entries.map(\.data) == [Data("one".utf8)])
        }
    }

    @Test func `a waiting read misses no entry that is appended while it begins`() async throws {
        try await RunningServer.with { server in
            let reader = try server.connect()
            let writer = try server.connect()
            _ = try writer.call(open("events"))
            for sequence in UInt64(0)..<200 {
                try writer.send(RawConnection.request(1, append("\(sequence)", to: "events")))
                try reader.send(RawConnection.request(2, wait("events", after: sequence)))
                #expect(try reader.receive().logEntries.entries.first?.sequence == sequence + 1)
                _ = try writer.receive()
            }
        }
    }

    @Test func `a waiting read ends after its time or when it is cancelled`() async throws {
        try await RunningServer.with { server in
            let reader = try server.connect()
            _ = try reader.call(open("events"))
            let timedOut = try reader.call(wait("events", milliseconds: 30))
            #expect(timedOut.logEntries.entries.isEmpty && timedOut.logEntries.log.name == "events")
            try reader.send(RawConnection.request(5, wait("events")))
            try reader.send(RawConnection.request(6, .cancel(.with { $0.requestID = 5 })))
            let ids = [try reader.receive().id, try reader.receive().id]
            #expect(Set(ids) == [5, 6])
        }
    }

    /// A read that waits for new log entries does not wait for earlier writes, so `cancel` always finds it.
    @Test func `a cancelled waiting read behind writes is answered once`() async throws {
        try await RunningServer.with { server in
            let connection = try server.connect()
            _ = try connection.call(open("events"))
            _ = try connection.call(open("others"))
            for round in UInt64(0)..<100 {
                let id = 1_000 + round * 10
                try connection.send(
                    RawConnection.request(id, append("one", to: "others")),
                    RawConnection.request(id + 1, wait("events")),
                    RawConnection.request(id + 2, .cancel(.with { $0.requestID = id + 1 })))
                var ids: Set<UInt64> = []
                while ids.count < 3 {
                    let response = try connection.receive()
                    #expect(response.error.reason == "")
                    ids.insert(response.id)
                }
                #expect(ids == [id, id + 1, id + 2])
            }
        }
    }

    @Test func `a second read with the id of a waiting one is refused and the first still answered`() async throws {
        try await RunningServer.with { server in
            let reader = try server.connect()
            let writer = try server.connect()
            _ = try writer.call(open("events"))
            try reader.send(RawConnection.request(7, wait("events")), RawConnection.request(7, wait("events")))
            #expect(try reader.receive().error.reason == "REQUEST_ID_IN_USE")
            // A read that does not wait may reuse the id, and does not end the waiting read.
            #expect(try reader.call(wait("events", milliseconds: 0), id: 7).logEntries.entries.isEmpty)
            reader.closeSendingSide()
            _ = try writer.call(append("one", to: "events"))
            let response = try reader.receive()
            #expect(response.id == 7)
            #expect(response.logEntries.entries.map(\.data) == [Data("one".utf8)])
            #expect(try reader.receiveFrame() == nil)
        }
    }

    @Test func `a wait ends when the log is deleted or the store locked`() async throws {
        try await RunningServer.with { server in
            let reader = try server.connect()
            let writer = try server.connect()
            _ = try writer.call(open("events"))
            try reader.send(RawConnection.request(5, wait("events")))
            _ = try writer.call(.deleteLog(.with { $0.name = "events" }))
            #expect(try reader.receive().error.reason == "LOG_NOT_FOUND")
            _ = try writer.call(open("events"))
            try reader.send(RawConnection.request(6, wait("events")))
            _ = try writer.call(.lock(.init()))
            #expect(try reader.receive().error.reason == "STORE_LOCKED")
        }
    }

    @Test func `the first reason to end a waiting read is returned, even if another follows`() throws {
        let failure = StoreError(.permissionDenied, "no right any more")
        var wait = WaitingRead(.log(LogQuery(log: try LogName("events"))))
        guard case .nothing = wait.end(failure), case .nothing = wait.end(nil) else {
            Issue.record("a read is under way")
            return
        }
        guard case .answer(.failure(let told))? = wait.endsUnread else {
            Issue.record("a read that has not begun is not made")
            return
        }
        #expect(told == failure)
    }

    @Test func `the number and the duration of waiting reads are limited`() async throws {
        try await RunningServer.with { server in
            let reader = try server.connect()
            _ = try reader.call(open("events"))
            #expect(try reader.call(wait("events", milliseconds: 60_001)).error.reason == "INVALID_ARGUMENT")
            let most = ServerConfiguration().watchesPerConnectionMax
            for id in 0..<most {
                try reader.send(RawConnection.request(100 + UInt64(id), wait("events")))
            }
            try reader.send(RawConnection.request(99, wait("events")))
            let refused = try reader.receive()
            #expect(refused.id == 99 && refused.error.reason == "TOO_MANY_WATCHES")
            _ = try server.connect().call(append("one", to: "events"))
            var answered: Set<UInt64> = []
            for _ in 0..<most {
                answered.insert(try reader.receive().id)
            }
            #expect(answered.count == most)
        }
    }
}
