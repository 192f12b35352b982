import Glibc

/// Runs system programs that report the state of this machine.
enum HostProgram {
    /// Returns what a command prints; `nil` if the program does not exist, fails or takes more than five seconds.
    ///
    /// - Parameter command: The shell command. It is a static string, so that no part of it comes from input.
    static func output(of command: StaticString) -> String? {
        guard let stream = popen("timeout 5 \(command) 2>/dev/null </dev/null", "r") else { return nil }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4_096)
        while case let count = fread(&piece, 1, piece.count, stream), count > 0 {
            bytes += piece.prefix(count)
        }
        return pclose(stream) == 0 ? String(decoding: bytes, as: UTF8.self) : nil
    }
}

/// The properties that systemd reports about the daemon's units.
struct UnitFacts {
    private let properties: [[String: String]]

    /// Reads the properties; `nil` if systemd does not run or does not answer.
    init?(_ kind: DaemonPlace.Kind) {
        let output: String? =
            switch kind {
            case .system:
                HostProgram.output(
                    of: """
                        systemctl show ghoststored.service ghoststored.socket ghoststore-backup.timer \
                        --property=Id,LoadState,ActiveState,UnitFileState,NeedDaemonReload
                        """)
            case .user:
                HostProgram.output(
                    of: """
                        systemctl --user show ghoststored.service ghoststored.socket ghoststore-backup.timer \
                        --property=Id,LoadState,ActiveState,UnitFileState,NeedDaemonReload
                        """)
            case .other: nil
            }
        guard let output else { return nil }
        properties = output.split(separator: "\n\n").map { block in
            Dictionary(
                block.split(separator: "\n").compactMap { line in
                    let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                    return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
                }, uniquingKeysWith: { first, _ in first })
        }
    }

    /// Returns a property; empty if the unit does not have it.
    func value(_ name: String, of unit: String) -> String {
        properties.first { $0["Id"] == unit }?[name] ?? ""
    }

    func isEnabled(_ unit: String) -> Bool {
        ["enabled", "enabled-runtime", "static", "linked"].contains(value("UnitFileState", of: unit))
    }

    func isActive(_ unit: String) -> Bool {
        ["active", "activating", "reloading"].contains(value("ActiveState", of: unit))
    }
}

extension String {
    /// The text quoted as one word of a shell command (sh(1)).
    var shellWord: String {
        let isPlain =
            !isEmpty
            && utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "_"),
                    UInt8(ascii: "-"):
                    true
                default: false
                }
            }
        guard !isPlain else { return self }
        var word = "'".unicodeScalars
        for scalar in unicodeScalars {
            word.append(contentsOf: scalar == "'" ? "'\\''".unicodeScalars : String(scalar).unicodeScalars)
        }
        word.append("'")
        return String(word)
    }
}
