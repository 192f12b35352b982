package import StoreBasics

/// A text that an application wrote while another device changed the same text. The other change was later, so it
/// replaced this text on all devices.
package struct LostEdit: Sendable {
    /// The kind of text. The raw values are stored on disk.
    package enum Place: Int64, Sendable, CaseIterable {
        case message = 1
        case contactNotes = 2
        case draft = 3
    }

    /// The id of the edit, which is unique only in this store.
    package var id: UInt64
    package var place: Place
    /// The id of the message, or the session id of the contact or of the draft's conversation.
    package var name: String
    package var text: String
    /// The device that made the edit; 0 if the edit was made before its store joined a group.
    package var device: UInt64
    package var changedAt: Timestamp
}

package struct LostEditPage: Sendable {
    package var edits: [LostEdit]
    /// The cursor of the next page; `nil` on the last page.
    package var nextCursor: String?
}
