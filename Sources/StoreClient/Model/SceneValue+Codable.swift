extension SceneValue: Codable {
    private enum Kind: String, CodingKey {
        case string, integer, float, double, bool, url, data, date, array, dictionary
    }

    /// Reads an object whose one key is the kind of the value: `{"integer": 5}`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Kind.self)
        guard let kind = container.allKeys.first, container.allKeys.count == 1 else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath, debugDescription: "a scene value must have exactly one kind"))
        }
        self =
            switch kind {
            case .string: .string(try container.decode(String.self, forKey: kind))
            case .integer: .integer(try container.decode(Int64.self, forKey: kind))
            case .float: .float(try container.decode(Float.self, forKey: kind))
            case .double: .double(try container.decode(Double.self, forKey: kind))
            case .bool: .bool(try container.decode(Bool.self, forKey: kind))
            case .url: .url(try container.decode(String.self, forKey: kind))
            case .data: .data(try container.decode([UInt8].self, forKey: kind))
            case .date: .date(try container.decode(Timestamp.self, forKey: kind))
            case .array: .array(try container.decode([SceneValue].self, forKey: kind))
            case .dictionary: .dictionary(try Self.dictionary(in: container))
            }
    }

    /// Writes an object whose one key is the kind of the value, so that none is read back as another.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Kind.self)
        switch self {
        case .string(let text): try container.encode(text, forKey: .string)
        case .integer(let number): try container.encode(number, forKey: .integer)
        case .float(let number): try container.encode(number, forKey: .float)
        case .double(let number): try container.encode(number, forKey: .double)
        case .bool(let truth): try container.encode(truth, forKey: .bool)
        case .url(let text): try container.encode(text, forKey: .url)
        case .data(let bytes): try container.encode(bytes, forKey: .data)
        case .date(let time): try container.encode(time, forKey: .date)
        case .array(let values): try container.encode(values, forKey: .array)
        case .dictionary(let values):
            let standard = values.standardDictionary
            guard standard.count < values.count else { return try container.encode(standard, forKey: .dictionary) }
            // Encoders would lose one of two keys that differ only in their bytes.
            var pairs = container.nestedUnkeyedContainer(forKey: .dictionary)
            for (key, value) in values {
                try pairs.encode(key)
                try pairs.encode(value)
            }
        }
    }

    /// Reads an object, or an array in which each key comes before its value.
    private static func dictionary(in container: KeyedDecodingContainer<Kind>) throws -> SceneDictionary {
        guard var pairs = try? container.nestedUnkeyedContainer(forKey: .dictionary) else {
            return SceneDictionary(try container.decode([String: SceneValue].self, forKey: .dictionary))
        }
        var values = SceneDictionary()
        while !pairs.isAtEnd {
            values[try pairs.decode(String.self)] = try pairs.decode(SceneValue.self)
        }
        return values
    }
}
