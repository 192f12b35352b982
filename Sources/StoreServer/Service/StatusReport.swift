internal import StoreEngine

/// What get_status tells, whatever state the store is in.
struct StatusReport: Sendable, Hashable {
    var serverVersion = ""
    var state: StoreState = .absent
    var sqlCipherVersion = ""
    var sqliteVersion = ""
    var libsodiumVersion = ""
    var schemaVersion: UInt32 = 0
    var isMemoryLocked = false
    var uptimeMilliseconds: UInt64 = 0
    var connectionCount = 0
    /// 0 while the store is not open.
    var revision: UInt64 = 0
    var databaseBytes: UInt64 = 0
    var walBytes: UInt64 = 0
    /// 0 while the store is not open.
    var walFramesIgnored: UInt64 = 0
    var residentBytes: UInt64 = 0
    var processID: UInt32 = 0
}
