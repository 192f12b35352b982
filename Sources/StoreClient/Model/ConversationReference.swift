/// A conversation by either of its names.
public enum ConversationReference: Hashable, Sendable, Codable {
    /// 1 to 128 bytes of UTF-8 without NUL.
    case id(String)
    /// 1 to 256 bytes of UTF-8 without NUL.
    case sessionID(String)

    private enum Name: String, CodingKey {
        case id, sessionID
    }

    /// Reads an object that has one of the two names: `{"sessionID": "05alice"}`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Name.self)
        if let id = try container.decodeIfPresent(String.self, forKey: .id) {
            self = .id(id)
        } else {
            self = .sessionID(try container.decode(String.self, forKey: .sessionID))
        }
    }

    /// Writes an object of the one name.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        switch self {
        case .id(let id): try container.encode(id, forKey: .id)
        case .sessionID(let sessionID): try container.encode(sessionID, forKey: .sessionID)
        }
    }
}

/// What happens to a field that may be absent.
public enum FieldUpdate<Value: Hashable & Sendable>: Hashable, Sendable {
    /// It stays as it is.
    case keep
    /// It gets this value. An empty value is the same as `.remove`.
    case set(Value)
    /// It is absent from then on.
    case remove
}
