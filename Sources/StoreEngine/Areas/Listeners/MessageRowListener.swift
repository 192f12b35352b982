import SQLCipher

/// Something that keeps rows of its own about messages. It learns of each message that a deletion has left behind, when
/// the row of the message is removed later.
protocol MessageRowListener {
    /// Called before the row of a message is deleted.
    ///
    /// - Parameter isRecorded: True if other devices may know the message from this one.
    func messageRowRemoved(at place: MessagePlace, sequence: Int64, isRecorded: Bool) throws(StoreError)
}

/// Makes the listeners for one step of a removal.
typealias MessageRowListeners = @Sendable (Connection) throws(StoreError) -> [any MessageRowListener]
