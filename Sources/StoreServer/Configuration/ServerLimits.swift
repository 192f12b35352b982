import StoreProtocol

/// Bounds that an operator may set, with their units in the name. `ServerConfiguration` holds the values in force;
/// those of single calls are `CallLimits`.
package enum ServerLimits {
    /// Bytes of one frame's payload, in either direction. Must hold the largest request: one avatar (4 MiB) and, in
    /// one `SaveMessages`, a text of 1 MiB.
    package static let frameBytesMax = Bound(
        default: FrameLimits.payloadBytesMaxDefault, in: (6 << 20)...FrameLimits.payloadBytesMaxHighest)
    /// Bytes that requests and answers of all connections may hold together, decoded, from their receipt until they are
    /// taken; at least `frameBytesMax` four times. With what is not counted (caches, 16 KiB and some answers of each
    /// connection) it stays well below the unit's MemoryMax=1G. Users share it: see `FairShare`.
    package static let memoryBytesMax = Bound(default: 96 << 20, in: (24 << 20)...(384 << 20))
    /// Connections open at once. Users share them: see `FairShare`.
    package static let connectionsMax = Bound(default: 2_048, in: 1...65_536)
    /// Of those, one in so many is kept for root and the daemon's own user.
    static let connectionsPerReservedOne = 32
    /// Seconds after which a connection whose caller has no right at all is closed when it asks for nothing.
    package static let strangerTimeoutSeconds = Bound(default: 60, in: 1...86_400)
    /// Watches and waiting reads of logs of all connections together. Users share them: see `FairShare`.
    package static let watchesMax = Bound(default: 8_192, in: 1...1_048_576)
    /// Requests of one connection that were read and not answered yet. At the bound the connection is not read.
    package static let requestsInFlightMax = Bound(default: 1_024, in: 1...65_536)
    /// Bytes that requests of one connection which were not answered yet take, decoded. At the bound it is not read.
    package static let requestBytesInFlightMax = Bound(default: 32 << 20, in: (6 << 20)...(256 << 20))
    /// Bytes of answers that a peer has not taken. At the bound its connection is not read.
    package static let answerBytesPendingMax = Bound(default: 64 << 10, in: (16 << 10)...(1 << 20))
    /// Seconds that a frame may stay half received, or wait for memory, before its connection is closed.
    package static let partialFrameTimeoutSeconds = Bound(default: 30, in: 1...3_600)
    /// Seconds that a peer may leave answers untaken before its connection is closed.
    package static let answerTimeoutSeconds = Bound(default: 300, in: 1...86_400)
    /// Watches of one connection.
    package static let watchesPerConnectionMax = Bound(default: 64, in: 1...4_096)
    /// Bytes of events that may wait for one watcher before it is told so and dropped.
    package static let watchBacklogBytesMax = Bound(default: 4 << 20, in: (64 << 10)...(256 << 20))
    /// Threads that serve connections.
    package static let eventLoopThreads = Bound(default: 1, in: 1...64)
    /// Threads for reads whose size the caller chooses: lists, changes, pages of a log, avatars.
    package static let readerThreads = Bound(default: 2, in: 1...64)
    /// Seconds that a stop waits for requests in flight.
    package static let drainTimeoutSeconds = Bound(default: 20, in: 1...600)
}

/// A number of the configuration: what it is unless said otherwise, and the values that make sense.
package struct Bound: Sendable, Hashable {
    package let defaultValue: Int
    package let range: ClosedRange<Int>

    package init(default defaultValue: Int, in range: ClosedRange<Int>) {
        precondition(range.contains(defaultValue), "a default value must be inside its range")
        self.defaultValue = defaultValue
        self.range = range
    }
}

/// The values in force of the limits in `ServerLimits`, where each is described. Fixed while the server runs.
package struct ServerConfiguration: Sendable, Hashable {
    package var frameBytesMax = ServerLimits.frameBytesMax.defaultValue
    package var connectionsMax = ServerLimits.connectionsMax.defaultValue
    package var strangerTimeoutSeconds = ServerLimits.strangerTimeoutSeconds.defaultValue
    package var memoryBytesMax = ServerLimits.memoryBytesMax.defaultValue
    package var watchesMax = ServerLimits.watchesMax.defaultValue
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

    /// Every limit at its default.
    package init() {}

    /// The largest request, with what it becomes, fits.
    var memoryBytesInForce: Int {
        max(memoryBytesMax, 4 * frameBytesMax)
    }

    /// What the largest request takes: a frame, and what its entries take besides.
    var requestMemoryBytesMax: Int {
        frameBytesMax + CallLimits.decodingBytesMax
    }

    /// What a user may hold beyond half of all memory: the largest request and the largest answer.
    var excessMemoryBytesMax: Int {
        requestMemoryBytesMax + frameBytesMax
    }
}
