import FoundationEssentials
import GhostTestSupport
import StoreBasics
import StoreProtocol
import Testing

@Suite struct ReasonTests {
    @Test func `every error reason of the daemon has exactly one name`() throws {
        let words = try ["Errors/Reason.swift", "Generated/reasons.swift"].flatMap(Self.words)
        #expect(Set(words).count == words.count)
        let unnamed = ErrorReason.allCases.map(\.rawValue).filter { !words.contains($0) }
        #expect(unnamed.isEmpty, "Reason has no names for \(unnamed)")
    }

    private static func words(of file: String) throws -> [String] {
        let path = "\(BuiltPrograms.packageDirectory)/Sources/StoreClient/\(file)"
        return try String(contentsOfFile: path, encoding: .utf8)
            .matches(of: /static let `?\w+`? = Self\(rawValue: "(\w+)"\)/).map { String($0.1) }
    }
}
