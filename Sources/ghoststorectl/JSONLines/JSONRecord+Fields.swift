import StoreClient

/// Fields that have to be there, and the forms of what JSON does not know.
extension JSONRecord {
    func requiredFlag(_ name: String) throws(JSONError) -> Bool {
        switch value(name) {
        case nil: throw missing(name)
        case .bool(let value): return value
        case .some(let other): throw mismatch(name, "a boolean", other)
        }
    }

    func integer(_ name: String) throws(JSONError) -> Int64 {
        guard let value = try optionalInteger(name) else { throw missing(name) }
        return value
    }

    func optionalUnsigned(_ name: String) throws(JSONError) -> UInt64? {
        switch value(name) {
        case nil: return nil
        case .number(let text):
            guard let value = UInt64(text) else {
                throw JSONError("the field '\(name)' is not an integer of 64 bits that is 0 or more")
            }
            return value
        case .some(let other): throw mismatch(name, "an integer", other)
        }
    }

    func unsigned(_ name: String) throws(JSONError) -> UInt64 {
        guard let value = try optionalUnsigned(name) else { throw missing(name) }
        return value
    }

    func time(_ name: String) throws(JSONError) -> Timestamp {
        Timestamp(microseconds: try integer(name))
    }

    func optionalTime(_ name: String) throws(JSONError) -> Timestamp? {
        try optionalInteger(name).map(Timestamp.init(microseconds:))
    }

    func optionalBytes(_ name: String) throws(JSONError) -> [UInt8]? {
        guard let text = try optionalText(name) else { return nil }
        guard let bytes = Base64.bytes(text) else { throw JSONError("the field '\(name)' is not base64") }
        return bytes
    }

    /// 32 bytes as 64 hexadecimal digits.
    func digest(_ name: String) throws(JSONError) -> String {
        let text = try text(name)
        guard text.utf8.count == 64, text.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else {
            throw JSONError("the field '\(name)' is not 64 hexadecimal digits")
        }
        return text
    }

    /// - Returns: none where it is not there.
    func records(_ name: String) throws(JSONError) -> [JSONRecord] {
        guard let value = value(name) else { return [] }
        guard case .array(let elements) = value else { throw mismatch(name, "an array of objects", value) }
        var records: [JSONRecord] = []
        for element in elements {
            guard case .object(let fields) = element else { throw mismatch(name, "an array of objects", element) }
            records.append(JSONRecord(fields: fields))
        }
        return records
    }

    func record(_ name: String) throws(JSONError) -> JSONRecord {
        switch value(name) {
        case nil: throw missing(name)
        case .object(let fields): return JSONRecord(fields: fields)
        case .some(let other): throw mismatch(name, "an object", other)
        }
    }

    private func missing(_ name: String) -> JSONError {
        JSONError("the field '\(name)' is missing")
    }
}
