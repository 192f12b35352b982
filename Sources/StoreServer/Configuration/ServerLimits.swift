import StoreProtocol

/// Limits that an operator may set; the units are in the names. `ServerConfiguration` holds the values in force.
/// `CallLimits` has the limits of single calls.
package enum ServerLimits {
    /// The largest payload of a frame in bytes, in either direction. The smallest allowed value admits an avatar of 4
    /// MiB and a message text of 1 MiB, but not the largest messages of append logs (8 MiB).
    package static let frameBytesMax = Bound(
        default: FrameLimits.payloadBytesMaxDefault, in: (6 << 20)...FrameLimits.payloadBytesMaxHighest)
    /// The decoded bytes of requests and answers that all connections may hold together, from receipt until the peer
    /// has read the answer. The minimum in force is four times `frameBytesMax`. Together with memory that is not
    /// counted (caches, 16 KiB and some answers for each connection), these bytes stay below the MemoryMax=1G of the
    /// systemd unit. Users share these bytes; see `FairShare`.
    package static let memoryBytesMax = Bound(default: 96 << 20, in: (24 << 20)...(384 << 20))
    /// The number of open connections. Users share them; see `FairShare`.
    package static let connectionsMax = Bound(default: 2_048, in: 1...65_536)
    /// One connection in this many is reserved for root and the daemon's own user.
    static let connectionsPerReservedOne = 32
    /// The time in seconds after which an idle connection is closed if its caller has no right at all.
    package static let strangerTimeoutSeconds = Bound(default: 60, in: 1...86_400)
    /// The number of watches and waiting reads of append logs of all connections together. Users share them; see
    /// `FairShare`.
    package static let watchesMax = Bound(default: 8_192, in: 1...1_048_576)
    /// The number of unanswered requests of one connection. At the limit, the daemon stops reading from the connection.
    package static let requestsInFlightMax = Bound(default: 1_024, in: 1...65_536)
    /// The decoded bytes of the unanswered requests of one connection. At the limit, the daemon stops reading from it.
    package static let requestBytesInFlightMax = Bound(default: 32 << 20, in: (6 << 20)...(256 << 20))
    /// The bytes of answers that a peer has not read. At the limit, the daemon stops reading from its connection.
    package static let answerBytesPendingMax = Bound(default: 64 << 10, in: (16 << 10)...(1 << 20))
    /// The time in seconds that a frame may stay incomplete, or wait for memory, before its connection is closed.
    package static let partialFrameTimeoutSeconds = Bound(default: 30, in: 1...3_600)
    /// The time in seconds that a peer may leave answers unread before its connection is closed.
    package static let answerTimeoutSeconds = Bound(default: 300, in: 1...86_400)
    /// The number of watches of one connection.
    package static let watchesPerConnectionMax = Bound(default: 64, in: 1...4_096)
    /// The bytes of events that may wait for one watcher. Above the limit, the watch ends with an error.
    package static let watchBacklogBytesMax = Bound(default: 4 << 20, in: (64 << 10)...(256 << 20))
    /// The number of threads that serve connections.
    package static let eventLoopThreads = Bound(default: 1, in: 1...64)
    /// The number of threads for reads whose size the caller chooses: lists, changes, pages of an append log, avatars.
    package static let readerThreads = Bound(default: 2, in: 1...64)
    /// The time in seconds that a stopping daemon waits for requests in flight.
    package static let drainTimeoutSeconds = Bound(default: 20, in: 1...600)
}

/// A number in the configuration: its default value and its valid range.
package struct Bound: Sendable, Hashable {
    package let defaultValue: Int
    package let range: ClosedRange<Int>

    package init(default defaultValue: Int, in range: ClosedRange<Int>) {
        precondition(range.contains(defaultValue), "a default value must be inside its range")
        self.defaultValue = defaultValue
        self.range = range
    }
}

/// The values in force of the limits in `ServerLimits`, which describes each of them. They do not change while the
/// server runs.
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

    /// Creates a configuration with every limit at its default.
    package init() {}

    /// The memory limit in force: at least enough for the largest request and its decoded form.
    var memoryBytesInForce: Int {
        max(memoryBytesMax, 4 * frameBytesMax)
    }

    /// The largest number of bytes that one request takes: its frame, and the additional memory of its decoded entries.
    var requestMemoryBytesMax: Int {
        frameBytesMax + CallLimits.decodingBytesMax
    }

    /// The bytes that a user may hold beyond half of all memory: the largest request and the largest answer.
    var excessMemoryBytesMax: Int {
        requestMemoryBytesMax + frameBytesMax
    }
}
