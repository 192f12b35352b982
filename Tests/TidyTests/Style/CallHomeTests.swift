import Testing

@Suite struct CallHomeTests {
    @Test func `a call is named in few files`() throws {
        let rule = CallHomeRule(
            sources: try Repository.sources().filter {
                ["StoreProtocol", "StoreServer", "StoreEngine"].contains($0.target)
            }, elsewhere: CallHomeRule.elsewhere)
        #expect(rule.calls.count > 50)
        expectNone(rule.findings())
    }

    /// Returns the largest allowed number of files that name a call, and `more` additional ones.
    private func sources(_ row: String, filesMax: Int, more: Int) -> [SwiftSource] {
        let named = [
            SwiftSource(path: "a/CallKind.swift", text: "enum CallKind {\n    case eatCake = 12\n}"),
            SwiftSource(path: "a/CakeCalls.swift", text: "static let eatCake = CallRule(\(row)) {"),
        ]
        return named + (0..<(filesMax - 2 + more)).map { SwiftSource(path: "\($0).swift", text: "run(.eatCake)") }
    }

    @Test(arguments: [
        (".read(.cakes), .read", 4), (".none, .free", 4), (".administration,\n    .barrier", 5),
        (".write(.cakes), .write", 5), (".administration, .write", 5),
    ])
    func `one file too many is found`(row: String, filesMax: Int) {
        #expect(CallHomeRule(sources: sources(row, filesMax: filesMax, more: 0)).findings().isEmpty)
        #expect(CallHomeRule(sources: sources(row, filesMax: filesMax, more: 1)).findings().count == 1)
    }

    @Test func `an exception is one file that counts no more, and must be used`() {
        let sources = sources(".none, .read", filesMax: 4, more: 0) + [SwiftSource(path: "b/X.swift", text: "eatCake")]
        #expect(CallHomeRule(sources: sources, elsewhere: ["eatCake": ["X.swift"]]).findings().isEmpty)
        #expect(CallHomeRule(sources: sources, elsewhere: ["eatCake": ["X.swift", "Y.swift"]]).findings().count == 1)
    }

    @Test(arguments: ["// eatCake", "\"eatCake\"", "eatCakes()", "WireEatCake", "_eatCake"])
    func `what only looks like the name is not counted`(text: String) {
        let sources = sources(".none, .read", filesMax: 4, more: 0) + [SwiftSource(path: "x.swift", text: text)]
        #expect(CallHomeRule(sources: sources).findings().isEmpty)
    }

    @Test func `a call without a row is found`() {
        let kinds = SwiftSource(path: "a/CallKind.swift", text: "enum CallKind {\n    case eatCake = 12\n}")
        #expect(CallHomeRule(sources: [kinds]).findings().map(\.message) == ["eatCake has no row"])
    }
}
