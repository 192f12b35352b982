import GhostTestSupport
import TestBasics
import Testing

extension Control {
    /// Runs a command whose output is a terminal and whose input is empty.
    func onTerminal(
        _ command: String, columns: Int = 80, environment: [String: String] = [:]
    ) async throws -> String {
        let script = "script -qec \"stty cols \(columns); $CTL \(command)\" /dev/null < /dev/null"
        let terminal = ["TERM": "xterm", "GHOSTSTORE_PAGER": ""].merging(environment) { _, new in new }
        return try await shell(script, environment: terminal).output
    }

    /// Runs a command on a terminal and types answers. Each answer is typed only after its prompt has appeared.
    ///
    /// - Parameters:
    ///   - command: the arguments of the program, and further text of the terminal's shell command.
    ///   - dialog: prompts to wait for, each with the answer to type.
    func onTerminal(
        _ command: String, columns: Int = 80, _ dialog: [(prompt: String, answer: String)],
        environment: [String: String] = [:]
    ) async throws -> ProgramResult {
        let directory = try TemporaryDirectory()
        var script = """
            cd '\(directory.path)'; mkfifo in
            run="stty cols \(columns); env --default-signal=INT,QUIT $CTL \(command)"
            script -qefc "$run" /dev/null < in > out & terminal=$!
            exec 3> in
            seen() {
                for i in $(seq 1000); do [ "$(grep -c "$1" out)" -ge "$2" ] && return; sleep 0.01; done
                echo "no $1"; exit 99
            }

            """
        var counts: [String: Int] = [:]
        for step in dialog {
            // A prompt may appear more than once, each time on a new line.
            counts[step.prompt, default: 0] += 1
            script += "seen '\(step.prompt)' \(counts[step.prompt, default: 0]); "
            script += "printf '\(step.answer)' >&3\n"
        }
        script += "wait $terminal; status=$?; exec 3>&-; cat out; exit $status"
        return try await shell(script, environment: environment)
    }
}
