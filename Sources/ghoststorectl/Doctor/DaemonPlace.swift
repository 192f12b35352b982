import Glibc
import YAMLReading

/// The daemon that the doctor checks, with the paths of its files.
struct DaemonPlace {
    enum Kind {
        /// The daemon that systemd runs for the whole machine.
        case system
        /// The daemon that systemd runs for this user.
        case user
        /// A daemon at another socket.
        case other
    }

    private static let systemSocket = "/run/ghoststore/socket"
    private static let configurationBytesMax = 1 << 20

    let kind: Kind
    let socketPath: String
    /// The values of the daemon's configuration file that are single texts, by key.
    private var settings: [String: String] = [:]

    /// - Parameter configuration: The path of the daemon's configuration file. If it is given, the file must exist.
    init(socket: String?, configuration: String?) throws(CommandFailure) {
        let userSocket = Environment.value("XDG_RUNTIME_DIR").map { "\($0)/ghoststore/socket" }
        let named = socket ?? Environment.value("GHOSTSTORE_SOCKET") ?? ClientDefaults.current.socket
        let isUserThere = userSocket.map { access($0, F_OK) == 0 } ?? false
        socketPath = named ?? (isUserThere ? userSocket ?? Self.systemSocket : Self.systemSocket)
        kind = socketPath == Self.systemSocket ? .system : socketPath == userSocket ? .user : .other
        let folder = Environment.value("XDG_CONFIG_HOME") ?? Environment.value("HOME").map { "\($0)/.config" }
        let standard: String? =
            switch kind {
            case .system: "/etc/ghoststore/ghoststored.yaml"
            case .user: folder.map { "\($0)/ghoststore/ghoststored.yaml" }
            case .other: nil
            }
        if let configuration {
            settings = try Self.texts(configuration)
        } else if let standard, access(standard, R_OK) == 0 {
            settings = try Self.texts(standard)
        }
    }

    private static func texts(_ path: String) throws(CommandFailure) -> [String: String] {
        let bytes = try InputFile(path).readAll(bytesMax: configurationBytesMax)
        var texts: [String: String] = [:]
        let document = YAMLEntries(bytes)
        if let problem = document.problems.first {
            throw CommandFailure(.configuration, "\(path):\(problem.line): \(problem.cause)")
        }
        for entry in document.entries {
            if case .scalar(let text, _) = entry.value {
                texts[entry.key] = text
            }
        }
        return texts
    }

    /// The state directory that the daemon reported; `nil` as long as the daemon has not answered.
    var reportedStateDirectory: String?

    /// The state directory; `nil` if it is unknown.
    var stateDirectory: String? {
        if let path = reportedStateDirectory ?? settings["state_directory"] {
            return path
        }
        switch kind {
        case .system: return "/var/lib/ghoststore"
        case .user:
            return (Environment.value("XDG_STATE_HOME") ?? Environment.value("HOME").map { "\($0)/.local/state" })
                .map { "\($0)/ghoststore" }
        case .other: return nil
        }
    }

    /// The key file that opens the store without a person; `nil` if the daemon uses no key file.
    var keyFile: String? {
        settings["key_file"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The trusted group; `nil` if the daemon trusts no group.
    var trustedGroup: String? {
        let name = settings["trusted_group"] ?? "ghoststore"
        return name.isEmpty ? nil : name
    }

    /// The start of a systemctl command in the advice of a finding.
    var systemctl: String {
        kind == .user ? "systemctl --user" : "sudo systemctl"
    }

    /// The start of a journalctl command in the advice of a finding.
    var journalctl: String {
        kind == .user ? "journalctl --user" : "sudo journalctl"
    }

    /// The command that repeats the check as root, who can read everything. sudo drops the environment, so the command
    /// contains the path of the socket.
    var doctorAsRoot: String {
        "sudo ghoststorectl doctor" + socketOption
    }

    /// The option `--socket` with its value, after a space; empty for the system's socket.
    var socketOption: String {
        kind == .system ? "" : " --socket \(socketPath.shellWord)"
    }

    /// The commands that stop the daemon and copy the state directory before any repair. Without units, the person must
    /// stop the daemon. If the directory is unknown, the value is the command that shows the manual, which says how to
    /// find the directory.
    var copyOfState: String {
        let stop = kind == .other ? "" : "\(systemctl) stop ghoststored.socket ghoststored.service; "
        guard let path = stateDirectory else { return "man ghoststored" }
        let copy = "cp -a \(path.shellWord) \(path.shellWord).$(date +%s)"
        return stop + (kind == .system ? "sudo " : "") + copy
    }

    /// The command that shows the last lines of the daemon's log in the journal. For a daemon at another socket, whose
    /// log may be anywhere, it is the command that shows the state of the store.
    var logOfDaemon: String {
        kind == .other ? "ghoststorectl status\(socketOption)" : "\(journalctl) -u ghoststored -p warning -n 20"
    }
}
