import ReplicaTransport
import YAMLReading

/// The values of a configuration file, checked against the known settings.
struct SyncConfigurationFile: Sendable {
    static let standardPath = "/etc/ghoststore/ghoststore-sync.yaml"

    private let path: String
    private var values: [SyncSetting: SyncSetting.Value] = [:]
    /// The line number of each setting in the file, also of settings with invalid values.
    private var lines: [SyncSetting: Int] = [:]
    /// The errors with their lines, in the order of the file.
    private(set) var problems: [String] = []

    init(_ bytes: [UInt8], path: String) {
        self.path = path
        let document = YAMLEntries(bytes)
        var found = document.problems.map { ($0.line, $0.cause) }
        for entry in document.entries {
            guard let setting = SyncSetting(rawValue: entry.key) else {
                found.append(
                    (entry.line, "there is no setting '\(entry.key)': ghoststore-sync.yaml(5) lists all settings"))
                continue
            }
            lines[setting] = entry.line
            if let value = setting.value(from: entry.value) {
                values[setting] = value
            } else {
                found += setting.problems(of: entry)
            }
        }
        problems = found.sorted { $0.0 < $1.0 }.map { "\(path):\($0.0): \($0.1)" }
    }

    /// - Parameter isRequired: if false, a missing file means the defaults.
    init(reading path: String, isRequired: Bool) {
        do throws(YAMLFile.Problem) {
            self.init(
                try YAMLFile.read(path, isRequired: isRequired, ownedBy: "the agent's user") ?? [], path: path)
        } catch {
            self.init([], path: path)
            problems = ["\(path): \(error.cause)"]
        }
    }

    /// Returns the location of a setting in the file, as the beginning of an error message; empty if the file does not
    /// contain the setting.
    func place(_ setting: SyncSetting) -> String {
        lines[setting].map { "\(path):\($0): " } ?? ""
    }

    /// Returns true if the file contains the setting with an invalid value.
    func isMalformed(_ setting: SyncSetting) -> Bool {
        lines[setting] != nil && values[setting] == nil
    }

    func text(_ setting: SyncSetting) -> String {
        if case .text(let text) = value(setting) { text } else { "" }
    }

    func number(_ setting: SyncSetting) -> Int {
        if case .number(let number) = value(setting) { number } else { 0 }
    }

    func flag(_ setting: SyncSetting) -> Bool {
        value(setting) == .flag(true)
    }

    func texts(_ setting: SyncSetting) -> [String] {
        if case .texts(let texts) = value(setting) { texts } else { [] }
    }

    func value(_ setting: SyncSetting) -> SyncSetting.Value {
        values[setting] ?? setting.defaultValue
    }
}

extension SyncSetting {
    /// Returns the typed value; `nil` if the value is invalid for the setting. Quoted scalars are always text.
    fileprivate func value(from value: YAMLEntry.Value) -> Value? {
        switch (kind, value) {
        case (.path(let isOptional), .scalar(let text, let isPlain)):
            if text.isEmpty { return isOptional && !isPlain ? .text("") : nil }
            return text.hasPrefix("/") && !text.utf8.contains(0) && text.utf8.count < 4_096 ? .text(text) : nil
        case (.word(let words), .scalar(let text, _)): return words.contains(text) ? .text(text) : nil
        case (.name, .scalar(let text, _)): return StreamSettings.isUsableName(text) ? .text(text) : nil
        case (.flag, .scalar("true", isPlain: true)): return .flag(true)
        case (.flag, .scalar("false", isPlain: true)): return .flag(false)
        case (.number(let range), .scalar(let text, isPlain: true)):
            guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
            return Int(text).flatMap { range.contains($0) ? .number($0) : nil }
        case (.addresses, .list(let items)):
            let texts = items.map(\.text)
            return texts.allSatisfy(Self.isAddress) ? .texts(texts) : nil
        case (.path, .list), (.word, .list), (.name, .list), (.flag, _), (.number, _), (.addresses, .scalar):
            return nil
        }
    }

    /// Returns the errors of an invalid value. An address is identified by its index and is not shown, because it may
    /// contain a password.
    fileprivate func problems(of entry: YAMLEntry) -> [(Int, String)] {
        guard case .addresses = kind, case .list(let items) = entry.value else {
            return [(entry.line, "\(rawValue) is not \(expectation)")]
        }
        return items.enumerated().filter { !Self.isAddress($0.element.text) }.map { index, item in
            let cause =
                item.text.contains("@")
                ? "contains a name or a password; put them into nats.credentials_file"
                : "is not an address such as tls://host:4222"
            return (item.line, "address \(index + 1) of \(rawValue) \(cause)")
        }
    }

    /// Returns true for a valid address. It must have a scheme, so that a missing encryption is explicit, and no
    /// password, because other users can read the configuration file.
    private static func isAddress(_ text: String) -> Bool {
        ["nats://", "tls://"].contains { text.hasPrefix($0) && text.utf8.count > $0.utf8.count }
            && !text.contains("@") && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }
}
