import Testing

@Suite struct ErrorTextTests {
    @Test func `messages of errors begin in lower case and have no full stop`() throws {
        expectNone(try Repository.sources().flatMap { MessageRule.findings($0) })
    }

    @Test(arguments: [
        "throw StoreError(.storeBusy, \"The store is busy\")", "throw StoreError(.storeBusy, \"the store is busy.\")",
        "throw StoreError(\n    .storeBusy,\n    \"Try \\(again)\")", "CommandFailure(.usage, \"a.; hint: b\")",
    ])
    func `a message with a capital letter or a full stop is found`(text: String) {
        #expect(MessageRule.findings(SwiftSource(path: "Sources/A/x.swift", text: text)).count == 1)
    }

    @Test(arguments: [
        "throw StoreError(.storeBusy, \"the store is busy; try again\")", "BenchError(\"PostgreSQL is not ready\")",
        "StoreError(.a, \"\\(path): it is no file\")", "let text = \"Not an error.\"",
        "JSONError(\"NAME is unknown…\")",
    ])
    func `correct messages and other texts are not found`(text: String) {
        #expect(MessageRule.findings(SwiftSource(path: "Sources/A/x.swift", text: text)).isEmpty)
    }
}
