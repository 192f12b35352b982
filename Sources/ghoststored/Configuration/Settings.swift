import Configuration
import Glibc
import ServiceSupport
import StoreServer

/// All keys of the configuration. config/ghoststored.yaml describes each for people and contains exactly these
/// defaults.
enum Settings {
    static let stateDirectory = Setting.path("state_directory", PathBound(isOptional: false), "/var/lib/ghoststore")
    static let socket = Setting.path(
        "socket", PathBound(isOptional: false, bytesMax: ListeningSocket.pathBytesMax), "/run/ghoststore/socket")
    static let connectGroup = Setting.text("connect_group", default: "")
    static let trustedGroup = Setting.text("trusted_group", default: "ghoststore")
    static let keyFile = Setting.path("key_file", PathBound(isOptional: true), "")
    static let createStore = Setting.flag("create_store", default: false)
    static let autoLockSeconds = Setting.number("auto_lock_seconds", Bound(default: 0, in: 0...(7 * 86_400)))
    static let requireLockedMemory = Setting.flag("require_locked_memory", default: false)
    static let allowLowCostKeys = Setting.flag("allow_low_cost_keys", default: false)
    static let logLevel = Setting.word("log_level", of: LogLevelControl.names, default: "info")
    static let accessRules = Setting.texts("access.rules", default: [])

    static let attachmentCacheBytes = Setting.number("attachments.cache_bytes", Bound(default: 0, in: 0...(1 << 50)))
    static let fileCacheBytes = Setting.number("files.cache_bytes", Bound(default: 0, in: 0...(1 << 50)))
    static let fileTemporaryBytes = Setting.number("files.temporary_bytes", Bound(default: 0, in: 0...(1 << 50)))

    /// A limit of the server, and the field that stores its value.
    struct Limit: Sendable {
        let setting: Setting
        let field: any WritableKeyPath<ServerConfiguration, Int> & Sendable

        init(_ name: String, _ bound: Bound, _ field: any WritableKeyPath<ServerConfiguration, Int> & Sendable) {
            setting = .number("limits." + name, bound)
            self.field = field
        }
    }

    static let limits = [
        Limit("frame_bytes_max", ServerLimits.frameBytesMax, \.frameBytesMax),
        Limit("connections_max", ServerLimits.connectionsMax, \.connectionsMax),
        Limit("stranger_timeout_seconds", ServerLimits.strangerTimeoutSeconds, \.strangerTimeoutSeconds),
        Limit("memory_bytes_max", ServerLimits.memoryBytesMax, \.memoryBytesMax),
        Limit("requests_in_flight_max", ServerLimits.requestsInFlightMax, \.requestsInFlightMax),
        Limit("request_bytes_in_flight_max", ServerLimits.requestBytesInFlightMax, \.requestBytesInFlightMax),
        Limit("answer_bytes_pending_max", ServerLimits.answerBytesPendingMax, \.answerBytesPendingMax),
        Limit("partial_frame_timeout_seconds", ServerLimits.partialFrameTimeoutSeconds, \.partialFrameTimeoutSeconds),
        Limit("answer_timeout_seconds", ServerLimits.answerTimeoutSeconds, \.answerTimeoutSeconds),
        Limit("watches_max", ServerLimits.watchesMax, \.watchesMax),
        Limit("watches_per_connection_max", ServerLimits.watchesPerConnectionMax, \.watchesPerConnectionMax),
        Limit("watch_backlog_bytes_max", ServerLimits.watchBacklogBytesMax, \.watchBacklogBytesMax),
        Limit("event_loop_threads", ServerLimits.eventLoopThreads, \.eventLoopThreads),
        Limit("reader_threads", ServerLimits.readerThreads, \.readerThreads),
        Limit("drain_timeout_seconds", ServerLimits.drainTimeoutSeconds, \.drainTimeoutSeconds),
    ]

    static let all: [Setting] =
        [
            stateDirectory, socket, connectGroup, trustedGroup, keyFile, createStore, autoLockSeconds,
            requireLockedMemory, allowLowCostKeys, logLevel, accessRules, attachmentCacheBytes,
            fileCacheBytes, fileTemporaryBytes,
        ] + limits.map(\.setting)

    /// The variables of client programs. A service manager or a shell may pass them to the daemon as well.
    static let clientVariables: Set = ["GHOSTSTORE_SOCKET"]

    /// The variables that only ghoststorectl reads (docs/man/ghoststorectl.1.mdoc lists them). The daemon ignores them
    /// without a warning.
    static let controlVariables: Set = ["GHOSTSTORE_FORMAT", "GHOSTSTORE_PAGER", "GHOSTSTORE_TIMES"]

