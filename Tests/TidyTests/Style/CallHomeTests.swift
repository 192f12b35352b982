import Testing

@Suite struct CallHomeTests {
    @Test func `a call is named in few files`() throws {
        let kinds = "Sources/StoreProtocol/Calls/Generated/CallKind.swift"
        let rule = CallHomeRule(
            kinds: SwiftSource(path: kinds, text: try Repository.text(kinds)),
            sources: try Repository.sources().filter {
                ["StoreProtocol", "StoreServer", "StoreEngine"].contains($0.target)
            }, elsewhere: CallHomeRule.elsewhere)
        #expect(rule.calls.count > 50)
        expectNone(rule.findings())
    }

    private let kinds = SwiftSource(path: "a/CallKind.swift", text: "enum CallKind {\n    case eatCake = 12\n}")

    /// Returns the largest allowed number of files that name a call, and `more` additional ones.
    private func sources(_ row: String, filesMax: Int, more: Int) -> [SwiftSource] {
        let named = [SwiftSource(path: "a/CakeCalls.swift", text: "static let eatCake = CallRule(\(row)) {")]
        return named + (0..<(filesMax - 1 + more)).map { SwiftSource(path: "\($0).swift", text: "run(.eatCake)") }
    }

    @Test(arguments: [
        (".read(.cakes), .read", 2), (".none, .free", 2), (".administration,\n    .barrier", 2),
        (".write(.cakes), .write", 3), (".administration, .write", 3),
    ])
    func `one file too many is found`(row: String, filesMax: Int) {
        #expect(CallHomeRule(kinds: kinds, sources: sources(row, filesMax: filesMax, more: 0)).findings().isEmpty)
        #expect(CallHomeRule(kinds: kinds, sources: sources(row, filesMax: filesMax, more: 1)).findings().count == 1)
    }

    @Test func `an excepted file does not count, and an unused exception is found`() {
        let sources = sources(".none, .read", filesMax: 2, more: 0) + [SwiftSource(path: "b/X.swift", text: "eatCake")]
        #expect(CallHomeRule(kinds: kinds, sources: sources, elsewhere: ["eatCake": ["X.swift"]]).findings().isEmpty)
        #expect(
            CallHomeRule(kinds: kinds, sources: sources, elsewhere: ["eatCake": ["X.swift", "Y.swift"]]).findings()
                .count == 1)
    }

    @Test(arguments: ["// eatCake", "\"eatCake\"", "eatCakes()", "WireEatCake", "_eatCake"])
    func `text that only resembles the name is not counted`(text: String) {
        let sources = sources(".none, .read", filesMax: 2, more: 0) + [SwiftSource(path: "x.swift", text: text)]
        #expect(CallHomeRule(kinds: kinds, sources: sources).findings().isEmpty)
    }

    @Test func `a call without a row is found`() {
        #expect(CallHomeRule(kinds: kinds, sources: []).findings().map(\.message) == ["eatCake has no row"])
    }
}
