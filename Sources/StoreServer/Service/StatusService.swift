internal import Glibc
internal import StoreCrypto
internal import StoreEngine

extension ServerContext {
    /// Answered in every state of the store; costs a few system calls.
    func statusReport() -> StatusReport {
        let versions = engine.versions
        let storage = engine.storage()
        var report = StatusReport()
        report.serverVersion = configuration.versionText
        report.state = engine.state
        report.sqlCipherVersion = versions.sqlCipher
        report.sqliteVersion = versions.sqlite
        report.libsodiumVersion = versions.libsodium
        report.schemaVersion = UInt32(clamping: versions.schema)
        report.isMemoryLocked = SodiumRuntime.isMemoryLockable
        report.uptimeMilliseconds = uptimeMilliseconds
        report.connectionCount = registry.total
        report.revision = (try? engine.statistics())?.revision ?? 0
        report.databaseBytes = UInt64(clamping: storage.databaseBytes)
        report.walBytes = UInt64(clamping: storage.walBytes)
        report.walFramesIgnored = UInt64(clamping: storage.ignoredWALFrames)
        report.residentBytes = ProcessMemory.residentBytes
        report.processID = UInt32(clamping: getpid())
        return report
    }

    func metricsText() -> String {
        MetricsReport(
            totals: metrics.snapshot, status: statusReport(), watches: hub.watcherCount,
            memoryBudgetUsedBytes: memoryBudget.usedBytes, statistics: try? engine.statistics()
        ).text
    }
}
