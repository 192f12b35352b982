import Glibc
import StoreBasics
import StoreCrypto
import StoreEngine
import Synchronization

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
    /// 0 while the store is not open.
    var compactedThroughRevision: UInt64 = 0
    /// `nil` while the store is not open.
    var history: HistoryID?
    var databaseBytes: UInt64 = 0
    var walBytes: UInt64 = 0
    var journalBytes: UInt64 = 0
    /// 0 while the store is not open.
    var revisionsMissing: UInt64 = 0
    /// Empty while the store is not open.
    var fileAreas: [FileAreaUsage] = []
    var residentBytes: UInt64 = 0
    var processID: UInt32 = 0
    var stateDirectory = ""
    /// Empty unless they were asked for.
    var clients: [ConnectedClient] = []
}

/// What get_status and get_metrics answer.
extension ServerContext {
    /// Answered in every state of the store; costs a few system calls.
    func statusReport() -> StatusReport {
        let versions = engine.versions
        let storage = engine.storage()
        var report = StatusReport()
        report.serverVersion = ProjectVersion.text
        report.state = engine.state
        report.sqlCipherVersion = versions.sqlCipher
        report.sqliteVersion = versions.sqlite
        report.libsodiumVersion = versions.libsodium
        report.schemaVersion = UInt32(clamping: versions.schema)
        report.isMemoryLocked = SodiumRuntime.isMemoryLockable
        report.uptimeMilliseconds = uptimeMilliseconds
        report.connectionCount = registry.total
        let statistics = try? engine.statistics()
        report.revision = statistics?.revision ?? 0
        report.compactedThroughRevision = statistics?.compactedThroughRevision ?? 0
        report.history = statistics?.history
        report.databaseBytes = UInt64(clamping: storage.databaseBytes)
        report.walBytes = UInt64(clamping: storage.walBytes)
        report.journalBytes = UInt64(clamping: storage.journalBytes)
        report.revisionsMissing = storage.missingRevisions
        report.fileAreas = engine.fileUsage
        report.residentBytes = ProcessMemory.residentBytes
        report.processID = UInt32(clamping: getpid())
        report.stateDirectory = engine.stateDirectory
        return report
    }

    func metricsText(_ format: MetricsText.Format) -> String {
        MetricsReport(
            totals: metrics.snapshot, status: statusReport(), watches: hub.watcherCount, memory: memoryBudget.figures,
            writing: engine.writeCounts, audit: audit.counts, statistics: try? engine.statistics(),
            replica: (try? replicaReader.withLock { try $0.replicaStatus() }) ?? nil,
            newestBackupAt: engine.newestBackupAt, now: .now
        ).text(format)
    }
}

/// This process' memory as the kernel tells it (proc(5), /proc/[pid]/statm).
enum ProcessMemory {
    /// 0 when it cannot be read.
    static var residentBytes: UInt64 {
        let descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return 0 }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 128)
        let count = (try? buffer.withUnsafeMutableBytes { try FileDescriptorCalls.read(descriptor, into: $0) }) ?? 0
        let fields = String(decoding: buffer.prefix(count), as: UTF8.self).split(separator: " ")
        guard fields.count > 1, let pages = UInt64(fields[1]) else { return 0 }
        return pages * UInt64(clamping: sysconf(Int32(_SC_PAGESIZE)))
    }
}
