import TestBasics
import Testing

@testable import ghoststored

/// Compares docs/ghoststored.md with the program: the document lists exactly the existing options, and each option does
/// what the document says.
@Suite struct DocumentedOptionsTests {
    /// A row of the document's table of configuration keys.
    private struct Row {
        let key: String
        let variable: String
        let option: String
        let defaultValue: String
        let values: String
        let inForce: String

        init?(_ cells: [String]) {
            guard cells.count == 6 else { return nil }
            (key, variable, option) = (cells[0], cells[1], cells[2])
            (defaultValue, values, inForce) = (cells[3], cells[4], cells[5])
        }
    }

    private let folder: TemporaryDirectory
    private let options: [String]
    private let variables: [String]
    private let keys: [Row]

    init() throws {
        folder = try TemporaryDirectory()
        let text = String(decoding: try repositoryFile("docs/ghoststored.md"), as: UTF8.self)
        options = Self.table("option", in: text).map { String($0[0].prefix { $0 != " " }) }
        variables = Self.table("variable", in: text).map { $0[0] }
        keys = Self.table("key", in: text).compactMap(Row.init)
    }

    /// Returns the rows of the table whose first column has the heading `name`, without backticks.
    private static func table(_ name: String, in text: String) -> [[String]] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.split(separator: "|").map { cell in
                String(cell.filter { $0 != "`" }.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            }
        }
        guard let start = lines.firstIndex(where: { $0.first == name && $0.count > 1 }) else { return [] }
        return Array(lines[(start + 2)...].prefix { $0.count > 1 })
    }

    private func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Program {
        let program = try Program.start(Program.daemonPath, arguments, environment: environment, in: folder)
        #expect(try program.wait() == 0, "\(arguments): \(program.errors)")
        return program
    }

    @Test func `the documented options equal the options in the help`() throws {
        let help = try run(["--help"]).output
        let known = Set(help.matches(of: /--[a-z][a-z-]*/).map { String($0.output) })
        let told = options + keys.map(\.option).filter { !$0.isEmpty }
        #expect(Set(told) == known)
        #expect(Set(told).count == told.count)
    }

    @Test func `the documented keys, defaults, values and times of effect equal those of the program`() throws {
        #expect(keys.map(\.key) == Settings.all.map(\.key))
        let standard = try DaemonConfiguration.merge(file: [:])
        for (row, setting) in zip(keys, Settings.all) {
            #expect(row.defaultValue == Self.text(setting.defaultValue), "\(row.key)")
            #expect(row.values == Self.values(of: setting), "\(row.key)")
            let other = try DaemonConfiguration.merge(file: [setting.key: Self.otherValue(of: setting)])
            let waits = other.settingsNeedingRestart(comparedTo: standard) == [setting.key]
            #expect(row.inForce == (waits ? "start" : "reload"), "\(row.key)")
        }
    }

    @Test func `every documented variable sets its key, and all variables are documented`() throws {
        let given = zip(keys, Settings.all).filter { !$0.0.variable.isEmpty }
        #expect(Set(variables) == Settings.clientVariables.union([ConfigurationFile.pathVariable]))
        for (row, setting) in given {
            #expect(row.variable == setting.environmentName)
            let values = try DaemonConfiguration.merge(
                file: [:], environment: [row.variable: Self.variableText(Self.otherValue(of: setting))]
            ).values
            #expect(values[setting.key] == Self.otherValue(of: setting), "\(row.variable)")
        }
        let without = Set(keys.filter(\.variable.isEmpty).map(\.key))
        let clients = Settings.all.filter { Settings.clientVariables.contains($0.environmentName) }
        #expect(without == Set(clients.map(\.key)))
    }

    @Test func `every option sets its key`() throws {
        for (row, setting) in zip(keys, Settings.all) where !row.option.isEmpty {
            let value = Self.otherValue(of: setting)
            let argument = value == .flag(true) ? [] : [Self.variableText(value)]
            let output = try run(
                ["--check-config", row.option] + argument,
                environment: [ConfigurationFile.pathVariable: folder.file("none")]
            ).output
            #expect(output.contains(EffectiveConfiguration.text([setting.key: value])), "\(row.option): \(output)")
        }
    }

    private static func text(_ value: SettingValue) -> String {
        switch value {
        case .text(""): "\"\""
        case .text(let text): text
        case .flag(let flag): "\(flag)"
        case .number(let number): "\(number)"
        case .texts(let texts): "\(texts)"
        }
    }

    private static func values(of setting: Setting) -> String {
        switch setting.kind {
        case .text: "text"
        case .path(let bound): "an absolute path" + (bound.isOptional ? ", or \"\"" : "")
        case .flag: "true or false"
        case .number(let range): "\(range.lowerBound) to \(range.upperBound)"
        case .word(let words): words.joined(separator: ", ")
        case .texts: "a list"
        }
    }

    /// Returns an accepted value that differs from the default.
    private static func otherValue(of setting: Setting) -> SettingValue {
        switch setting.kind {
        case .text, .path: .text("/other")
        case .flag: .flag(setting.defaultValue != .flag(true))
        case .number(let range):
            .number(setting.defaultValue == .number(range.upperBound) ? range.lowerBound : range.upperBound)
        case .word(let words): .text(setting.defaultValue == .text(words[0]) ? words[1] : words[0])
        case .texts: .texts(["user:0 messages:read", "user:1 administration"])
        }
    }

    private static func variableText(_ value: SettingValue) -> String {
        switch value {
        case .text(let text): text
        case .flag(let flag): "\(flag)"
        case .number(let number): "\(number)"
        case .texts(let texts): texts.joined(separator: ";")
        }
    }
}
