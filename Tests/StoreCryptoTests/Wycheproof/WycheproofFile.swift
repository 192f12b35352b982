import FoundationEssentials
import StoreBasics

/// Cases of Project Wycheproof in our own form: a line each, fields between spaces.
enum WycheproofFile {
    /// The fields of every case.
    static func cases(_ name: String) throws -> [[String]] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = String(
            decoding: try Data(contentsOf: root.appending(path: "Fixtures/wycheproof/\(name)")), as: UTF8.self)
        return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
            line.split(separator: " ").map(String.init)
        }
    }

    /// `nil` for what is no hexadecimal.
    static func bytes(_ field: String) -> [UInt8]? {
        field == "-" ? [] : Hexadecimal.decode(field)
    }
}
