internal import StoreServer

/// Every key there is. config/ghoststored.yaml describes each for people and holds exactly these defaults.
enum Settings {
    static let stateDirectory = Setting.text("state_directory", default: "/var/lib/ghoststore")
    static let socket = Setting.text("socket", default: "/run/ghoststore/socket")
    static let socketGroup = Setting.text("socket_group", default: "ghoststore")
    static let keyFile = Setting.text("key_file", default: "")
    static let createStore = Setting.flag("create_store", default: false)
    static let autoLockSeconds = Setting.number("auto_lock_seconds", Bound(default: 0, in: 0...(7 * 86_400)))
    static let requireLockedMemory = Setting.flag("require_locked_memory", default: false)
    static let allowLowCostKeys = Setting.flag("allow_low_cost_keys", default: false)
    static let logLevel = Setting.word("log_level", of: LogLevelName.all, default: "info")
    static let accessRules = Setting.texts("access.rules", default: [])

    /// A bound of the server and where its value goes.
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
        Limit("connections_per_user_max", ServerLimits.connectionsPerUserMax, \.connectionsPerUserMax),
        Limit("requests_in_flight_max", ServerLimits.requestsInFlightMax, \.requestsInFlightMax),
        Limit("request_bytes_in_flight_max", ServerLimits.requestBytesInFlightMax, \.requestBytesInFlightMax),
        Limit("answer_bytes_pending_max", ServerLimits.answerBytesPendingMax, \.answerBytesPendingMax),
        Limit("partial_frame_timeout_seconds", ServerLimits.partialFrameTimeoutSeconds, \.partialFrameTimeoutSeconds),
        Limit("answer_timeout_seconds", ServerLimits.answerTimeoutSeconds, \.answerTimeoutSeconds),
        Limit("watches_per_connection_max", ServerLimits.watchesPerConnectionMax, \.watchesPerConnectionMax),
        Limit("watch_backlog_bytes_max", ServerLimits.watchBacklogBytesMax, \.watchBacklogBytesMax),
        Limit("event_loop_threads", ServerLimits.eventLoopThreads, \.eventLoopThreads),
        Limit("reader_threads", ServerLimits.readerThreads, \.readerThreads),
        Limit("drain_timeout_seconds", ServerLimits.drainTimeoutSeconds, \.drainTimeoutSeconds),
    ]

    static let all: [Setting] =
        [
            stateDirectory, socket, socketGroup, keyFile, createStore, autoLockSeconds, requireLockedMemory,
            allowLowCostKeys, logLevel, accessRules,
        ] + limits.map(\.setting)

    static let byKey = Dictionary(uniqueKeysWithValues: all.map { ($0.key, $0) })
}
