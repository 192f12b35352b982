/// The JetStream consumer of one follower and channel. The consumer's name consists of the follower and the channel.
/// The servers store its position.
package struct FollowerPlace: Sendable, Hashable {
    package let stream: String
    package let subject: String
    package let name: String

    /// - Parameter follower: identifies the following device, such as 16 hexadecimal digits.
    package init(settings: StreamSettings, channel: String, follower: String) {
        stream = settings.name
        subject = settings.subject(of: channel)
        // A dot is not possible, because it would separate parts of a subject.
        name = follower + "-" + channel.map { $0 == "." ? "_" : String($0) }.joined()
    }
}

/// The message at which a new consumer begins.
package enum FollowerStart: Sendable, Hashable {
    case first
    case streamSequence(UInt64)
}

/// The result of processing a delivered message.
package enum Settlement: Sendable, Hashable {
    /// The message was processed and must not be delivered again.
    case acknowledged
    case later(Duration)
}

package enum FollowerLimits {
    /// The time after which a message that was not acknowledged is delivered again.
    package static let acknowledgementTimeout = Duration.seconds(60)
    /// The most messages that may be delivered but not acknowledged.
    package static let unacknowledgedMax: Int64 = 1_024
    /// The time after which the servers delete an unused consumer. It is created again when it is needed.
    static let idleMax = Duration.seconds(30 * 86_400)
    /// The most bytes of messages that have arrived but were not fetched. Further messages are dropped and delivered
    /// again.
    static let arrivedBytesMax: Int32 = 8 << 20
    /// The size that the server counts for a message in addition to its bytes.
    package static let overheadBytes = 4 << 10
}
