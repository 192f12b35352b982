enum PageLimit {
    /// - Throws: `.invalidArgument` unless `limit` is 1 to `most`.
    static func check(_ limit: Int, most: Int = EngineLimits.pageRowsMax) throws(StoreError) {
        guard (1...most).contains(limit) else {
            throw .invalidArgument("the limit is \(limit); it must be 1 to \(most)")
        }
    }
}

/// Cursors that hold text are given out in hexadecimal, so that they are one word in every shell.
enum HexText {
    static func encode(_ text: String) -> String {
        text.utf8.map { byte in
            let digits = String(byte, radix: 16)
            return byte < 16 ? "0" + digits : digits
        }.joined()
    }

    static func decode(_ hexadecimal: Substring) -> String? {
        let digits = Array(hexadecimal.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = UInt8(String(decoding: digits[index...(index + 1)], as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(byte)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
