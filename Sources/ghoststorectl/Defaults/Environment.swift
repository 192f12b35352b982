import Glibc

/// The environment of the run.
enum Environment {
    /// `nil` when it is not set, or empty.
    static func value(_ name: String) -> String? {
        present(name).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The same where an empty text means something.
    static func present(_ name: String) -> String? {
        if let variables = ProgramRun.current.environment {
            return variables[name]
        }
        return getenv(name).map { String(cString: $0) }
    }
}
