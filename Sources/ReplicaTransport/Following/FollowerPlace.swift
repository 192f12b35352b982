/// Who follows what: the servers keep a place for each, under a name made of both.
package struct FollowerPlace: Sendable, Hashable {
    package let stream: String
    package let subject: String
    package let name: String

    /// - Parameter follower: tells the devices that follow apart, such as 16 hexadecimal digits.
    package init(settings: StreamSettings, channel: String, follower: String) {
        stream = settings.name
        subject = settings.subject(of: channel)
        // A point would part a subject.
        name = follower + "-" + channel.map { $0 == "." ? "_" : String($0) }.joined()
    }
}

/// Where a place that is made anew begins.
package enum FollowerStart: Sendable, Hashable {
    case first
    case streamSequence(UInt64)
}

/// What becomes of a message that was delivered.
package enum Settlement: Sendable, Hashable {
    /// It is never delivered again.
    case acknowledged
    case later(Duration)
}

package enum FollowerLimits {
    /// A message that nobody settled in this time is delivered again.
    package static let settleTime = Duration.seconds(60)
    /// Delivered and not settled at most.
    package static let unsettledMax: Int64 = 1_024
    /// A place that nobody asks for in this time is forgotten by the servers, and made again when it is asked for.
    static let idleMax = Duration.seconds(30 * 86_400)
    /// Of messages that have arrived and were not fetched: what servers send beyond that is dropped, and comes again.
    static let arrivedBytesMax: Int32 = 8 << 20
    /// What a delivered message has beside its bytes, for the server's count.
    package static let overheadBytes = 4 << 10
}
