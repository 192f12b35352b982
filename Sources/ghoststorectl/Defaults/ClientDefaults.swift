import Glibc
import StoreBasics
import Synchronization

/// The values of options that are not given. They come from variables of the environment, or else from the
/// configuration file.
struct ClientDefaults: Sendable {
    enum Times: String, CaseIterable {
        case local
        case utc
    }

    var socket: String?
    var format: OutputFormat?
    var pager: String?
    var times: Times?
    var isWide = false
    var showsProgress = true
    /// True if lists print names only.
    var isQuiet = false
    var hasPager = true
    /// The timeout of each command of a shell.
    var timeout: Duration?

    /// The defaults of the current run.
    static var current: ClientDefaults {
        ProgramRun.current.defaults.withLock { $0 }
    }

    /// Reads the defaults and stores them for the current run. Called once, before a command runs.
    static func load() throws(CommandFailure) {
        let defaults = try read()
        ProgramRun.current.defaults.withLock { $0 = defaults }
    }

    static func read() throws(CommandFailure) -> ClientDefaults {
        var defaults = try ClientDefaultsFile.path.map(ClientDefaultsFile.read) ?? ClientDefaults()
        if let format = Environment.value("GHOSTSTORE_FORMAT") {
            defaults.format = try word(format, "GHOSTSTORE_FORMAT")
        }
        if let times = Environment.value("GHOSTSTORE_TIMES") {
            defaults.times = try word(times, "GHOSTSTORE_TIMES")
        }
        if let socket = Environment.value("GHOSTSTORE_SOCKET") {
            defaults.socket = socket
        }
        ShellContext.current?.defaults(&defaults)
        return defaults
    }

    private static func word<Word: RawRepresentable<String> & CaseIterable>(
        _ text: String, _ variable: String
    ) throws(CommandFailure) -> Word {
        guard let word = Word(rawValue: text) else {
            let known = Word.allCases.map(\.rawValue).joined(separator: ", ")
            throw CommandFailure(
                .configuration, "the environment variable \(variable) is '\(text)'; hint: one of \(known)")
        }
        return word
    }
}
