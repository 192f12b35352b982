import GhostTestSupport
import Glibc
import TestBasics
import Testing

/// Checks the daemon's metrics with Prometheus' own tool, which `make check-metrics` fetches.
@Suite(.enabled(if: Promtool.path != nil, "there is no promtool; hint: make promtool"))
struct PromtoolTests {
    @Test func `promtool accepts the metrics`() async throws {
        try await withMetrics { text, _ in
            let result = try await Promtool.run("check", "metrics", input: text)
            #expect(result.exitCode == 0 && result.output.isEmpty && result.errorOutput.isEmpty, "\(result)")
            // Broken metrics show that the check finds faults.
            for (right, wrong) in [
                ("# HELP ghoststore_watches Watches running now.\n", ""),
                ("# TYPE ghoststore_watches gauge", "# TYPE ghoststore_watches gouge"),
                ("le=\"+Inf\"", "le=\"much\""),
            ] {
                #expect(text.contains(right))
                let result = try await Promtool.run("check", "metrics", input: text.replacing(right, with: wrong))
                #expect(result.exitCode != 0, "\(wrong)")
            }
        }
    }

    /// `promtool` reads OpenMetrics only to create blocks of a database. Each sample in a block needs a time, so the
    /// test adds times.
    @Test func `Prometheus reads the OpenMetrics text to its end`() async throws {
        try await withMetrics { _, text in
            let folder = try TemporaryDirectory()
            func accepts(_ text: String) async throws -> Bool {
                let path = try folder.write(Self.timed(text), to: "metrics")
                let result = try await Promtool.run(
                    "tsdb", "create-blocks-from", "openmetrics", path, folder.file("blocks"))
                return result.exitCode == 0
            }
            #expect(try await accepts(text))
            for (right, wrong) in [
                ("# EOF\n", ""), ("# UNIT ghoststore_wal_bytes bytes", "# UNIT ghoststore_wal_bytes pages"),
                ("# TYPE ghoststore_watches gauge", "# TYPE ghoststore_watches gouge"), ("=\"success\"", "=success"),
            ] {
                #expect(text.contains(right))
                #expect(try await !accepts(text.replacing(right, with: wrong)), "\(wrong)")
            }
        }
    }

    @Test func `promtool accepts the alerts`() async throws {
        let path = "\(BuiltPrograms.packageDirectory)/docs/grafana/ghoststore.rules.yaml"
        let result = try await Promtool.run("check", "rules", "--lint-fatal", path)
        #expect(result.exitCode == 0 && result.output.contains("SUCCESS: "), "\(result)")
    }

    private static func timed(_ text: String) -> String {
        text.split(separator: "\n").map { $0.hasPrefix("#") ? "\($0)\n" : "\($0) 1700000000\n" }.joined()
    }

    /// Calls `body` with the metrics of a daemon in both text formats. The daemon has answered some calls before.
    private func withMetrics(_ body: (_ prometheus: String, _ openMetrics: String) async throws -> Void) async throws {
        try await withControl { control, _ in
            try await control.text("messages", "save", "alice", "hello")
            _ = try await control.run("messages", "get", "none")
            try await body(try await control.text("metrics"), try await control.text("metrics", "--openmetrics"))
        }
    }
}

/// The path of promtool: from `scripts/fetch-promtool`, or from Debian's prometheus package.
private enum Promtool {
    static let path: String? = ["\(BuiltPrograms.packageDirectory)/.build/promtool", "/usr/bin/promtool"]
        .first { path in access(path, X_OK) == 0 }

    static func run(_ arguments: String..., input: String = "") async throws -> ProgramResult {
        try await Program.run(try #require(path), arguments, input: Array(input.utf8))
    }
}
