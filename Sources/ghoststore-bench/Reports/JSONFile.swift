import FoundationEssentials

enum JSONFile {
    /// Writes a report, readable and with its keys in order.
    static func write(_ report: some Encodable, to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        var data = try encoder.encode(report)
        data.append(UInt8(ascii: "\n"))
        try TextFile.write(String(decoding: data, as: UTF8.self), to: path)
    }
}
