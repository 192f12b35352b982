/// Something that is wrong in the configuration, and where.
struct ConfigurationProblem: Hashable {
    enum Place: Hashable {
        /// Without a line: the file as a whole.
        case file(path: String, line: Int?)
        case variable(String)
        case commandLine
    }

    let place: Place
    /// Lower case, cause first, then a hint.
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
    /// - Parameter problems: at least one; each becomes a line, those of the file in its order.
    init(_ exitCode: ExitCode, _ problems: [ConfigurationProblem]) {
        let sorted = problems.enumerated().sorted { ($0.element.order, $0.offset) < ($1.element.order, $1.offset) }
        self.init(exitCode, sorted.map(\.element.description).joined(separator: "\n"))
    }
}

extension ConfigurationProblem {
    /// By line; what is of no file comes behind.
    fileprivate var order: Int {
        switch place {
        case .file(_, let line): line ?? 0
        case .variable, .commandLine: .max
        }
    }
}
