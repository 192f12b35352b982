import Testing

@Suite struct BannedCallTests {
    @Test func `no source file traps on data, prints, sleeps or starts a loose task`() throws {
        let findings = try Repository.sources().flatMap { source in
            BannedCall.all.flatMap { $0.findings(source) }
        }
        expectNone(findings)
    }

    @Test(
        arguments: [
            "let a = try! read()", "let a = b as! String", "fatalError(\"x\")", "let a = b!", "let a = b[1]!.c",
            "print(a)", "assert(a > 1)", "Task { await a() }", "Task.detached { }", "Task(priority: .high) { }",
            "unsafeBitCast(a, to: Int.self)", "usleep(5)",
        ])
    func `each banned call is found`(_ line: String) {
        let source = SwiftSource(path: "Sources/StoreServer/Bad.swift", text: line)
        #expect(BannedCall.all.contains { !$0.findings(source).isEmpty }, "\(line)")
    }

    @Test(
        arguments: [
            "a != b", "let a = !b", "// try! this", "let a = \"fatalError(\"", "group.addTask { }", "try await a()",
            "myprint(a)", "func fingerprint(a: Int)", "withTaskGroup { }", "try await Task.sleep(for: a)",
            "let a: Task<Void, Never>",
        ])
    func `what only looks like one is not`(_ line: String) {
        let source = SwiftSource(path: "Sources/StoreServer/Good.swift", text: line)
        #expect(BannedCall.all.flatMap { $0.findings(source) }.isEmpty, "\(line)")
    }
}
