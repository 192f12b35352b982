import Testing

@testable import StoreProtocol

@Suite struct ErrorReasonTests {
    @Test func reasonsAreUpperSnake() {
        for reason in ErrorReason.allCases {
            #expect(reason.rawValue.allSatisfy { $0.isUppercase || $0 == "_" }, "\(reason.rawValue)")
        }
    }

    @Test func everyReasonHasARuleOfItsOwn() {
        let rules = ErrorReason.allCases.map(\.rule)
        #expect(Set(rules.map(\.meaning)).count == rules.count)
        #expect(!rules.contains { $0.code == .unspecified || $0.meaning.isEmpty })
    }

    @Test func documentListsExactlyTheReasonsOfTheEnum() throws {
        let rows = try RepositoryFiles.text("proto-docs/ERRORS.md").split(separator: "\n")
            .filter { $0.hasPrefix("| `") }.map(String.init)
        let expected = ErrorReason.allCases.map { reason in
            "| `\(reason.rawValue)` | \(Self.name(reason.code)) | \(reason.rule.isRetryable ? "yes" : "no") | "
                + "\(reason.rule.meaning) |"
        }
        #expect(rows == expected)
    }

    /// The code's name in errors.proto.
    static func name(_ code: WireErrorCode) -> String {
        var name = ""
        for character in "\(code)" {
            name += character.isUppercase ? "_\(character)" : character.uppercased()
        }
        return name
    }
}
