/// The values in force of the limits in `ServerLimits`, where each is described. Fixed while the server runs.
package struct ServerConfiguration: Sendable, Hashable {
    package var frameBytesMax = ServerLimits.frameBytesMax.defaultValue
    package var connectionsMax = ServerLimits.connectionsMax.defaultValue
    package var connectionsPerUserMax = ServerLimits.connectionsPerUserMax.defaultValue
    package var requestsInFlightMax = ServerLimits.requestsInFlightMax.defaultValue
    package var requestBytesInFlightMax = ServerLimits.requestBytesInFlightMax.defaultValue
    package var answerBytesPendingMax = ServerLimits.answerBytesPendingMax.defaultValue
    package var partialFrameTimeoutSeconds = ServerLimits.partialFrameTimeoutSeconds.defaultValue
    package var answerTimeoutSeconds = ServerLimits.answerTimeoutSeconds.defaultValue
    package var watchesPerConnectionMax = ServerLimits.watchesPerConnectionMax.defaultValue
    package var watchBacklogBytesMax = ServerLimits.watchBacklogBytesMax.defaultValue
    package var eventLoopThreads = ServerLimits.eventLoopThreads.defaultValue
    package var readerThreads = ServerLimits.readerThreads.defaultValue
    package var drainTimeoutSeconds = ServerLimits.drainTimeoutSeconds.defaultValue
    /// What status and hello tell as the server's version.
    package var versionText = "0.0.0"

    /// Every limit at its default.
    package init() {}
}
