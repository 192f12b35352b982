/// An error in the configuration and its location.
struct ConfigurationProblem: Hashable {
    enum Place: Hashable {
        /// A line of the file, or the whole file if `line` is `nil`.
        case file(path: String, line: Int?)
        case variable(String)
        case commandLine
    }

    let place: Place
    /// The text, in lower case: the cause, then a hint.
    let cause: String

    init(_ place: Place, _ cause: String) {
        self.place = place
        self.cause = cause
    }
}

extension ConfigurationProblem: CustomStringConvertible {
    var description: String {
        switch place {
        case .file(let path, let line?): "\(path):\(line): \(cause)"
        case .file(let path, nil): "\(path): \(cause)"
        case .variable(let name): "environment variable \(name): \(cause)"
        case .commandLine: "command line: \(cause)"
        }
    }
}

extension DaemonError {
    /// - Parameter problems: at least one. Each becomes a line, in the order of the file.
    init(_ exitCode: ExitCode, _ problems: [ConfigurationProblem]) {
        let sorted = problems.enumerated().sorted { ($0.element.order, $0.offset) < ($1.element.order, $1.offset) }
        self.init(exitCode, sorted.map(\.element.description).joined(separator: "\n"))
    }
}

extension ConfigurationProblem {
    /// The line number by which errors are sorted. Errors outside the file come last.
    fileprivate var order: Int {
        switch place {
        case .file(_, let line): line ?? 0
        case .variable, .commandLine: .max
        }
    }
}
