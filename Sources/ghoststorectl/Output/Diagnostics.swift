import Glibc
import StoreBasics
import Synchronization

/// Writes lines to standard error: warnings and the reason of a failure. They are never written to standard output,
/// which scripts read. For programs, each line is a JSON object.
enum Diagnostics {
    /// Chooses between JSON and plain text for all later lines. Must be called before a command writes anything.
    static func useJSON(_ isWanted: Bool) {
        ProgramRun.current.asksForJSON.store(isWanted, ordering: .relaxed)
    }

    static var isForPrograms: Bool {
        ProgramRun.current.asksForJSON.load(ordering: .relaxed)
    }

    /// Writes information for people. If JSON was chosen, writes it as an object with the field `notice`.
    static func write(_ text: String) {
        say(text, kind: "notice")
    }

    /// Writes an object with information for programs.
    static func write(_ object: JSONObject) {
        line(object.closed)
    }

    static func warn(_ text: String) {
        say(text, kind: "warning")
    }

    /// Writes the list of commands, for a command line that lacks a command. Writes nothing if JSON was chosen, and
    /// nothing in `ghoststorectl shell`: the shell may read a script, and reports each failed line in a single line.
    static func showCommands(_ text: String) {
        guard !isForPrograms, ShellContext.current == nil else { return }
        line(text)
    }

    /// Writes the reason why the program ends.
    static func write(_ failure: CommandFailure) {
        guard isForPrograms else { return write(failure.line) }
        var object: JSONObject = ["exit_status": failure.status.rawValue, "message": failure.message]
        object.add("code", ifPresent: failure.answer?.code)
        object.add("reason", ifPresent: failure.answer?.reason)
        line((["error": object] as JSONObject).closed)
    }

    /// Returns the line of a notice with its newline.
    static func notice(_ text: String) -> String {
        formed(text, kind: "notice") + "\n"
    }

    private static func say(_ text: String, kind: String) {
        line(formed(text, kind: kind))
    }

    private static func formed(_ text: String, kind: String) -> String {
        guard !isForPrograms else { return ([kind: text] as JSONObject).closed }
        let lines = DisplayText.neutralizedLines("ghoststorectl: " + (kind == "warning" ? "warning: " : "") + text)
        return lines.map(fitted).joined(separator: "\n  ")
    }

    /// Wraps a line at words, because a terminal would break it within words.
    private static func fitted(_ line: String) -> String {
        guard let columns = Terminal(descriptor: ProgramRun.current.errors)?.columns,
            DisplayWidth.columns(line) > columns
        else { return line }
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        return TextFill.lines(words, columns: columns, indent: 2).joined(separator: "\n")
    }

    private static func line(_ text: String) {
        try? FileDescriptorCalls.write(ProgramRun.current.errors, Array((text + "\n").utf8))
    }
}
