import StoreClient

/// The properties that a contact and a conversation with a person have in common.
protocol Party {
    var id: String { get }
    var sessionID: String { get }
    var displayName: String? { get }
    var hasAvatar: Bool { get }
    var avatar: [UInt8]? { get }
}

extension JSONObject {
    mutating func add(_ party: some Party, _ form: JSONForm) {
        add("id", party.id)
        add("session_id", party.sessionID)
        add("display_name", ifPresent: party.displayName)
        if form == .shown {
            add("has_avatar", party.hasAvatar)
        }
        add("avatar", ifPresent: party.avatar.map(Base64.text))
    }
}

extension Party {
    /// The avatar for people: its size if it is known.
    var avatarText: String { avatar.map { Quantity.bytes(UInt64($0.count)) } ?? (hasAvatar ? "yes" : "no") }
}

extension JSONRecord {
    /// Returns the bytes of the field `avatar`, which is base64.
    func avatar() throws(JSONError) -> [UInt8]? {
        guard let text = try optionalText("avatar") else { return nil }
        guard let bytes = Base64.bytes(text) else { throw JSONError("the field 'avatar' is not base64") }
        return bytes
    }
}