    static let byKey = Dictionary(uniqueKeysWithValues: all.map { ($0.key, $0) })
}

/// One key of the configuration, with its type, limits and default.
struct Setting: Sendable {
    enum Kind: Sendable {
        case text
        case path(PathBound)
        case flag
        case number(ClosedRange<Int>)
        /// One of the listed words.
        case word([String])
        case texts
    }

    /// The path from the top of the file, such as `limits.frame_bytes_max`.
    let key: String
    let kind: Kind
    let defaultValue: SettingValue

    private init(_ key: String, _ kind: Kind, _ defaultValue: SettingValue) {
        self.key = key
        self.kind = kind
        self.defaultValue = defaultValue
    }

    static func text(_ key: String, default value: String) -> Setting {
        Setting(key, .text, .text(value))
    }

    static func path(_ key: String, _ bound: PathBound, _ value: String) -> Setting {
        Setting(key, .path(bound), .text(value))
    }

    static func flag(_ key: String, default value: Bool) -> Setting {
        Setting(key, .flag, .flag(value))
    }

    static func number(_ key: String, _ bound: Bound) -> Setting {
        Setting(key, .number(bound.range), .number(bound.defaultValue))
    }

    static func word(_ key: String, of words: [String], default value: String) -> Setting {
        Setting(key, .word(words), .text(value))
    }

    static func texts(_ key: String, default value: [String]) -> Setting {
        Setting(key, .texts, .texts(value))
    }

    /// The name of the variable that overrides the key, such as `GHOSTSTORE_LIMITS_FRAME_BYTES_MAX`. If a variable of
    /// client programs has this name, no variable overrides the key.
    var environmentName: String {
        "GHOSTSTORE_" + key.uppercased().map { $0 == "." ? "_" : String($0) }.joined()
    }

    var absoluteKey: AbsoluteConfigKey {
        AbsoluteConfigKey(["ghoststore"] + key.split(separator: ".").map(String.init))
    }

    var configType: ConfigType {
        switch kind {
        case .text, .path, .word: .string
        case .flag: .bool
        case .number: .int
        case .texts: .stringArray
        }
    }

    /// Returns a description of the error in a value of the right type; `nil` if the value is valid.
    func problem(with value: SettingValue) -> String? {
        switch (kind, value) {
        case (.number(let range), .number(let number)) where !range.contains(number):
            "\(key) is \(number), expected \(range.lowerBound) to \(range.upperBound)"
        case (.word(let words), .text(let text)) where !words.contains(text):
            "\(key) is '\(text)', expected one of \(words.joined(separator: ", "))"
        case (_, .text(let text)) where text.utf8.contains(0):
            "\(key) contains a NUL byte"
        case (.path(let bound), .text(let text)):
            bound.problem(with: text).map { "\(key) \($0)" }
        default: nil
        }
    }
}

/// The requirements for a path in the configuration. The path must be absolute, because the daemon may run in any
/// working directory.
struct PathBound: Sendable, Hashable {
    /// True if the path may be empty.
    let isOptional: Bool
    let bytesMax: Int

    init(isOptional: Bool, bytesMax: Int = Int(PATH_MAX) - 1) {
        self.isOptional = isOptional
        self.bytesMax = bytesMax
    }

    var expectation: String {
        "an absolute path, which begins with /" + (isOptional ? ", or \"\" for none" : "")
    }

    /// Returns a description of the error in a path; `nil` if the path is valid.
    func problem(with path: String) -> String? {
        if path.isEmpty {
            return isOptional ? nil : "is empty, expected \(expectation)"
        }
        guard path.hasPrefix("/") else { return "is '\(path)', expected \(expectation)" }
        let bytes = path.utf8.count
        return bytes > bytesMax ? "has \(bytes) bytes, expected at most \(bytesMax), the limit of the system" : nil
    }
}

enum SettingValue: Sendable, Hashable {
    case text(String)
    case flag(Bool)
    case number(Int)
    case texts([String])

    init?(_ content: ConfigContent) {
        switch content {
        case .string(let text): self = .text(text)
        case .bool(let flag): self = .flag(flag)
        case .int(let number): self = .number(number)
        case .stringArray(let texts): self = .texts(texts)
        case .double, .bytes, .intArray, .doubleArray, .boolArray, .byteChunkArray: return nil
        }
    }

    var configValue: ConfigValue {
        switch self {
        case .text(let text): ConfigValue(.string(text), isSecret: false)
        case .flag(let flag): ConfigValue(.bool(flag), isSecret: false)
        case .number(let number): ConfigValue(.int(number), isSecret: false)
        case .texts(let texts): ConfigValue(.stringArray(texts), isSecret: false)
        }
    }
}
