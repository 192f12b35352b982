import Testing

/// Checks that suite names are unique, because `--filter` and a list of failures show only the name of a suite.
@Suite struct SuiteNameTests {
    @Test func `no two suites of the repository have the same name`() throws {
        expectNone(Self.findings(try Repository.tests()))
    }

    @Test func `a second suite with the same name is found, even in another target`() {
        let sources = ["Tests/A/x.swift", "Tests/B/y.swift"].map {
            SwiftSource(path: $0, text: "@Suite(.serialized) struct SaveTests {}\nextension SaveTests {}\n")
        }
        #expect(Self.findings(sources).map(\.path) == ["Tests/B/y.swift"])
    }

    /// Returns a finding for each suite whose name an earlier suite has.
    private static func findings(_ sources: [SwiftSource]) -> [Finding] {
        let declaration = /\b(?:struct|class|enum|actor) (?<name>\w+Tests)\b/.wordBoundaryKind(.simple)
        var places: [Substring: String] = [:]
        var findings: [Finding] = []
        for source in sources {
            for (index, line) in source.codeLines.enumerated() where line.holds("Tests") {
                guard let name = line.firstMatch(of: declaration)?.output.name else { continue }
                if let place = places[name] {
                    let message = "\(place) has a suite \(name)"
                    findings.append(Finding(path: source.path, line: index + 1, message: message))
                }
                places[name] = places[name] ?? source.path
            }
        }
        return findings
    }
}
