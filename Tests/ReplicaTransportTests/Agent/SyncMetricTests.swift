import FoundationEssentials
import GhostTestSupport
import Testing

@testable import ghoststore_sync

/// Compares the documented metrics and alerts of the agent with the metrics that it reports.
@Suite struct SyncMetricTests {
    /// Returns the metrics of an agent that has counted every event.
    private static func told() -> Set<Substring> {
        let figures = AgentFigures()
        for total in AgentFigures.Total.allCases { figures.count(total) }
        let lines = figures.text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        return Set(lines.map { $0.prefix { $0 != " " } })
    }

    @Test(arguments: ["grafana/ghoststore.json", "grafana/ghoststore.rules.yaml", "alarms.md"])
    func `every metric of the agent that a document names is reported`(path: String) throws {
        let text = try String(contentsOfFile: "\(BuiltPrograms.packageDirectory)/docs/\(path)", encoding: .utf8)
        let named = Set(text.matches(of: /\bghoststore_sync_[a-z_]+/).map(\.0))
        #expect(named.count > 2)
        #expect(named.subtracting(Self.told()) == [])
    }

    @Test func `the dashboard shows every metric of the agent except the reasons that the daemon also has`() throws {
        let text = try String(
            contentsOfFile: "\(BuiltPrograms.packageDirectory)/docs/grafana/ghoststore.json", encoding: .utf8)
        let shown = Set(text.matches(of: /\bghoststore_sync_[a-z_]+/).map(\.0))
        let unshown = Self.told().subtracting(shown)
        #expect(unshown == ["ghoststore_sync_refused_messages_total", "ghoststore_sync_waits_messages_total"])
    }
}
