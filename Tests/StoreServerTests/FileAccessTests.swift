import StoreBasics
import StoreEngine
import StoreProtocol
import TestBasics
import Testing

@testable import StoreServer

/// Rights to some paths of the vault, and the errors of the vault's calls.
@Suite(.serialized) struct FileAccessTests {
    /// Returns the rights to read and to write the files that a pattern covers.
    private static func rights(_ pattern: String) throws -> [AccessRight] {
        let pattern = try #require(NamePattern(pattern))
        return [.read(.files, pattern), .write(.files, pattern)]
    }

    /// Makes the call in each row of the table and compares the result. `<PATH>` stands for a path in the area
    /// `document`. The word after the arrow is the expected name of the result, or the expected reason of the error.
    private static func expect(_ table: String, _ connection: RawConnection, line: Int = #line) throws {
        for row in Scenario.lines(table) {
            let parts = row.split(separator: " -> ")
            let call = String(parts[0]).replacing(/<([^>]*)>/) { #"{"area": 2, "path": "\#($0.output.1)"}"# }
            let answer = try Scenario.call(call, on: connection)
            let told = answer.error.reason.isEmpty ? try answer.resultName : answer.error.reason
            #expect(told == String(parts[1]), "\(line): \(row) was answered \(answer)")
        }
    }

    @Test func `a right to a path covers what the pattern matches, and a tree only if the pattern matches all of it`()
        async throws
    {
        try await withTaskExecutorPreference(BlockingExecutor.shared) {
            let server = try UserServer(UserServer.everyRight)
            let connection = try server.connect()
            try Self.expect(
                #"""
                save_file {"path": <a/b/f>, "data": "AQID", "creates_parents": true} -> commit
                save_file {"path": <secret>, "data": "AQID"} -> commit
                """#, connection)
            try server.reload(Self.rights("document/a/*"))
            try Self.expect(
                #"""
                read_file {"path": <a/b/f>} -> file_data
                read_file {"path": <secret>} -> PERMISSION_DENIED
                read_file {"path": <none>} -> PERMISSION_DENIED
                read_file {"path": {"area": 1, "path": "a/b/f"}} -> PERMISSION_DENIED
                read_file {"path": </a//b/f/>} -> file_data
                list_files {"directory": <a>} -> files
                list_files {"directory": <>} -> PERMISSION_DENIED
                get_file {"path": <a>} -> PERMISSION_DENIED
                save_file {"path": <a/c/f>, "creates_parents": true} -> commit
                copy_file {"origin": <a/b>, "place": <a/d>} -> commit
                move_file {"origin": <a/d>, "place": <a/e>} -> commit
                move_file {"origin": <a/e>, "place": <e>} -> PERMISSION_DENIED
                move_file {"origin": <secret>, "place": <a/s>} -> PERMISSION_DENIED
                copy_file {"origin": <secret>, "place": <a/s>} -> PERMISSION_DENIED
                remove_directory {"path": <a/e>, "with_children": true} -> commit
                remove_directory {"path": <a>, "with_children": true} -> PERMISSION_DENIED
                """#, connection)
            // This pattern covers `g/f`, but not what is below it.
            try server.reload(Self.rights("document/*/f"))
            try Self.expect(
                #"""
                read_file {"path": <a/b/f>} -> file_data
                list_files {"directory": <a>} -> PERMISSION_DENIED
                create_directory {"path": <g/f>, "creates_parents": true} -> commit
                remove_directory {"path": <g/f>, "with_children": true} -> PERMISSION_DENIED
                remove_directory {"path": <g/f>} -> commit
                copy_file {"origin": <a/b/f>, "place": <f/f>} -> PERMISSION_DENIED
                """#, connection)
            // A caller that may write all files must not use a copy or a move to read files that it may not read.
            try server.reload([.write(.files, nil), try Self.rights("document/a/*")[0]])
            try Self.expect(
                #"""
                copy_file {"origin": <secret>, "place": <a/s>} -> PERMISSION_DENIED
                move_file {"origin": <secret>, "place": <a/s>} -> PERMISSION_DENIED
                copy_file {"origin": <a/b>, "place": {"area": 1, "path": "s"}} -> commit
                """#, connection)
            try server.stop()
        }
    }

    @Test func `errors have the documented order, and a page begins after the previous one`() async throws {
        try await RunningServer.with { server in
            let connection = try server.connect()
            try Self.expect(
                #"""
                remove_directory {"path": <d>} -> DIRECTORY_NOT_FOUND
                save_file {"path": <d/x>, "data": "AQID"} -> PARENT_DIRECTORY_NOT_FOUND
                append_file {"path": <d/x>, "data": "AQID"} -> PARENT_DIRECTORY_NOT_FOUND
                append_file {"path": <d/x>, "data": "AQID", "creates_parents": true} -> commit
                create_directory {"path": <d/x/y>} -> PARENT_DIRECTORY_NOT_FOUND
                create_directory {"path": <d/x>} -> ALREADY_EXISTS
                save_file {"path": <d>} -> ALREADY_EXISTS
                move_file {"origin": <n>, "place": <n/n>} -> FILE_NOT_FOUND
                move_file {"origin": <d/x>, "place": <n/n>} -> PARENT_DIRECTORY_NOT_FOUND
                move_file {"origin": <d/x>, "place": <d>} -> ALREADY_EXISTS
                move_file {"origin": <>, "place": {"area": 1, "path": "d"}} -> INVALID_ARGUMENT
                read_file {"path": <d>} -> FILE_NOT_FOUND
                delete_file {"path": <d>} -> FILE_NOT_FOUND
                list_files {"directory": <d/x>} -> DIRECTORY_NOT_FOUND
                list_files {"directory": <>, "cursor": "bad"} -> INVALID_ARGUMENT
                get_file {"path": {"area": 9}} -> INVALID_ARGUMENT
                """#, connection)
            for name in ["a", "A", "é", "e\u{301}", "~", "CON", "dx"] {
                _ = try Scenario.call(
                    #"save_file {"path": {"area": 3, "path": "\#(name)"}, "data": "AQID"}"#, on: connection)
            }
            let pages = Scenario(
                "pages",
                #"""
                list_files {"directory": {"area": 3}, "limit": 3}
                -> files "name":"A" "name":"CON" "name":"a" !"name":"dx"
                list_files {"directory": {"area": 3}, "limit": 3, "cursor": "$next_cursor"}
                -> files "name":"dx" "name":"~" !"name":"a"
                list_files {"directory": {"area": 3}, "limit": 3, "cursor": "$next_cursor"}
                -> files !next_cursor "name":"é"
                """#)
            try pages.run(on: connection)
        }
    }
}
