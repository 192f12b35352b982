import GhostTestSupport
import Testing

@Suite struct SceneCommandTests {
    @Test func `values of every type are set and shown`() async throws {
        try await withControl { control, _ in
            let values = [
                ("string", "hello \u{1B}[31m"), ("integer", "-7"), ("float", "0.5"), ("double", "2.25"),
                ("boolean", "true"), ("url", "https://example.org/"), ("data", "AP8="),
                ("date", "2026-11-21T03:54:01.000000Z"),
            ]
            for (type, text) in values {
                try await control.text("scenes", "set", "main", "k-\(type)", "--type", type, "--", text)
                let shown = try await control.run("scenes", "get", "main", "k-\(type)", "--raw").output
                #expect(type == "data" || shown == text + "\n")
            }
            let rows = try await control.json("scenes", "get", "main")
            #expect(rows.map { $0["type"]?.text } == values.map(\.0).sorted())
            #expect(rows.first { $0["type"] == "integer" }?["value"] == -7)
            #expect(rows.first { $0["type"] == "boolean" }?["value"] == true)
            #expect(rows.allSatisfy { $0["tier"] == "scene" })
            #expect(try await control.text("scenes", "get", "main").contains("␛[31m"))
        }
    }

    @Test func `nested values are set and shown as JSON`() async throws {
        try await withControl { control, _ in
            let json = #"{"list": [1, "two", {"three": []}], "on": false}"#
            try await control.text("scenes", "set", "main", "settings", json, "--type", "json")
            #expect(try await control.text("scenes", "get", "main", "settings", "--raw") == json + "\n")
            #expect(try await control.run("scenes", "set", "main", "k", "null", "--type", "json").exitCode == 65)
            #expect(try await control.run("scenes", "set", "main", "k", "x", "--type", "integer").exitCode == 65)
        }
    }

    @Test(arguments: [
        ("double", "1e309"), ("double", "-1e999"), ("float", "1e39"), ("float", "-3.5e38"), ("double", "1e-400"),
        ("float", "1e-60"), ("json", "1e309"), ("json", "[1e-400]"), ("double", "0x1p1024"), ("double", "twelve"),
    ])
    func `a number outside the range of its type is rejected`(_ type: String, _ text: String) async throws {
        try await withControl { control, _ in
            let result = try await control.run("scenes", "set", "--type", type, "main", "k", "--", text)
            #expect(result.exitCode == 65 && result.errorOutput.contains("'k'"), "\(result.errorOutput)")
            #expect(try await control.run("scenes", "get", "main", "k").exitCode == 2)
        }
    }

    @Test func `any number that --raw prints can be set again and is the same`() async throws {
        try await withControl { control, _ in
            for (type, text, shown) in [
                ("double", "nan", "nan"), ("double", "inf", "inf"), ("double", "-Infinity", "-inf"),
                ("float", "nan", "nan"), ("float", "-inf", "-inf"), ("double", "nan:7ff8000000000001", ""),
                ("double", "-nan", ""), ("float", "NaN", "nan"), ("double", "5e-324", "5e-324"),
                ("double", "-0.0", "-0.0"), ("double", "0e999", "0.0"), ("double", "1e308", "1e+308"),
            ] {
                let set = ["scenes", "set", "--type", type, "main", "k", "--"]
                let environment = ["GHOSTSTORE_SOCKET": control.socketPath]
                let first = try await Control.run(set + [text], environment: environment)
                #expect(first.exitCode == 0, "\(text): \(first.errorOutput)")
                let raw = try await control.text("scenes", "get", "main", "k", "--raw")
                #expect(shown.isEmpty || raw == shown + "\n", "\(text): \(raw)")
                let again = try await Control.run(set + [String(raw.dropLast())], environment: environment)
                #expect(again.exitCode == 0 && again.output.contains("nothing"), "\(raw): \(again.output)")
            }
        }
    }

