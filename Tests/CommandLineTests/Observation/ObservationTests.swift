import FoundationEssentials
import GhostTestSupport
import Testing

/// Compares the dashboard and the alerts in docs/grafana with the metrics of the daemon.
@Suite struct ObservationTests {
    private static func text(_ path: String) throws -> String {
        let data = FileManager.default.contents(atPath: "\(BuiltPrograms.packageDirectory)/docs/\(path)")
        return String(decoding: try #require(data), as: UTF8.self)
    }

    private static func dashboard() throws -> JSON {
        try JSONDecoder().decode(JSON.self, from: Data(try text("grafana/ghoststore.json").utf8))
    }

    /// Returns the names of all samples of a store that has data. One file area is bounded, because its limit adds
    /// samples.
    private func sampleNames() async throws -> Set<Substring> {
        var options = TestDaemonOptions()
        options.environment = ["GHOSTSTORE_FILES_CACHE_BYTES": "1000000"]
        var names: Set<Substring> = []
        try await withDaemon(options) { daemon in
            let control = Control(daemon)
            try await control.text("messages", "save", "alice", "hello")
            let text = try await control.text("metrics")
            names = Set(
                text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { $0.prefix { !" {".contains($0) } })
        }
        return names
    }

    /// Returns the names of metrics in an expression, including metrics of other programs.
    private static func metrics(in expression: String) -> Set<Substring> {
        Set(expression.matches(of: /\b(?:ghoststore|node|process)_[a-z_]+/).map(\.0))
    }

    /// Returns whether a metric belongs to the agent. `SyncMetricTests` checks the metrics of the agent.
    private static func isOfAgent(_ name: Substring) -> Bool { name.hasPrefix("ghoststore_sync_") }

    @Test func `the daemon has every metric that the dashboard and the alerts use`() async throws {
        let there = try await sampleNames()
        let shown = try Self.dashboard().values("expr").compactMap(\.text)
        #expect(shown.count > 20 && shown.allSatisfy { !Self.metrics(in: $0).isEmpty })
        let alerts = try Self.text("grafana/ghoststore.rules.yaml").matches(of: /expr: '(.+)'/).map { String($0.1) }
        #expect(alerts.count > 20 && alerts.allSatisfy { !Self.metrics(in: $0).isEmpty })
        // Node exporter itself provides the age of the text file.
        let others: Set<Substring> = ["node_textfile_mtime_seconds"]
        for expression in shown + alerts {
            let named = Self.metrics(in: expression).filter { !Self.isOfAgent($0) }
            #expect(named.subtracting(there).subtracting(others) == [], "\(expression)")
        }
        let choices = try Self.dashboard().values("query").flatMap { $0.values("query") }.compactMap(\.text)
        #expect(choices.flatMap { Self.metrics(in: $0) } == ["ghoststore_store_open"])
    }

    @Test func `the dashboard shows every metric of a replica group`() async throws {
        let there = try await sampleNames().filter { $0.hasPrefix("ghoststore_replica_") }
        let shown = try Self.dashboard().values("expr").compactMap(\.text).map { Self.metrics(in: $0) }
        #expect(there.contains("ghoststore_replica_missing_seconds"))
        #expect(there.subtracting(shown.joined()) == [])
    }

    @Test func `the data source of the dashboard can be chosen`() throws {
        let dashboard = try Self.dashboard()
        let sources = dashboard.values("datasource")
        #expect(sources.count > 20)
        for source in sources {
            #expect(source == .object(["type": "prometheus", "uid": "${datasource}"]))
        }
        let variables = dashboard["templating"]?["list"]?.array ?? []
        #expect(variables.first?["name"] == "datasource" && variables.first?["type"] == "datasource")
        let panels = dashboard["panels"]?.array ?? []
        #expect(Set(panels.compactMap { $0["id"]?.integer }).count == panels.count && panels.count > 10)
    }

    @Test func `the alerts have the documented names, and match only existing reasons`() throws {
        let rules = try Self.text("grafana/ghoststore.rules.yaml")
        let names = rules.matches(of: /- alert: (\w+)\n/).map(\.1)
        let told = try Self.text("alarms.md").matches(of: /`(Ghoststore\w+)` \|/).map(\.1)
        #expect(Set(names).count == names.count && Set(told).count == told.count)
        #expect(Set(names) == Set(told))
        let errors = FileManager.default.contents(
            atPath: "\(BuiltPrograms.packageDirectory)/proto-docs/ERRORS.md")
        let known = String(decoding: try #require(errors), as: UTF8.self)
        for reasons in rules.matches(of: /reason=~"([^"]+)"/) {
            for reason in reasons.1.split(separator: "|") {
                #expect(known.contains("\n| `\(reason)` |"), "\(reason)")
            }
        }
    }
}

extension JSON {
    /// Returns the values of all fields with this name, at any depth.
    fileprivate func values(_ name: String) -> [JSON] {
        switch self {
        case .array(let values): values.flatMap { $0.values(name) }
        case .object(let fields): fields.flatMap { $0.key == name ? [$0.value] : $0.value.values(name) }
        default: []
        }
    }
}
