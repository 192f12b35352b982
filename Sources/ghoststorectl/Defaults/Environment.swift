import Glibc

/// The environment variables of the run.
enum Environment {
    /// Returns the value of a variable; `nil` if it is not set or empty.
    static func value(_ name: String) -> String? {
        present(name).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns the value of a variable; `nil` only if it is not set.
    static func present(_ name: String) -> String? {
        if let variables = ProgramRun.current.environment {
            return variables[name]
        }
        return getenv(name).map { String(cString: $0) }
    }
}
