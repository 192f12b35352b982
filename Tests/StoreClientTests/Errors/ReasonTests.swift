import FoundationEssentials
import GhostTestSupport
import StoreBasics
import StoreProtocol
import Testing

@Suite struct ReasonTests {
    @Test func `every reason of the daemon has a name, and none has two`() throws {
        let source = try String(
            contentsOfFile: "\(BuiltPrograms.packageDirectory)/Sources/StoreClient/Errors/Reason.swift", encoding: .utf8
        )
        let words = source.matches(of: /static let `?\w+`? = Self\(rawValue: "(\w+)"\)/).map { String($0.1) }
        #expect(Set(words).count == words.count)
        let unnamed = ErrorReason.allCases.map(\.rawValue).filter { !words.contains($0) }
        #expect(unnamed.isEmpty, "Reason has no names for \(unnamed)")
    }
}