    @Test func `keys of a dictionary that differ only in their bytes are all set and shown`() async throws {
        try await withControl { control, _ in
            let json = "{\"e\u{301}\": 1, \"\u{e9}\": 2}"
            try await control.text("scenes", "set", "main", "k", json, "--type", "json")
            let shown = try await control.text("scenes", "get", "main", "k", "--raw")
            #expect(Array(shown.utf8) == Array((json + "\n").utf8), "\(shown)")
            let twice = #"{"a": 1, "\u0061": 2}"#
            #expect(try await control.run("scenes", "set", "main", "k", twice, "--type", "json").exitCode == 65)
        }
    }

    @Test func `a scene without a value of its own has the value that another scene set`() async throws {
        try await withControl { control, _ in
            try await control.text("scenes", "set", "main", "a", "1", "b", "2")
            try await control.text("scenes", "set", "other", "a", "3")
            #expect(try await control.text("scenes", "get", "third", "a", "--raw") == "3\n")
            #expect(try await control.text("scenes", "get", "main", "a", "--raw") == "1\n")
            #expect(try await control.json("scenes", "list").map { $0["key_count"] } == [2, 1])
            #expect(try await control.json("scenes", "list", "other").map { $0["tier"] } == ["scene", "global"])
            let keys = try await control.text("scenes", "list", "other")
            #expect(keys.hasPrefix("KEY") && !keys.contains("TYPE") && !keys.contains("VALUE"), "\(keys)")
            #expect(try await control.json("scenes", "get", "").count == 2)
            try await control.text("scenes", "remove", "main", "a")
            #expect(try await control.run("scenes", "get", "third", "a").exitCode == 2)
            try await control.text("scenes", "remove", "main")
            #expect(try await control.run("scenes", "remove", "main").exitCode == 2)
            #expect(try await control.text("scenes", "get", "main", "b", "--raw") == "2\n")
        }
    }

    @Test func `a condition that does not hold changes nothing and has exit status 3`() async throws {
        try await withControl { control, _ in
            try await control.text("scenes", "set", "main", "k", "1", "--if-absent")
            #expect(try await control.run("scenes", "set", "main", "k", "2", "--if-absent").exitCode == 3)
            let revision = try #require(
                try await control.json("scenes", "get", "main", "k").first?["revision"]?.integer)
            try await control.text("scenes", "set", "main", "k", "2", "--if-revision", "\(revision)")
            let late = try await control.run("scenes", "set", "main", "k", "3", "--if-revision", "\(revision)")
            #expect(late.exitCode == 3)
            #expect(late.errorOutput.contains("SCENE_CONDITION_FAILED"))
            #expect(try await control.text("scenes", "get", "main", "k", "--raw") == "2\n")
        }
    }

    @Test func `a watch of a scene replays changes of the scene and of global values`() async throws {
        try await withControl { control, _ in
            try await control.text("contacts", "block", "eve")
            try await control.text("scenes", "set", "main", "k", "1")
            let changes = try await control.json("scenes", "watch", "main", "--after", "0", "--count", "2")
            #expect(changes.map { $0["kind"] } == ["scene-value", "scene-value"])
            #expect(changes.map { $0["parent_id"] } == ["main", nil])
        }
    }

    @Test func `a command line with a missing operand is a usage error`() async throws {
        try await withControl { (control: Control, _: TestDaemon) async throws in
            #expect(try await control.run("scenes", "set", "main", "k").exitCode == 64)
            #expect(try await control.run("scenes", "get", "main", "--raw").exitCode == 64)
            #expect(try await control.run("scenes", "watch", "").exitCode == 64)
        }
    }

    @Test func `the revision that set prints is valid for --if-revision`() async throws {
        try await withControl { control, _ in
            var revision = try #require(
                try await control.json("scenes", "set", "main", "k", "0", "--if-absent").first?["value_revisions"]?
                    .array?.first?.integer)
            for number in 1...3 {
                let told = try await control.text(
                    "scenes", "set", "main", "k", "\(number)", "--if-revision", "\(revision)")
                let shown = try #require(
                    try await control.json("scenes", "get", "main", "k").first?["revision"]?.integer)
                #expect(told == "1 updated: k at revision \(shown)\n")
                revision = shown
            }
            let several = try await control.text("scenes", "set", "main", "k", "3", "l", "1")
            #expect(several.hasPrefix("1 created: k at revision \(revision), l at revision "))
        }
    }
}
