import Testing

@Suite struct CommentTests {
    @Test func `each @unchecked Sendable and nonisolated(unsafe) says why it is safe`() throws {
        let findings = try (Repository.sources() + Repository.tests()).flatMap {
            CommentRules.unexplainedSendable($0) + CommentRules.unexplainedGlobal($0)
        }
        expectNone(findings)
    }

    @Test func `no comment holds a reminder or dead code`() throws {
        let findings = try (Repository.sources() + Repository.tests()).flatMap {
            CommentRules.leftovers($0) + CommentRules.deadCode($0)
        }
        expectNone(findings)
    }

    @Test func `an unexplained annotation is found, and an explained one is not`() {
        let bare = SwiftSource(path: "x.swift", text: "final class A: @unchecked Sendable {}")
        #expect(CommentRules.unexplainedSendable(bare).count == 1)
        let explained = SwiftSource(
            path: "x.swift", text: "// Unchecked because the lock guards it.\nclass A: @unchecked Sendable {}")
        #expect(CommentRules.unexplainedSendable(explained).isEmpty)
        let inCode = SwiftSource(path: "x.swift", text: "let because = 1\nclass A: @unchecked Sendable {}")
        #expect(CommentRules.unexplainedSendable(inCode).count == 1)
        let global = SwiftSource(path: "x.swift", text: "nonisolated(unsafe) var a = 1")
        #expect(CommentRules.unexplainedGlobal(global).count == 1)
        let explainedGlobal = SwiftSource(
            path: "x.swift", text: "// Written once, at start.\n" + "nonisolated(unsafe) var a = 1")
        #expect(CommentRules.unexplainedGlobal(explainedGlobal).isEmpty)
    }

    @Test(arguments: leftovers) func `reminders and dead code are found`(_ line: String) {
        let source = SwiftSource(path: "x.swift", text: line)
        #expect(CommentRules.leftovers(source).count + CommentRules.deadCode(source).count == 1)
    }

    @Test(arguments: ["// if the lock is held, wait", "// let it be", "/// Returns a page.", "let a = \"x\" // TODOs"])
    func `a sentence is not dead code`(_ line: String) {
        let source = SwiftSource(path: "x.swift", text: line)
        #expect(CommentRules.leftovers(source).isEmpty && CommentRules.deadCode(source).isEmpty)
    }

    /// Comments that break the rule. They are assembled here so that this file does not break the rule itself.
    static let leftovers = ["TODO: later", "FIXME", "let a = 1", "if a {", "return make(a)", "}", "import NIOCore"]
        .map { "// " + $0 }
}
