import StoreEngine
import StoreProtocol
import TestBasics
import Testing

@testable import StoreServer

/// Checks the promises of proto-docs on counts, roots, contents and too long lists. Each scenario has its own store.
@Suite struct FilePromiseTests {
    @Test(arguments: scenarios) func `promises of the documents about files and contents are true`(
        scenario: Scenario
    ) async throws {
        try await RunningServer.with { server in
            try scenario.run(on: server.connect())
        }
    }

    private static let scenarios = [
        Scenario(
            "calls on files count parents, roots and entries of copies, and name the path with its area",
            #"""
            create_directory {"path": {"area": 2, "path": "p/q/r"}, "creates_parents": true}
            -> commit "created_count":4 "ids":["document/p/q/r"]
            create_directory {"path": {"area": 2, "path": "s/t"}, "creates_parents": true}
            -> commit "created_count":2 "ids":["document/s/t"]
            save_file {"path": {"area": 3, "path": "one"}, "data": "AQID"}
            -> commit "created_count":2 "ids":["library/one"]
            copy_file {"origin": {"area": 2, "path": "p"}, "place": {"area": 3, "path": "copy"}}
            -> commit "created_count":3 "ids":["library/copy"]
            move_file {"origin": {"area": 3, "path": "copy"}, "place": {"area": 3, "path": "moved"}}
            -> commit "updated_count":1 !created_count !deleted_count "ids":["library/moved"]
            remove_directory {"path": {"area": 3, "path": "moved"}, "with_children": true}
            -> commit "deleted_count":1 "ids":["library/moved"]
            """#),
        Scenario(
            "a root is made with the first entry of its area, and removed as others are",
            #"""
            list_files {"directory": {"area": 2}}
            get_file {"path": {"area": 2}}
            copy_file {"origin": {"area": 2}, "place": {"area": 3, "path": "x"}}
            -> FILE_NOT_FOUND
            move_file {"origin": {"area": 2}, "place": {"area": 3, "path": "x"}}
            -> FILE_NOT_FOUND
            remove_directory {"path": {"area": 2}}
            -> commit !deleted_count
            save_file {"path": {"area": 2, "path": "a"}, "data": "AQID"}
            list_changes {}
            -> changes "id":"document" "id":"document/a" CREATED !UPDATED
            copy_file {"origin": {"area": 2}, "place": {"area": 3, "path": "x"}}
            -> INVALID_ARGUMENT
            move_file {"origin": {"area": 2}, "place": {"area": 3, "path": "x"}}
            -> INVALID_ARGUMENT
            copy_file {"origin": {"area": 2, "path": "a"}, "place": {"area": 2}}
            -> ALREADY_EXISTS
            move_file {"origin": {"area": 2, "path": "a"}, "place": {"area": 3}}
            -> ALREADY_EXISTS
            remove_directory {"path": {"area": 2}}
            -> DIRECTORY_NOT_EMPTY
            remove_directory {"path": {"area": 2}, "with_children": true}
            -> commit "deleted_count":1 "ids":["document"]
            list_changes {"after_revision": "2"}
            -> changes "id":"document" DELETED
            get_file {"path": {"area": 2}}
            list_files {"directory": {"area": 2}}
            """#),
        Scenario(
            "a file that is written in pieces and an edit with another time are changes, whatever they leave",
            #"""
            save_file {"path": {"area": 2, "path": "a"}, "data": "AQID"}
            save_file {"path": {"area": 2, "path": "a"}, "data": "AQID"}
            -> commit !_count
            begin_file_write {"path": {"area": 2, "path": "a"}, "place": 1}
            write_file {"write": "$write", "data": "AQID"}
            finish_file_write {"write": "$write"}
            -> commit "updated_count":1
            save_message {"message": {"id": "m", "conversation": {"session_id": "a"}, "text": "old"}}
            edit_message {"id": "m", "text": "new", "edited_at_microseconds": "5"}
            -> commit "updated_count":1
            edit_message {"id": "m", "text": "new", "edited_at_microseconds": "5"}
            -> commit !_count
            edit_message {"id": "m", "text": "new", "edited_at_microseconds": "6"}
            -> commit "updated_count":1
            """#),
        Scenario(
            "a write in pieces is refused at once where a file stands in the place of a parent",
            #"""
            save_file {"path": {"area": 2, "path": "a"}, "data": "AQID"}
            begin_file_write {"path": {"area": 2, "path": "a/b"}, "place": 1, "creates_parents": true}
            -> PARENT_DIRECTORY_NOT_FOUND
            begin_file_write {"path": {"area": 2, "path": "a/b/c/d"}, "place": 2, "creates_parents": true}
            -> PARENT_DIRECTORY_NOT_FOUND
            begin_file_write {"path": {"area": 2, "path": "b/c"}, "place": 1}
            -> PARENT_DIRECTORY_NOT_FOUND
            begin_file_write {"path": {"area": 3, "path": "b/c"}, "place": 1}
            -> PARENT_DIRECTORY_NOT_FOUND
            begin_file_write {"path": {"area": 3, "path": "b"}, "place": 1}
            end_file_write {"write": "$write"}
            begin_file_write {"path": {"area": 3, "path": "b/c/d"}, "place": 1, "creates_parents": true}
            write_file {"write": "$write", "data": "AQID"}
            finish_file_write {"write": "$write"}
            -> commit "created_count":4
            """#),
        Scenario(
            "a message cannot name a content that comes with another of the same request",
            #"""
            save_message {"message": {"id": "m", "conversation": {"session_id": "a"},
             "attachments": [{"mime_type": "a/b", "data": "AQID"}]}}
            list_attachments {"message_id": "m"}
            delete_messages {"ids": ["m"]}
            save_messages {"messages": [
             {"id": "m", "conversation": {"session_id": "a"}, "attachments": [{"mime_type": "a/b", "data": "AQID"}]},
             {"id": "n", "conversation": {"session_id": "a"},
             "attachments": [{"mime_type": "a/b", "digest": "$digest"}]}]}
            -> ATTACHMENT_CONTENT_NOT_FOUND
            save_message {"message": {"id": "m", "conversation": {"session_id": "a"},
             "attachments": [{"mime_type": "a/b", "data": "AQID"}]}}
            save_message {"message": {"id": "n", "conversation": {"session_id": "a"},
             "attachments": [{"mime_type": "a/b", "digest": "$digest"}]}}
            -> commit "created_count":1
            """#),
        Scenario(
            "a content that waits to be saved with something is not evictable, also after a save of what is there",
            #"""
            save_message {"message": {"id": "m", "conversation": {"session_id": "a"},
             "attachments": [{"mime_type": "a/b", "data": "AQID", "source": "there"}]}}
            get_attachment_usage {}
            -> attachment_usage "evictable_bytes":"3"
            begin_attachment_write {}
            write_file {"write": "$write", "data": "AQID"}
            finish_file_write {"write": "$write"}
            get_attachment_usage {}
            -> attachment_usage !evictable_bytes": "stored_bytes":"3"
            save_message {"message": {"id": "m", "conversation": {"session_id": "a"},
             "attachments": [{"mime_type": "a/b", "data": "AQID", "source": "there"}]}}
            -> commit !_count
            get_attachment_usage {}
            -> attachment_usage !evictable_bytes":
            save_message {"message": {"id": "n", "conversation": {"session_id": "a"},
             "attachments": [{"mime_type": "a/b", "data": "AQID", "source": "there"}]}}
            get_attachment_usage {}
            -> attachment_usage "evictable_bytes":"3"
            """#),
        Scenario(
            "a clear counts files and directories too",
            #"""
            save_file {"path": {"area": 2, "path": "d/a"}, "data": "AQID", "creates_parents": true}
            save_contact {"session_id": "c"}
            clear_all_data {"confirmation": "clear all data"}
            -> commit "deleted_count":3
            """#),
    ]

    @Test func `a copy has new times, and a moved file keeps its times`() async throws {
        try await RunningServer.with { server in
            let connection = try server.connect()
            func file(_ name: String) throws -> WireFile {
                try Scenario.call(#"get_file {"path": {"area": 2, "path": "\#(name)"}}"#, on: connection).file
            }
            func call(_ line: String) throws {
                let answer = try Scenario.call(line, on: connection)
                #expect(answer.error.reason.isEmpty, "\(answer)")
            }
            for name in ["a", "b"] {
                try call(#"save_file {"path": {"area": 2, "path": "\#(name)"}, "data": "AQID"}"#)
            }
            let (a, b) = (try file("a"), try file("b"))
            try call(#"copy_file {"origin": {"area": 2, "path": "a"}, "place": {"area": 2, "path": "copy"}}"#)
            let copy = try file("copy")
            #expect(copy.createdAtMicroseconds > b.createdAtMicroseconds)
            #expect(copy.modifiedAtMicroseconds >= copy.createdAtMicroseconds)
            try call(#"move_file {"origin": {"area": 2, "path": "a"}, "place": {"area": 2, "path": "b"}}"#)
            let moved = try file("b")
            #expect(moved.createdAtMicroseconds == a.createdAtMicroseconds)
            #expect(moved.modifiedAtMicroseconds == a.modifiedAtMicroseconds)
            try call(#"save_file {"path": {"area": 2, "path": "other"}, "data": "BAUG"}"#)
            try call(#"copy_file {"origin": {"area": 2, "path": "other"}, "place": {"area": 2, "path": "copy"}}"#)
            #expect(try file("copy").createdAtMicroseconds > copy.createdAtMicroseconds)
        }
    }

    private static let longLists: [(String, Int, @Sendable (Int) -> String)] = {
        @Sendable func list(_ count: Int, _ entry: (Int) -> String) -> String {
            (0..<count).map(entry).joined(separator: ", ")
        }
        @Sendable func ids(_ count: Int) -> String { list(count) { #""m\#($0)""# } }
        return [
            (
                "save_messages", 256,
                { n in
                    #"{"messages": [\#(list(n) { _ in #"{"conversation": {"session_id": "a"}}"# })]}"#
                }
            ),
            ("delete_messages", 256, { #"{"ids": [\#(ids($0))]}"# }),
            ("mark_messages_read", 256, { #"{"ids": [\#(ids($0))]}"# }),
            ("update_message_status", 256, { #"{"status": 2, "ids": [\#(ids($0))]}"# }),
            (
                "append_log", 256,
                { n in
                    #"{"name": "log", "maximum_bytes": "65536", "messages": [\#(list(n) { _ in "\"AQ==\"" })]}"#
                }
            ),
            (
                "append_log", 256,
                { n in
                    let (messages, metadata) = (list(n) { _ in "\"AQ==\"" }, list(n) { _ in #"{"data": "AQ=="}"# })
                    return #"{"name": "log", "messages": [\#(messages)], "metadata": [\#(metadata)]}"#
                }
            ),
            (
                "set_scene_values", 256,
                { n in
                    #"{"scene": "s", "changes": [\#(list(n) { #"{"key": "\#($0)", "value": {"integer": "1"}}"# })]}"#
                }
            ),
            (
                "set_scene_values", 256,
                { n in
                    let conditions = list(n) { #"{"key": "\#($0)", "absent": true}"# }
                    return #"{"scene": "t", "changes": [{"key": "k"}], "conditions": [\#(conditions)]}"#
                }
            ),
            ("get_scene_values", 1_000, { #"{"scene": "s", "keys": [\#(ids($0))]}"# }),
            ("list_changes", 32, { n in #"{"kinds": [\#(list(n) { _ in "1" })]}"# }),
            (
                "save_message", 32,
                { n in
                    let attachments = list(n) { _ in #"{"mime_type": "a/b", "data": "AQ=="}"# }
                    return #"{"message": {"conversation": {"session_id": "a"}, "attachments": [\#(attachments)]}}"#
                }
            ),
            (
                "create_replica_group", 64,
                { n in
                    #"{"device_name": "d", "selection": [\#(list(n) { #""scenes:\#($0)""# })]}"#
                }
            ),
        ]
    }()

    /// Different code rejects lists with a few entries too many and lists with far too many.
    @Test func `a list with too many entries is REQUEST_TOO_LARGE, even with far too many`() async throws {
        try await RunningServer.with { server in
            let connection = try server.connect()
            for (call, most, message) in Self.longLists {
                for count in [most + 1, most + 31, most + 32, most + 33, most + 200] {
                    let answer = try Scenario.call("\(call) \(message(count))", on: connection)
                    #expect(answer.error.reason == "REQUEST_TOO_LARGE", "\(call) of \(count): \(answer.error)")
                }
                let fitting = try Scenario.call("\(call) \(message(most))", on: connection)
                #expect(!fitting.error.reason.hasSuffix("_TOO_LARGE"), "\(call): \(fitting.error)")
            }
        }
    }
}
