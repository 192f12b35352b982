import Testing

@Suite("Banned calls")
struct BannedCallTests {
    @Test("no source file traps on data, prints, sleeps or starts a loose task")
    func sourcesHoldNone() throws {
        let findings = try Repository.sources().flatMap { source in
            BannedCall.all.flatMap { $0.findings(source) }
        }
        expectNone(findings)
    }

    @Test(
        "each banned call is found",
        arguments: [
            "let a = try! read()", "let a = b as! String", "fatalError(\"x\")", "let a = b!", "let a = b[1]!.c",
            "print(a)", "assert(a > 1)", "Task { await a() }", "Task.detached { }", "Task(priority: .high) { }",
            "unsafeBitCast(a, to: Int.self)", "usleep(5)",
        ])
    func bannedCallIsFound(_ line: String) {
        let source = SwiftSource(path: "Sources/StoreServer/Bad.swift", text: line)
        #expect(BannedCall.all.contains { !$0.findings(source).isEmpty }, "\(line)")
    }

    @Test(
        "what only looks like one is not",
        arguments: [
            "a != b", "let a = !b", "// try! this", "let a = \"fatalError(\"", "group.addTask { }", "try await a()",
            "myprint(a)", "func fingerprint(a: Int)", "withTaskGroup { }", "try await Task.sleep(for: a)",
            "let a: Task<Void, Never>",
        ])
    func harmlessLineIsNotFound(_ line: String) {
        let source = SwiftSource(path: "Sources/StoreServer/Good.swift", text: line)
        #expect(BannedCall.all.flatMap { $0.findings(source) }.isEmpty, "\(line)")
    }
}
