/// The failure of an operation on the stream.
package struct TransportError: Error, Hashable, Sendable {
    package enum Code: String, Hashable, Sendable, CaseIterable {
        /// A configured file, name or address is invalid.
        case configuration
        /// No server answers, or the connection was lost during the request.
        case unreachable
        /// The servers reject the credentials or the certificate, or do not permit the request.
        case refused
        /// Too few servers answer to store or look up a message now.
        case noQuorum
        /// The stream or the account has no space left.
        case streamFull
        /// A message is larger than the stream or the servers allow.
        case tooLarge
        case streamMissing
        /// A stream of this name exists, but it would lose or change messages, or it has another purpose.
        case streamDiffers
        /// The servers have deleted a follower's consumer.
        case followerMissing
        /// The connection was closed, by this program or for good by the library.
        case closed
        /// The library or the servers gave an unexpected answer.
        case unexpected
    }

    package let code: Code
    /// The message, in lower case: the cause, then a hint.
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// True if a retry may succeed without the help of a person.
    package var isWorthRepeating: Bool {
        switch code {
        case .unreachable, .noQuorum, .followerMissing, .closed, .unexpected: true
        // A person has to resolve the error first. Occasional retries find out when that was done.
        case .configuration, .refused, .streamFull, .tooLarge, .streamMissing, .streamDiffers: false
        }
    }
}

extension TransportError: CustomStringConvertible {
    package var description: String {
        message
    }
}
