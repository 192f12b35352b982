import FoundationEssentials
import GhostTestSupport
import Glibc
import TestBasics
import Testing

/// Defaults for options, from environment variables and from the configuration file.
@Suite struct ClientDefaultsTests {
    private func run(
        _ words: [String], file: String? = nil, _ variables: [String: String] = [:], mode: mode_t = 0o600
    ) async throws -> ProgramResult {
        let home = try TemporaryDirectory()
        if let file {
            try FileManager.default.createDirectory(
                atPath: home.file("ghoststore"), withIntermediateDirectories: false)
            let path = try home.write(Array(file.utf8), to: "ghoststore/ctl.yaml")
            chmod(path, mode)
        }
        return try await Control.run(
            words, environment: ["XDG_CONFIG_HOME": home.path].merging(variables) { _, new in new })
    }

    @Test func `an option overrides a variable, and a variable overrides the file`() async throws {
        try await withControl { control, _ in
            try await control.text("contacts", "save", "bob")
            let list = ["contacts", "list"]
            let file = "socket: \(control.socketPath)\nformat: csv\ntimes: local\n"
            #expect(try await run(list, file: file).output.hasPrefix("id,session_id,"))
            let variable = try await run(list, file: file, ["GHOSTSTORE_FORMAT": "tsv"])
            #expect(variable.output.hasPrefix("id\tsession_id\t"), "\(variable.errorOutput)")
            let option = try await run(list + ["--json"], file: file, ["GHOSTSTORE_FORMAT": "tsv"])
            #expect(option.output.hasPrefix("{\"id\""))
            #expect(try await run(list + ["-q"], file: file).output == "bob\n")
            let elsewhere = try await run(list, file: file, ["GHOSTSTORE_SOCKET": "/none"])
            #expect(elsewhere.exitCode == 69)
            try await control.text("messages", "save", "a", "--id", "m", "--time", "2026-01-02T22:04:05Z", "hi")
            let table = ["messages", "list", "a", "--format", "table"]
            let local = try await run(table, file: file, ["TZ": "XYZ-5:30"])
            #expect(local.output.contains("2026-01-03 03:34 "), "\(local.output)")
            let utc = try await run(table, file: file, ["TZ": "XYZ-5:30", "GHOSTSTORE_TIMES": "utc"])
            #expect(utc.output.contains("2026-01-02 22:04:05Z"))
        }
    }

    static let faults: [(String, String)] = [
        ("colour: red\n", "ctl.yaml:1: there is no setting 'colour'; hint: one of socket, format"),
        ("format: json\npager: [less]\n", "ctl.yaml:2: pager is not text"),
        ("format: xml\n", "ctl.yaml:1: format is not one of table, json, jsonl, csv, tsv"),
        ("wide: yes\n", "ctl.yaml:1: wide is not true or false"),
        ("socket: here\n", "ctl.yaml:1: socket is not an absolute path"),
        ("times: utc\ntimes: local\n", "ctl.yaml:2: the key 'times' is given twice"),
        ("times: *a\n", "ctl.yaml:1: aliases are not supported"), ("format: \"\n", "the text is not valid YAML"),
    ]

    @Test(arguments: faults)
    func `an error in the file is reported with its line, and help is shown nevertheless`(
        _ file: String, _ cause: String
    ) async throws {
        let result = try await run(["status", "--socket", "/none"], file: file)
        #expect(result.exitCode == 78 && result.errorOutput.contains(cause), "\(result.errorOutput)")
        #expect(try await run(["--help"], file: file).exitCode == 0)
        let told = try await run(["doctor", "--socket", "/none", "--json"], file: file)
        let finding = try #require(try JSON.lines(told.output).first { $0["check"] == "configuration" })
        #expect(told.exitCode == 7 && finding["state"] == "problem")
        #expect(finding["text"]?.text?.contains(cause) == true)
    }

    @Test func `a wrong variable and a file that other users can write are rejected`() async throws {
        for (name, value) in [("GHOSTSTORE_FORMAT", "xml"), ("GHOSTSTORE_TIMES", "zulu")] {
            let result = try await run(["status"], [name: value])
            #expect(result.exitCode == 78, "\(result.errorOutput)")
            #expect(result.errorOutput.contains("variable \(name) is '\(value)'; hint: one of"))
        }
        for mode in [mode_t(0o606), 0o660] {
            let open = try await run(["status"], file: "times: utc\n", mode: mode)
            #expect(open.exitCode == 78 && open.errorOutput.contains("other users may write"), "\(open.errorOutput)")
        }
        #expect(try await run(["status", "--socket", "/none"]).exitCode == 69)
    }

    @Test func `the doctor uses the socket and the format of the file`() async throws {
        let told = try await run(["doctor"], file: "socket: /none\nformat: json\n")
        let findings = try JSON.lines(told.output)
        #expect(told.exitCode == 7 && findings.contains { $0["text"]?.text?.contains("/none") == true }, "\(told)")
    }

    @Test func `a failure is an object if JSON is the default format`() async throws {
        let byFile = try await run(["status", "--socket", "/none"], file: "format: json\n")
        #expect(try JSON.lines(byFile.errorOutput).first?["error"]?["exit_status"] == 69)
        let byVariable = try await run(["no-such"], ["GHOSTSTORE_FORMAT": "jsonl"])
        #expect(try JSON.lines(byVariable.errorOutput).first?["error"]?["exit_status"] == 64)
        let byOption = try await run(["no-such", "--format=csv"], ["GHOSTSTORE_FORMAT": "jsonl"])
        #expect(byOption.errorOutput.hasPrefix("ghoststorectl: unknown command"))
    }
}
