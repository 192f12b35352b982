import Glibc
import StoreBasics
import StoreCrypto
import StoreEngine
import StoreProtocol
import SwiftProtobuf
import Synchronization

/// The answer of get_status, which is available in every state of the store.
struct StatusReport: Sendable {
    /// The fields about the store are empty while the store is not open. The clients are included only on request.
    var wire = WireStatus()
    var state = StoreState.absent
    var fileAreas: [FileAreaUsage] = []
}

extension ServerContext {
    /// Returns the status in any state of the store. It costs a few system calls.
    func statusReport() -> StatusReport {
        let versions = engine.versions
        let storage = engine.storage()
        let statistics = try? engine.statistics()
        let (state, fileAreas) = (engine.state, engine.fileUsage)
        let message = WireStatus.with {
            $0.serverVersion = ProjectVersion.text
            $0.protocolVersion = ProtocolVersion.current
            ($0.storeState, $0.storeStateMessage) = state.wire
            $0.sqlcipherVersion = versions.sqlCipher
            $0.sqliteVersion = versions.sqlite
            $0.libsodiumVersion = versions.libsodium
            $0.schemaVersion = UInt32(clamping: versions.schema)
            $0.isMemoryLocked = SodiumRuntime.isMemoryLockable
            $0.uptimeMilliseconds = uptimeMilliseconds
            $0.connectionCount = UInt32(clamping: registry.total)
            $0.revision = statistics?.revision ?? 0
            $0.compactedThroughRevision = statistics?.compactedThroughRevision ?? 0
            $0.historyID = wire(statistics?.history)
            $0.databaseBytes = UInt64(clamping: storage.databaseBytes)
            $0.walBytes = UInt64(clamping: storage.walBytes)
            $0.journalBytes = UInt64(clamping: storage.journalBytes)
            $0.revisionsMissing = storage.missingRevisions
            $0.residentBytes = ProcessMemory.residentBytes
            $0.processID = UInt32(clamping: getpid())
            $0.stateDirectory = engine.stateDirectory
            $0.fileAreas = fileAreas.map { WireFileAreaUsage($0) }
        }
        return StatusReport(wire: message, state: state, fileAreas: fileAreas)
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

/// The memory of this process as the kernel reports it (proc(5), /proc/[pid]/statm).
enum ProcessMemory {
    /// The resident memory in bytes; 0 if it cannot be read.
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
