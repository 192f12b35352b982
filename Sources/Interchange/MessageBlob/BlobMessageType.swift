/// What a message of a blob file is. The raw value is its ordinal in the file.
package enum BlobMessageType: UInt8, Hashable, Sendable, CaseIterable {
    /// A text of fewer than `longTextCharactersMin` characters.
    case short = 0
    /// A text of `longTextCharactersMin` characters or more.
    case long = 1
    case image = 2
    case video = 3

    /// From how many characters (`Character`, as `String.count` has them) a text is a long one.
    package static let longTextCharactersMin = 1_024

    /// An ordinal as read from a file: one that is not known is taken for a short message.
    package init(ordinal: UInt8) {
        self = Self(rawValue: ordinal) ?? .short
    }

    /// The type of a message that is nothing but `text`.
    package init(ofText text: String) {
        // A character has at least one byte, and only as many are looked at as decide.
        guard text.utf8.count >= Self.longTextCharactersMin else {
            self = .short
            return
        }
        let last = text.index(text.startIndex, offsetBy: Self.longTextCharactersMin, limitedBy: text.endIndex)
        self = last == nil ? .short : .long
    }
}
