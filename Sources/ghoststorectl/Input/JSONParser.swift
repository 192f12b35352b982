import StoreBasics

/// A strict parser of one JSON text (RFC 8259). It rejects bytes that are not UTF-8, a duplicate name in an object,
/// nesting that is too deep, and text after the value.
struct JSONParser {
    /// The largest depth of nested arrays and objects.
    private static let depthMax = 32

    private let bytes: [UInt8]
    private var position = 0

    static func parse(_ bytes: [UInt8]) throws(JSONError) -> JSONValue {
        var parser = JSONParser(bytes: bytes)
        let value = try parser.value(depth: 0)
        parser.skipSpace()
        guard parser.position == bytes.count else { throw parser.failure("text follows the end of the value") }
        return value
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
        guard depth < Self.depthMax else { throw failure("values are nested more than \(Self.depthMax) levels deep") }
        skipSpace()
        switch peek {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case nil: throw failure("the text ends before a value")
        case let byte? where byte == UInt8(ascii: "-") || isDigit(byte): return try number()
        default: throw failure("a value should begin here")
        }
    }

    private mutating func object(depth: Int) throws(JSONError) -> JSONValue {
        position += 1
        var fields = ExactDictionary<JSONValue>()
        skipSpace()
        if consume("}") {
            return .object(fields)
        }
        while true {
            skipSpace()
            guard peek == UInt8(ascii: "\"") else { throw failure("a field name should be here") }
            let name = try string()
            skipSpace()
            guard consume(":") else { throw failure("a colon should be here") }
            guard fields.updateValue(try value(depth: depth + 1), forKey: name) == nil else {
                throw failure("a field name is used twice")
            }
            skipSpace()
            if consume("}") {
                return .object(fields)
            }
            guard consume(",") else { throw failure("a comma or closing brace should be here") }
        }
    }

    private mutating func array(depth: Int) throws(JSONError) -> JSONValue {
        position += 1
        var elements: [JSONValue] = []
        skipSpace()
        if consume("]") {
            return .array(elements)
        }
        while true {
            elements.append(try value(depth: depth + 1))
            skipSpace()
            if consume("]") {
                return .array(elements)
            }
            guard consume(",") else { throw failure("a comma or closing bracket should be here") }
        }
    }

    private mutating func word(_ word: String, _ value: JSONValue) throws(JSONError) -> JSONValue {
        guard bytes[position...].starts(with: word.utf8) else { throw failure("a value should begin here") }
        position += word.utf8.count
        return value
    }

    /// Parses a number: int [ frac ] [ exp ].
    private mutating func number() throws(JSONError) -> JSONValue {
        let start = position
        _ = consume("-")
        if !consume("0") {
            try digits()
        }
        if consume(".") {
            try digits()
        }
        if consume("e") || consume("E") {
            _ = consume("+") || consume("-")
            try digits()
        }
        return .number(String(decoding: bytes[start..<position], as: UTF8.self))
    }

    private mutating func digits() throws(JSONError) {
        let start = position
        while let byte = peek, isDigit(byte) {
            position += 1
        }
        guard position > start else { throw failure("a digit should be here") }
    }

    private func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private mutating func string() throws(JSONError) -> String {
        let start = position
        guard let result = JSONStringReader.read(bytes, at: &position) else {
            let end = position
            position = start
            throw JSONError("the string at byte \(start + 1) is malformed at byte \(end + 1)")
        }
        return result
    }

    private var peek: UInt8? {
        position < bytes.count ? bytes[position] : nil
    }

    private mutating func consume(_ character: Unicode.Scalar) -> Bool {
        guard let byte = peek, UInt32(byte) == character.value else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
            position += 1
        }
    }

    private func failure(_ reason: String) -> JSONError {
        JSONError("\(reason), at byte \(position + 1)")
    }
}
