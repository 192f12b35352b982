import FoundationEssentials
import StoreBasics
import StoreEngine
import StoreProtocol
import SwiftProtobuf
import TestBasics
import Testing

@testable import StoreServer

/// Files of any size, written in pieces over the socket.
@Suite struct FileWriteCallTests {
    private static let begin = WireBeginFileWriteRequest.with {
        $0.path = path
        $0.place = .whole
    }
    private static let path = WireFilePath.with {
        $0.area = .document
        $0.path = "file"
    }

    @Test func `pieces are written without waiting for responses, and the file has the written content`()
        async throws
    {
        var random = SplitMix(seed: 8)
        let content = random.bytes(5 << 20 | 77)
        try await RunningServer.with { server in
            let connection = try server.connect()
            let write = try connection.call(.beginFileWrite(Self.begin)).fileWrite.write
            let offsets = Array(stride(from: 0, to: content.count, by: 1 << 20))
            var calls: [WireRequest.OneOf_Call] = offsets.map { offset in
                .writeFile(
                    .with {
                        $0.write = write
                        $0.offset = UInt64(offset)
                        $0.data = Data(content[offset...].prefix(1 << 20))
                    })
            }
            calls.append(.finishFileWrite(.with { $0.write = write }))
            for (id, call) in calls.enumerated() {
                try connection.send(RawConnection.request(UInt64(id) + 100, call))
            }
            var answers: [UInt64: WireResponse] = [:]
            for _ in calls {
                let answer = try connection.receive()
                answers[answer.id] = answer
            }
            #expect(answers[UInt64(99 + calls.count)]?.commit.createdCount == 2)
            var read = Data()
            while read.count < content.count {
                let part = try connection.call(
                    .readFile(
                        .with {
                            $0.path = Self.path
                            $0.offset = UInt64(read.count)
                        })
                ).fileData
                try #require(!part.data.isEmpty && part.file.byteCount == UInt64(content.count))
                read += part.data
            }
            #expect(read.elementsEqual(content))
        }
    }

    @Test func `finishing a write twice with one key has one effect, even over another connection`() async throws {
        try await RunningServer.with { server in
            try Scenario(
                "the end of a write",
                #"""
                begin_file_write {"path": {"area": 2, "path": "a/f"}, "place": 1}
                -> PARENT_DIRECTORY_NOT_FOUND
                begin_file_write {"path": {"area": 2, "path": "f"}, "place": 3}
                -> FILE_NOT_FOUND
                begin_file_write {"path": {"area": 2, "path": "f"}}
                -> INVALID_ARGUMENT
                begin_file_write {"path": {"area": 2, "path": "f"}, "place": 1, "byte_count": "4"}
                write_file {"write": "$write", "data": "AQID"}
                -> file_write_progress "bytes_received":"3"
                write_file {"write": "$write", "data": "AQID"}
                -> INVALID_ARGUMENT
                write_file {"write": "$write", "data": "AQID", "offset": "3"}
                -> INVALID_ARGUMENT
                write_file {"write": "$write", "data": "AQ==", "offset": "3"}
                -> file_write_progress "bytes_received":"4"
                key=the-end-of-it finish_file_write {"write": "$write"}
                -> commit "revision":"2" "created_count":2
                key=the-end-of-it finish_file_write {"write": "$write"}
                -> commit "revision":"2" "is_replayed":true
                key=the-end-of-it finish_file_write {"write": "7"}
                -> IDEMPOTENCY_KEY_REUSED
                finish_file_write {"write": "$write"}
                -> FILE_WRITE_NOT_FOUND
                begin_file_write {"path": {"area": 2, "path": "f"}, "place": 3, "offset": "2"}
                write_file {"write": "$write", "data": "CQkJ"}
                finish_file_write {"write": "$write"}
                -> commit "revision":"3" "updated_count":1
                read_file {"path": {"area": 2, "path": "f"}}
                -> file_data "data":"AQIJCQk=" "byte_count":"5"
                begin_file_write {"path": {"area": 2, "path": "f"}, "place": 2}
                save_file {"path": {"area": 2, "path": "f"}, "data": "AQID"}
                write_file {"write": "$write", "data": "CQkJ"}
                finish_file_write {"write": "$write"}
                -> FILE_CHANGED
                finish_file_write {"write": "$write"}
                -> FILE_WRITE_NOT_FOUND
                begin_file_write {"path": {"area": 2, "path": "g"}, "place": 1}
                end_file_write {"write": "$write"}
                -> file_write_ended
                end_file_write {"write": "$write"}
                -> file_write_ended
                write_file {"write": "$write", "data": "CQkJ"}
                -> FILE_WRITE_NOT_FOUND
                get_file {"path": {"area": 2, "path": "g"}}
                -> FILE_NOT_FOUND
                """#
            ).run(on: server.connect())
        }
    }
}
