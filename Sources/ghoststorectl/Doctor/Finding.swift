import StoreClient

/// The result of one check, with the command that fixes the problem.
struct Finding {
    enum State: String {
        case ok
        /// Useful to know, but no problem.
        case note
        case problem
        /// This user, or this machine, cannot see the state.
        case unknown
    }

    enum Check: String, Worded {
        case configuration
        case units
        case socket
        case groups
        case daemon
        case store
        case loss
        case keyMemory = "key-memory"
        case stateDirectory = "state-directory"
        case keyFile = "key-file"
        case diskSpace = "disk-space"
        case clock
        case backups
        case replication
    }

    let check: Check
    let state: State
    let text: String
    /// The command that fixes the problem; empty if there is nothing to do.
    let command: String

    static func ok(_ check: Check, _ text: String) -> Finding {
        Finding(check: check, state: .ok, text: text, command: "")
    }

    static func note(_ check: Check, _ text: String, mend command: String = "") -> Finding {
        Finding(check: check, state: .note, text: text, command: command)
    }

    static func problem(_ check: Check, _ text: String, mend command: String) -> Finding {
        Finding(check: check, state: .problem, text: text, command: command)
    }

    static func unknown(_ check: Check, _ text: String, mend command: String = "") -> Finding {
        Finding(check: check, state: .unknown, text: text, command: command)
    }
}

extension Finding {
    static let record = RecordForm(name: "check", ["check", "state", "text", "command"])

    var json: JSONObject {
        ["check": check.rawValue, "state": state.rawValue, "text": text, "command": command]
    }

    private static let stateColumns = 9
    private static let checkColumns = 17

    /// Returns the lines of the finding: the state and the check on the left, the text on the right, and below it the
    /// command alone, for copying.
    func lines(_ style: DisplayStyle) -> [String] {
        let columns = style.columnsMax ?? Terminal.columnsDefault
        let indent = Self.stateColumns + Self.checkColumns
        let words = DisplayText.neutralized(text).split(separator: " ").map(String.init)
        let lines = TextFill.lines(words, columns: max(columns - indent, 24))
        let state = state.rawValue + String(repeating: " ", count: Self.stateColumns - state.rawValue.count)
        let check = check.rawValue + String(repeating: " ", count: Self.checkColumns - check.rawValue.count)
        let emphasis = style.showsColor ? emphasis : nil
        let margin = String(repeating: " ", count: indent)
        let first = (emphasis?.applied(to: state) ?? state) + check + lines[0]
        return [first] + lines.dropFirst().map { margin + $0 }
            + (command.isEmpty ? [] : [margin + "$ " + DisplayText.neutralized(command)])
    }

    private var emphasis: Style? {
        switch state {
        case .ok: .dim
        case .note, .unknown: .yellow
        case .problem: .red
        }
    }
}
