package import StoreBasics

/// An error of the engine: a reason for programs and a message for people. It never contains content of the store.
package struct StoreError: Error, Hashable, Sendable {
    package let reason: ErrorReason
    /// The message, in lower case: the cause, then a hint. It never contains content or key material.
    package let message: String
    /// The message with paths in it, for root and the daemon's user; `nil` if it is the same as `message`.
    package var hostMessage: String?
    /// The time after which a retry makes sense, for temporary reasons such as `.unlockThrottled` and `.queueFull`.
    package var retryAfterMilliseconds: UInt64?
    /// True if it is unknown whether a change is on the disk, or if only a part of it is. The process must end, and the
    /// next start recovers the state.
    package private(set) var losesDurability = false

    package init(_ reason: ErrorReason, _ message: String, retryAfterMilliseconds: UInt64? = nil) {
        self.reason = reason
        self.message = message
        self.retryAfterMilliseconds = retryAfterMilliseconds
    }

    static var diskIsFull: StoreError {
        StoreError(.diskFull, "the disk is full; free some space and try again")
    }

    /// Returns an error with `losesDurability`, for example for a failed sync of data in use.
    static func durabilityLost(_ message: String) -> StoreError {
        var error = StoreError(.storageFailed, message)
        error.losesDurability = true
        return error
    }

    /// Returns the error for a damaged database. All callers share its text.
    ///
    /// - Parameter isFileLost: true if the file may have been moved or emptied, so that it can be put back.
    static func databaseDamaged(_ cause: String, isFileLost: Bool = false) -> StoreError {
        let next =
            isFileLost ? "put the file back; 'man ghoststored' has all steps" : "follow the steps in 'man ghoststored'"
        return StoreError(
            .databaseDamaged,
            "\(StoreFile.database) is damaged: \(cause); hint: stop the daemon, copy its state directory, then \(next)")
    }

    /// This failure as an error with `losesDurability`, for work that the next start completes. The client must not get
    /// the failure itself, because it would conclude that nothing was changed. The process must not continue with a
    /// half-done change.
    var asDurabilityLost: StoreError {
        .durabilityLost(message)
    }

    /// Returns the error for a state that only a fault of the daemon explains.
    package static func fault(_ cause: String) -> StoreError {
        StoreError(.internal, "\(cause); please report this")
    }

    package static func invalidArgument(_ message: String) -> StoreError {
        StoreError(.invalidArgument, message)
    }

    /// Returns the error for a list in the request with too many entries.
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
