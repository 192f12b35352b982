import Testing

@Suite struct SwitchTests {
    @Test func `no default case of a switch traps`() throws {
        expectNone(try Repository.sources().flatMap(SwitchRule.findings))
    }

    @Test(arguments: [
        "default: preconditionFailure(\"\")", "default:\n    fatalError()",
        "default:\n    // Never comes.\n\n    preconditionFailure(\"no\")",
    ])
    func `a default that traps is found`(text: String) {
        #expect(SwitchRule.findings(SwiftSource(path: "x.swift", text: "switch a {\n\(text)\n}")).map(\.line) == [2])
    }

    @Test(arguments: [
        "default: return nil", "default:\n    break", "case .a: preconditionFailure(\"\")",
        "default:\n    throw Failure(\"fatalError(\")", "// default: fatalError()", "default: break\n}\nfatalError()",
    ])
    func `a default that does not trap is not found`(text: String) {
        #expect(SwitchRule.findings(SwiftSource(path: "x.swift", text: text)).isEmpty)
    }
}
