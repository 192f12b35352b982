import GhostTestSupport
import Testing

@Suite struct ScriptingCommandTests {
    @Test func `rpc sends protobuf JSON and prints every response`() async throws {
        try await withControl { control, _ in
            let requests = """
                {"id": "7", "saveMessage": {"message": {"id": "m1", "conversation": {"sessionId": "alice"}, \
                "text": "hi"}}}
                {"getMessage": {"id": "m1"}}
                """
            let responses = try JSON.lines(try await control.text("rpc", input: requests))
            #expect(responses.count == 2)
            #expect(responses.first?["id"] == "7")
            #expect(responses.first?["commit"]?["ids"] == .array(["m1"]))
            #expect(responses.last?["message"]?["text"] == "hi")
            #expect(try await control.text("rpc", #"{"ping": {}}"#).contains("ping"))
        }
    }

    @Test func `rpc has exit status 1 after an error response, and 65 after bad JSON`() async throws {
        try await withControl { control, _ in
            let missing = try await control.run("rpc", #"{"getMessage": {"id": "none"}}"#)
            #expect(missing.exitCode == 1)
            #expect(missing.output.contains("MESSAGE_NOT_FOUND"))
            let faults: [(request: String, cause: String)] = [
                (#"{"getMessage": 1}"#, "not the protobuf JSON"), ("not json", "not the protobuf JSON"),
                (#"{"getStatu": {}}"#, "there is no field 'getStatu'"), (#"{"ping": {}"#, "not the protobuf JSON"),
                (#"{"ping": {}, "hello": {}}"#, "the text names two calls"),
            ]
            for fault in faults {
                let refused = try await control.run("rpc", fault.request, "--json")
                let error = try #require(try JSON.lines(refused.errorOutput).first?["error"])
                #expect(refused.exitCode == 65 && error["reason"] == "JSON_UNREADABLE")
                #expect(error["message"]?.text?.contains(fault.cause) == true, "\(refused.errorOutput)")
            }
        }
    }

    @Test func `control characters in a response are escaped`() async throws {
        try await withControl { control, _ in
            let text = "\u{1B}[2J\u{9B}5m\u{7F}"
            try await control.text("messages", "save", "alice", "--id", "m1", "-", input: text)
            let response = try await control.text("rpc", #"{"getMessage": {"id": "m1"}}"#)
            #expect(
                !response.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || (0x7F...0x9F).contains($0.value) })
            #expect(try JSON.lines(response).first?["message"]?["text"]?.text == text)
        }
    }

    @Test func `encode, socat and decode work in a pipe`() async throws {
        try await withControl { control, _ in
            let script = "\"$CTL\" encode | socat -t 30 - UNIX-CONNECT:\"$GHOSTSTORE_SOCKET\" | \"$CTL\" decode"
            let requests = """
                {"id": "1", "saveMessage": {"message": {"id": "m1", "conversation": {"sessionId": "a"}, \
                "text": "héllo"}}}
                {"id": "2", "getMessage": {"id": "m1"}}
                {"id": "3", "getMessage": {"id": "none"}}
                """
            let result = try await control.shell(script, input: requests)
            #expect(result.exitCode == 0, "\(result.errorOutput)")
            let responses = try JSON.lines(result.output)
            func response(_ id: JSON) -> JSON? { responses.first { $0["id"] == id } }
            #expect(responses.count == 3)
            #expect(response("2")?["message"]?["text"] == "héllo")
            #expect(response("3")?["error"]?["reason"] == "MESSAGE_NOT_FOUND")
        }
    }

    @Test func `encode and decode reject malformed input`() async throws {
        let encoded = try await Control.run(["encode"], input: Array("{\"ping\": {}}\n{nonsense}\n".utf8))
        #expect(encoded.exitCode == 65)
        #expect(encoded.errorOutput.contains("line 2"))
        let truncated = try await Control.run(["decode"], input: [0, 0, 0, 9, 1])
        #expect(truncated.exitCode == 65)
        #expect(truncated.errorOutput.contains("ends inside frame 1"))
        #expect(try await Control.run(["decode"], input: [0, 0, 0, 0]).exitCode == 65)
        #expect(try await Control.run(["decode"], input: [255, 255, 255, 255]).exitCode == 65)
        #expect(try await Control.run(["decode"], input: [0, 0, 0, 1, 255]).exitCode == 65)
        #expect(try await Control.run(["decode"]).exitCode == 0)
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `completions prints a script that the shell accepts`(_ shell: String) async throws {
        let result = try await Control.run(["completions", shell])
        #expect(result.exitCode == 0)
        #expect(result.output.contains("clear-all-data"))
        if shell == "bash" {
            let checked = try await Program.run("/bin/bash", ["-n"], input: Array(result.output.utf8))
            #expect(checked.exitCode == 0)
        }
    }
}
