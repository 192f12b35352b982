import Dispatch
import FoundationEssentials
import StoreBasics
import StoreEngine
import StoreProtocol
import SwiftProtobuf
import TestBasics
import Testing

@testable import StoreServer

/// Tests pipelined requests that PROTOCOL.md, "Ordering", counts as reads: the daemon keeps them in the order sent.
@Suite struct PipelineTests {
    private static let pieceBytes = 1_000

    /// Returns a message file in the format of BLOBS.md.
    private static func file(messages count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: Int32(count))
        for number in 0..<count {
            let text = Array("message \(number)".utf8)
            bytes.append(littleEndian: Int32(text.count))
            bytes += text + [0, 0]
            bytes.append(littleEndian: Int64(number))
        }
        return bytes
    }

    private static func begin(_ connection: RawConnection) throws -> UInt64 {
        let begin = WireBeginBlobImportRequest.with {
            $0.conversation.sessionID = "imported"
            $0.importID = "i"
        }
        return try connection.call(.beginBlobImport(begin)).blobImport.session
    }

    private static func write(_ session: UInt64, _ file: [UInt8], _ range: Range<Int>) -> WireRequest.OneOf_Call {
        .writeBlobImport(
            .with {
                $0.session = session
                $0.offset = UInt64(range.lowerBound)
                $0.data = Data(file[range])
            })
    }

    /// Sends all calls at once and returns the last response to each.
    private static func pipeline(
        _ calls: [WireRequest.OneOf_Call], on connection: RawConnection
    ) throws -> (answers: [WireResponse], order: [Int]) {
        let requests = calls.enumerated().map { RawConnection.request(UInt64($0.offset), $0.element) }
        try connection.send(requests.flatMap { RawConnection.frame($0) })
        var answers = calls.map { _ in WireResponse() }
        var order: [Int] = []
        while order.count < calls.count {
            let answer = try connection.receive()
            guard !answer.more else { continue }
            answers[Int(answer.id)] = answer
            order.append(Int(answer.id))
        }
        return (answers, order)
    }

    @Test func `pieces of an import are processed in order, and a lock waits for the last`() async throws {
        try await RunningServer.with { server in
            let connection = try server.connect()
            let file = Self.file(messages: 600)
            let session = try Self.begin(connection)
            var calls = stride(from: 0, to: file.count, by: Self.pieceBytes).map {
                Self.write(session, file, $0..<min($0 + Self.pieceBytes, file.count))
            }
            let pieces = calls.count
            calls += [.finishBlobImport(.with { $0.session = session }), .lock(.init())]
            let (answers, order) = try Self.pipeline(calls, on: connection)
            #expect(answers.map(\.error.reason) == calls.map { _ in "" })
            #expect(order == Array(0..<calls.count))
            #expect(answers[pieces - 1].blobImportProgress.bytesReceived == UInt64(file.count))
            #expect(answers[pieces].blobImportReport.createdCount == 600)
        }
    }

    @Test func `a rejected piece ends the import`() async throws {
        try await RunningServer.with { server in
            let connection = try server.connect()
            let file = Self.file(messages: 2)
            let session = try Self.begin(connection)
            let calls = [Self.write(session, file, 20..<30), Self.write(session, file, 0..<20)]
            let (answers, _) = try Self.pipeline(calls, on: connection)
            #expect(answers.map(\.error.reason) == ["INVALID_ARGUMENT", "BLOB_SESSION_NOT_FOUND"])
        }
    }

    @Test func `the next message of an import recreates a conversation that was deleted meanwhile`() async throws {
        try await RunningServer.with { server in
            let connection = try server.connect()
            let file = Self.file(messages: 257)
            let session = try Self.begin(connection)
            let reference = WireConversationReference.with { $0.sessionID = "imported" }
            let most = file.count - 1
            _ = try connection.call(Self.write(session, file, 0..<most))
            let before = try connection.call(.getConversation(.with { $0.conversation = reference }))
            #expect(before.conversation.messageCount == 256)
            _ = try connection.call(.deleteConversation(.with { $0.conversation = reference }))
            _ = try connection.call(Self.write(session, file, most..<file.count))
            let report = try connection.call(.finishBlobImport(.with { $0.session = session })).blobImportReport
            #expect(report.createdCount == 257)
            let after = try connection.call(.getConversation(.with { $0.conversation = reference }))
            #expect(after.conversation.messageCount == 1)
        }
    }

    @Test func `administration calls of one connection run in order and are never rejected as busy`() async throws {
        try await RunningServer.with { server in
            let connection = try server.connect()
            let calls: [WireRequest.OneOf_Call] = [
                .createBackup(.init()), .checkStore(.init()), .rotateMasterKey(.init()), .createBackup(.init()),
                .listKeySlots(.init()), .listBackups(.init()),
            ]
            let (answers, order) = try Self.pipeline(calls, on: connection)
            #expect(answers.map(\.error.reason) == calls.map { _ in "" })
            #expect(order == Array(0..<calls.count))
            #expect(answers.last?.backups.backups.count == 2)
        }
    }

    @Test func `the administration queue is limited, but always accepts an urgent call`() {
        let queue = AdministrationQueue()
        let (begun, held, urgent) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        let done = DispatchGroup()
        func submit(user: Int) -> Bool {
            done.enter()
            return queue.submit(for: WorkOwner(userID: UInt32(user), connection: 0)) {
                begun.signal()
                held.wait()
                done.leave()
            }
        }
        // The first job has begun, so it no longer waits in the queue.
        #expect(submit(user: 0))
        #expect(begun.wait(timeout: .now() + 10) == .success)
        for user in 0..<AdministrationQueue.jobsMax {
            #expect(submit(user: user))
        }
        let other = WorkOwner(userID: 1_000, connection: 0)
        let isFull = !queue.submit(for: other) {}
        let isUrgentTaken = queue.submit(for: other, isUrgent: true) { urgent.signal() }
        #expect(isFull && isUrgentTaken)
        #expect(urgent.wait(timeout: .now() + 10) == .success)
        for _ in 0...AdministrationQueue.jobsMax { held.signal() }
        #expect(done.wait(timeout: .now() + 10) == .success)
    }
}
