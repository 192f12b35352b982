import StoreBasics
import StoreEngine
import StoreProtocol
import Synchronization

/// The objects that all event loops of one server share. Every one is safe to use from any thread.
final class ServerContext: Sendable {
    let engine: StoreEngine
    let configuration: ServerConfiguration
    let encoder: ResponseEncoder
    let metrics = ServerMetrics()
    let registry: ConnectionRegistry
    let clients = ConnectedClients()
    let administrationQueue = AdministrationQueue()
    let administration: AdministrationService
    let memoryBudget: MemoryBudget
    let decoding = DecodingQueue()
    let followerPlaces: SharedPlaces
    let hub = WatchHub()
    let audit: AuditLog
    let causedLines: CausedLines
    /// The reader for the metrics of the replica group. All event loops share it, because any of them may produce
    /// metrics.
    let replicaReader: Mutex<StoreReader>
    private let startedAt = MonotonicClock.nanoseconds

    init(
        engine: StoreEngine, configuration: ServerConfiguration, audit: AuditLog = AuditLog(.nobody),
        causedLines: CausedLines = CausedLines()
    ) {
        self.engine = engine
        self.configuration = configuration
        self.audit = audit
        self.causedLines = causedLines
        memoryBudget = MemoryBudget(
            bytesMax: configuration.memoryBytesInForce, excessBytesMax: configuration.excessMemoryBytesMax,
            reservedBytes: configuration.requestMemoryBytesMax, decodingBytesMax: CallLimits.decodingBytesMax)
        encoder = ResponseEncoder(frameBytesMax: configuration.frameBytesMax)
        registry = ConnectionRegistry(connectionsMax: configuration.connectionsMax)
        followerPlaces = SharedPlaces(configuration.watchesMax)
        administration = AdministrationService(engine: engine)
        replicaReader = Mutex(engine.makeReaderWithoutVisibilityWait())
    }

    var uptimeMilliseconds: UInt64 {
        (MonotonicClock.nanoseconds - startedAt) / 1_000_000
    }
}
