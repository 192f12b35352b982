internal import Logging

/// The words of the setting `log_level`.
enum LogLevelName {
    static let all = Logger.Level.allCases.map(\.rawValue)
}
