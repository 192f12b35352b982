package import StoreBasics

/// An error of the engine: a reason for programs, a message for people and no content.
package struct StoreError: Error, Hashable, Sendable {
    package let reason: ErrorReason
    /// Lower case, cause first, then a hint. Never holds content or key material.
    package let message: String
    /// The message with paths in it, for root and the daemon's own user; `nil` where `message` says all there is.
    package var hostMessage: String?
    /// With reasons that pass by themselves, such as `.unlockThrottled` and `.queueFull`: when a retry makes sense.
    package var retryAfterMilliseconds: UInt64?
    /// A change may be on disk or not, or half of it is: the process must end, and the next start settles what is
    /// there.
    package private(set) var losesDurability = false

    package init(_ reason: ErrorReason, _ message: String, retryAfterMilliseconds: UInt64? = nil) {
        self.reason = reason
        self.message = message
        self.retryAfterMilliseconds = retryAfterMilliseconds
    }

    static var diskIsFull: StoreError {
        StoreError(.diskFull, "the disk is full; free some space and try again")
    }

    /// A failed sync of what is in use.
    static func durabilityLost(_ message: String) -> StoreError {
        var error = StoreError(.storageFailed, message)
        error.losesDurability = true
        return error
    }

    /// The one message for damage.
    ///
    /// - Parameter hint: what fits a store that is in use, unless another is given.
    static func databaseDamaged(
        _ cause: String, hint: String = "run `ghoststorectl check` and restore a backup"
    ) -> StoreError {
        StoreError(.databaseDamaged, "\(StateDirectory.databaseName) is damaged: \(cause); \(hint)")
    }

    /// This failure of work that the next start carries out or finishes: it must not be answered, since an answered
    /// failure has changed nothing, and the process must not go on with half of it.
    var settledByNextStart: StoreError {
        .durabilityLost(message)
    }

    package static func invalidArgument(_ message: String) -> StoreError {
        StoreError(.invalidArgument, message)
    }

    /// A list of the request has more entries than it may.
    package static func tooMany(_ count: Int, _ entries: String, countMax: Int) -> StoreError {
        StoreError(
            .requestTooLarge, "the request has \(count) \(entries); the limit is \(countMax); send several requests")
    }
}

extension StoreError: CustomStringConvertible {
    package var description: String {
        message
    }
}
