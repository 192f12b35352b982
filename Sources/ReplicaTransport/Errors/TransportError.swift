/// Why something of the stream could not be done.
package struct TransportError: Error, Hashable, Sendable {
    package enum Code: String, Hashable, Sendable, CaseIterable {
        /// A file, a name or an address that was given cannot be used.
        case configuration
        /// No server answers, or the connection went while it was asked.
        case unreachable
        /// The servers do not take the credentials or the certificate, or do not permit what was asked.
        case refused
        /// The servers answer, but too few of them to store or look something up now.
        case noQuorum
        /// The stream or the account has no room.
        case streamFull
        /// A message is larger than the stream or the servers take.
        case tooLarge
        case streamMissing
        /// There is a stream of that name which would lose or change messages, or is of something else.
        case streamDiffers
        /// A follower's place is gone from the servers.
        case followerMissing
        /// This connection was closed, by us or for good by the library.
        case closed
        /// The library or the servers said something that has no place here.
        case unexpected
    }

    package let code: Code
    /// Lower case, cause first, then a hint.
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Whether the same may succeed later without anybody doing something.
    package var isWorthRepeating: Bool {
        switch code {
        case .unreachable, .noQuorum, .followerMissing, .closed, .unexpected: true
        // A person has to do something first; asking again now and then finds that it was done.
        case .configuration, .refused, .streamFull, .tooLarge, .streamMissing, .streamDiffers: false
        }
    }
}

extension TransportError: CustomStringConvertible {
    package var description: String {
        message
    }
}
