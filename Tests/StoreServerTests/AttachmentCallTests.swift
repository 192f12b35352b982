import StoreProtocol
import SwiftProtobuf
import TestBasics
import Testing

@testable import StoreServer

@Suite(.serialized) struct AttachmentCallTests {
    @Test func `attachments are uploaded, saved, read and rejected as the documents promise`() async throws {
        try await RunningServer.with { server in
            try Scenario(
                "attachments",
                #"""
                save_message {"message": {"id": "m", "conversation": {"session_id": "a"},
                  "attachments": [{"data": "AQID", "mime_type": "image/png", "metadata": {"data": "AQ=="}}]}}
                -> commit "revision":"2" "created_count":1
                save_message {"message": {"id": "m", "conversation": {"session_id": "a"},
                  "attachments": [{"data": "AQID", "mime_type": "Image/PNG", "metadata": {"data": "AQ=="}}]}}
                -> commit "revision":"2" !updated_count
                read_attachment {"message_id": "m"}
                -> attachment_data "data":"AQID" "byte_count":"3" "mime_type":"image/png" "is_stored":true "metadata":
                read_attachment {"message_id": "m", "offset": "1", "byte_count": "1"}
                -> attachment_data "data":"Ag==" !"metadata":
                read_attachment {"message_id": "m", "offset": "9"}
                -> attachment_data !"data":
                read_attachment {"message_id": "m", "expected_digest": "AQID"}
                -> INVALID_ARGUMENT
                read_attachment {"message_id": "m", "expected_digest": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}
                -> FILE_CHANGED
                read_attachment {"message_id": "m", "position": 1}
                -> ATTACHMENT_NOT_FOUND
                read_attachment {"message_id": "n"}
                -> MESSAGE_NOT_FOUND
                list_attachments {}
                -> attachments "message_id":"m" "byte_count":"3" "conversation_id":
                list_attachments {"mime_type_prefix": "text/"}
                -> attachments "attachments":{}
                list_attachments {"cursor": "1.61.0"}
                -> INVALID_ARGUMENT
                list_attachments {"message_id": "n"}
                -> MESSAGE_NOT_FOUND
                list_attachments {"conversation": {"session_id": "b"}}
                -> CONVERSATION_NOT_FOUND
                list_attachments {"message_id": "m", "cursor": "x"}
                -> INVALID_ARGUMENT
                list_attachments {"conversation": {"session_id": "a"}, "mime_type_prefix": "text/"}
                -> attachments "attachments":{}
                save_message {"message": {"conversation": {"session_id": "a"}, "attachments": [{"mime_type": "a/b"}]}}
                -> INVALID_ARGUMENT
                save_message {"message": {"conversation": {"session_id": "a"}, "attachments": [{"data": "AQ=="}]}}
                -> INVALID_ARGUMENT
                save_message {"message": {"conversation": {"session_id": "a"},
                  "attachments": [{"digest": "AQ==", "mime_type": "a/b"}]}}
                -> INVALID_ARGUMENT
                save_message {"message": {"id": "n", "conversation": {"session_id": "a"},
                  "attachments": [{"digest": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", "mime_type": "a/b"}]}}
                -> ATTACHMENT_CONTENT_NOT_FOUND
                save_draft {"conversation": {"session_id": "a"}, "attachments": [{"data": "AQID", "mime_type": "a/b"}]}
                -> commit "revision":"3" "created_count":1
                get_draft {"conversation": {"session_id": "a"}}
                -> draft "mime_type":"a/b"
                save_draft {"conversation": {"session_id": "a"}}
                -> commit "revision":"4" "deleted_count":1
                begin_attachment_write {"byte_count": "3", "digest": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}
                write_file {"write": "$write", "data": "AQID"}
                -> file_write_progress "bytes_received":"3"
                finish_file_write {"write": "$write"}
                -> INVALID_ARGUMENT
                begin_attachment_write {}
                write_file {"write": "$write", "data": "AQID"}
                key=the-end-of-it finish_file_write {"write": "$write"}
                -> commit "revision":"4" !created_count
                key=the-end-of-it finish_file_write {"write": "$write"}
                -> commit "revision":"4" "is_replayed":true
                """#
            ).run(on: server.connect())
        }
    }

    @Test func `a request with too many attachments is rejected before they are decoded`() async throws {
        try await RunningServer.with { server in
            let connection = try server.connect()
            let tiny = [WireNewAttachment](repeating: .init(), count: 100_000)
            let response = try connection.call(
                .saveMessage(
                    .with {
                        $0.message.conversation.sessionID = "a"
                        $0.message.attachments = tiny
                    }))
            #expect(response.error.reason == "REQUEST_TOO_LARGE")
        }
    }
}
