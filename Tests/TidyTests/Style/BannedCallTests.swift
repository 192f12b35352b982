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
    func `code that only resembles a banned call is not found`(_ line: String) {
        let source = SwiftSource(path: "Sources/StoreServer/Good.swift", text: line)
        #expect(BannedCall.all.flatMap { $0.findings(source) }.isEmpty, "\(line)")
    }

    @Test func `no test takes a fixed part of an array`() throws {
        expectNone(try Repository.tests().flatMap { source in BannedCall.inTests.flatMap { $0.findings(source) } })
    }

    @Test(arguments: [
        "a[80..<112]", "a[4_096...]", "f()[..<4]", "$0[1...2]", "a?[2..<66]", "a[0][...7]", "a { $0 }[0..<1]",
    ])
    func `a fixed part of an array is found`(_ line: String) {
        let source = SwiftSource(path: "Tests/StoreServerTests/Bad.swift", text: line)
        #expect(BannedCall.inTests.contains { !$0.findings(source).isEmpty }, "\(line)")
    }

    @Test(arguments: [
        "for a in [0..<250, 250..<500] {", "let a = [1...2]", "a[b..<112]", "a[start...]", "a[...]", "a[12]",
        "\"a[1..<2]\"", "try run(3..<5)", "case [1..<2]: b",
    ])
    func `a part with computed bounds and a list of ranges are not found`(_ line: String) {
        let source = SwiftSource(path: "Tests/StoreServerTests/Good.swift", text: line)
        #expect(BannedCall.inTests.flatMap { $0.findings(source) }.isEmpty, "\(line)")
    }
}
