import SQLCipher

/// A listener with rows of its own about messages. It is informed when background maintenance removes the row of a
/// message.
protocol MessageRowListener {
    /// Called before the row of a message is deleted.
    ///
    /// - Parameter isRecorded: False only if other devices cannot know the message.
    func messageRowRemoved(at place: MessagePlace, sequence: Int64, isRecorded: Bool) throws(StoreError)
}

/// Makes the listeners for one step of a removal.
typealias MessageRowListeners = @Sendable (Connection) throws(StoreError) -> [any MessageRowListener]
