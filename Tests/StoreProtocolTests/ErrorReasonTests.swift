import StoreBasics
import TestBasics
import Testing

@testable import StoreProtocol

@Suite struct ErrorReasonTests {
    @Test func `the name of each reason is its case in upper snake case`() {
        for reason in ErrorReason.allCases {
            let words = reason.rawValue.split(separator: "_")
            let name = words.map { $0 == "ID" ? "ID" : $0.prefix(1) + $0.dropFirst().lowercased() }.joined()
            #expect(name.prefix(1).lowercased() + name.dropFirst() == "\(reason)")
            #expect(reason.rawValue.allSatisfy { $0.isUppercase || $0 == "_" }, "\(reason.rawValue)")
        }
    }

    @Test func `the document lists exactly the existing reasons, each with a meaning of its own`() throws {
        let rows = try RepositoryFiles.text("proto-docs/ERRORS.md").split(separator: "\n")
            .filter { $0.hasPrefix("| `") }.map { $0.split(separator: "|").map { $0.trimmingPrefix(" ") } }
        let expected = ErrorReason.allCases.map { reason in
            ["`\(reason.rawValue)` ", "\(Self.name(reason.code)) ", reason.isRetryable ? "yes " : "no "]
        }
        #expect(rows.map { $0.prefix(3).map(String.init) } == expected)
        #expect(rows.allSatisfy { $0.count == 4 && $0[3].count > 2 })
        #expect(Set(rows.map(\.last)).count == rows.count)
    }

    @Test func `the Python client has exactly the same reasons and codes`() throws {
        let rows = try RepositoryFiles.text("clients/python/src/ghoststore/reasons.py")
            .matches(of: /Reason\.(\w+): \(ErrorCode\.(\w+), (True|False)\)/)
        let expected = ErrorReason.allCases.map { reason in
            [reason.rawValue, Self.name(reason.code), reason.isRetryable ? "True" : "False"]
        }
        #expect(rows.map { [$0.1, $0.2, $0.3].map(String.init) } == expected)
    }

    /// Returns the code's name in errors.proto.
    static func name(_ code: WireErrorCode) -> String {
        var name = ""
        for character in "\(code)" {
            name += character.isUppercase ? "_\(character)" : character.uppercased()
        }
        return name
    }
}
