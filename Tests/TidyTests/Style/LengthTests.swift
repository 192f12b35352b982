import Testing

@Suite struct LengthTests {
    @Test func `no line is longer than 120 columns`() throws {
        let findings = try (Repository.sources() + Repository.tests()).flatMap(LengthRules.longLines)
        expectNone(findings)
    }

    @Test func `no file is longer than 400 lines`() throws {
        let findings = try (Repository.sources() + Repository.tests()).flatMap(LengthRules.longFile)
        expectNone(findings)
    }

    @Test func `no function is longer than 70 lines`() throws {
        let findings = try (Repository.sources() + Repository.tests()).flatMap(LengthRules.longFunctions)
        expectNone(findings)
    }

    @Test func `a line, a file and a function past their bounds are found`() {
        let body = String(repeating: "    work()\n", count: 69)
        let function = SwiftSource(path: "x.swift", text: "func tooLong() {\n\(body)}\n")
        #expect(LengthRules.longFunctions(function).count == 1)
        let line = SwiftSource(path: "x.swift", text: String(repeating: "a", count: 121))
        #expect(LengthRules.longLines(line).count == 1)
        let file = SwiftSource(path: "x.swift", text: String(repeating: "a\n", count: 401))
        #expect(LengthRules.longFile(file).count == 1)
    }

    @Test func `a line, a file and a function of exactly the limit are accepted`() {
        let body = String(repeating: "    work()\n", count: 68)
        let function = SwiftSource(path: "x.swift", text: "func justRight() {\n\(body)}\n")
        #expect(LengthRules.longFunctions(function).isEmpty)
        #expect(LengthRules.longLines(SwiftSource(path: "x.swift", text: String(repeating: "a", count: 120))).isEmpty)
        #expect(
            LengthRules.longFile(SwiftSource(path: "x.swift", text: String(repeating: "a\n", count: 400))).isEmpty)
    }

    @Test func `a function that is only a table may be long`() {
        func source(arm: String) -> SwiftSource {
            let arms = String(repeating: "        \(arm)\n", count: 80)
            let text = "var rule: Rule {\n    switch self {\n\(arms)    }\n}\n"
            return SwiftSource(path: "x.swift", text: text)
        }
        #expect(LengthRules.longFunctions(source(arm: "case .ping: Calls.ping")).isEmpty)
        #expect(LengthRules.longFunctions(source(arm: "case .ping(let id):\n            call(id)")).isEmpty)
        #expect(LengthRules.longFunctions(source(arm: "case .ping: work { $0 }")).count == 1)
        #expect(
            LengthRules.longFunctions(source(arm: "case .ping:\n            call()\n            call()")).count == 1)
        #expect(LengthRules.longFunctions(source(arm: "case .ping:\n        case .pong:")).count == 1)
        #expect(LengthRules.longFunctions(source(arm: "work()")).count == 1)
    }

    @Test func `the length of a function includes its signature`() {
        let source = SwiftSource(
            path: "x.swift",
            text: """
                protocol Reader {
                    func bare() -> Int
                    var size: Int { get }
                }
                struct Box {
                    init?(
                        _ make: () -> Int = { 1 }
                    ) throws {
                        work { "}" }
                    }
                    func pick(_ a: [Int]) -> Int { a[0] }
                    deinit {
                    }
                    var total: Int {
                        1
                    }
                }
                """)
        #expect(
            FunctionFinder.functions(in: source) == [
                FoundFunction(name: "init", line: 6, lineCount: 5),
                FoundFunction(name: "pick", line: 11, lineCount: 1),
                FoundFunction(name: "deinit", line: 12, lineCount: 2),
                FoundFunction(name: "total", line: 14, lineCount: 3),
            ])
    }
}
