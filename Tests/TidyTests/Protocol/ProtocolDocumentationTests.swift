import Testing

@Suite struct ProtocolDocumentationTests {
    static func files() throws -> [ProtoFile] {
        try Repository.files(below: "proto-docs", suffix: ".proto").map {
            ProtoFile(path: $0, text: try Repository.text($0))
        }
    }

    static func service() throws -> ProtoFile {
        let path = "proto-docs/ghoststore/v1/service.proto"
        return ProtoFile(path: path, text: try Repository.text(path))
    }

    @Test func `every request has a comment that says what it does or answers`() throws {
        let messages = try Self.files().flatMap(\.messages)
        #expect(messages.count > 80)
        for message in messages where message.name.hasSuffix("Request") {
            #expect(!message.comment.isEmpty, "\(message.name) says nothing")
        }
    }

    @Test func `the comment of each call names its answer, and errors that proto-docs/ERRORS.md lists`() throws {
        let known = Set(
            try Repository.text("proto-docs/ERRORS.md").matches(of: /(?m)^\| `([A-Z_]+)` \|/).map { String($0.1) })
        let results = Set(try Self.service().oneof("result").map(\.name))
        let requests = Set(try Self.service().oneof("call").map(\.type))
        var errorCount = 0
        for message in try Self.files().flatMap(\.messages) where requests.contains(message.name) {
            let comment = CallComment(message.comment)
            #expect(results.contains(comment.answer), "\(message.name) names no result of the service")
            for reason in comment.errors { #expect(known.contains(reason), "\(message.name) lists \(reason)") }
            errorCount += comment.errors.count
        }
        #expect(errorCount > 150)
    }

    @Test func `the answer and the errors are read from the comment of a call`() {
        let comment = CallComment(
            """
            // Saves it, or FAILS.
            // Answers: progress, then saved, with
            // its id.
            // Errors: NOT_THERE if it
            // has NO name; FULL, always; TOO_LATE.
            """)
        #expect(comment.answer == "saved")
        #expect(comment.errors == ["NOT_THERE", "FULL", "TOO_LATE"])
        #expect(CallComment("// Saves it.\n// Answer: saved.").errors == [])
    }

    @Test func `every call has its message, and no number of the service is used twice`() throws {
        let names = Set(try Self.files().flatMap(\.messages).map(\.name))
        for oneof in ["call", "result"] {
            let fields = try Self.service().oneof(oneof)
            #expect(Set(fields.map(\.number)).count == fields.count)
            for field in fields { #expect(names.contains(field.type), "\(field.type) is not declared") }
        }
    }

    @Test func `every reason of the wire is listed in proto-docs/ERRORS.md`() throws {
        let document = try Repository.text("proto-docs/ERRORS.md")
        let reasons = try Repository.sources()
            .filter { $0.target == "StoreBasics" }
            .flatMap { source in
                source.lines.flatMap { $0.matches(of: /case `?\w+`? = "([A-Z][A-Z_]+)"/).map { String($0.1) } }
            }
        #expect(reasons.count > 40)
        for reason in reasons { #expect(document.contains(reason), "ERRORS.md does not list \(reason)") }
    }

    @Test func `messages, comments and oneofs are read from a .proto file`() {
        let file = ProtoFile(
            path: "x.proto",
            text: """
                // Says hello.
                message HelloRequest {
                  string name = 1;
                }
                message PingRequest {}
                message Request {
                  oneof call {
                    // Service
                    HelloRequest hello = 10;
                  }
                }
                """)
        #expect(file.messages.map(\.name) == ["HelloRequest", "PingRequest", "Request"])
        #expect(file.messages.map(\.comment) == ["// Says hello.", "", ""])
        #expect(file.oneof("call") == [.init(type: "HelloRequest", name: "hello", number: 10)])
    }
}
