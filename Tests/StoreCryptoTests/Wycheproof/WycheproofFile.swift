import FoundationEssentials
import StoreBasics

/// Test cases of Project Wycheproof, in files with one case per line and spaces between the fields.
enum WycheproofFile {
    /// Returns the fields of every case in a file.
    static func cases(_ name: String) throws -> [[String]] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = String(
            decoding: try Data(contentsOf: root.appending(path: "Fixtures/wycheproof/\(name)")), as: UTF8.self)
        return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
            line.split(separator: " ").map(String.init)
        }
    }

    /// Decodes a field, or returns `nil` if it is not hexadecimal. The field `-` stands for no bytes.
    static func bytes(_ field: String) -> [UInt8]? {
        field == "-" ? [] : Hexadecimal.decode(field)
    }
}
