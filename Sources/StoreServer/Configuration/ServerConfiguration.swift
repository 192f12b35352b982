/// The values in force of the limits in `ServerLimits`, where each is described. Fixed while the server runs.
public struct ServerConfiguration: Sendable, Hashable {
    public var frameBytesMax = ServerLimits.frameBytesMax.defaultValue
    public var connectionsMax = ServerLimits.connectionsMax.defaultValue
    public var connectionsPerUserMax = ServerLimits.connectionsPerUserMax.defaultValue
    public var requestsInFlightMax = ServerLimits.requestsInFlightMax.defaultValue
    public var requestBytesInFlightMax = ServerLimits.requestBytesInFlightMax.defaultValue
    public var answerBytesPendingMax = ServerLimits.answerBytesPendingMax.defaultValue
    public var partialFrameTimeoutSeconds = ServerLimits.partialFrameTimeoutSeconds.defaultValue
    public var answerTimeoutSeconds = ServerLimits.answerTimeoutSeconds.defaultValue
    public var watchesPerConnectionMax = ServerLimits.watchesPerConnectionMax.defaultValue
    public var watchBacklogBytesMax = ServerLimits.watchBacklogBytesMax.defaultValue
    public var eventLoopThreads = ServerLimits.eventLoopThreads.defaultValue
    public var readerThreads = ServerLimits.readerThreads.defaultValue
    public var drainTimeoutSeconds = ServerLimits.drainTimeoutSeconds.defaultValue
    /// What status and hello tell as the server's version.
    public var versionText = "0.0.0"

    /// Every limit at its default.
    public init() {}
}
