import FoundationEssentials
import GhostTestSupport

/// Reads documents of this repository and the fenced code blocks in them.
enum Document {
    static func text(_ path: String) throws -> String {
        guard let data = FileManager.default.contents(atPath: "\(BuiltPrograms.packageDirectory)/\(path)") else {
            throw TestSupportError("there is no \(path)")
        }
        return String(decoding: data, as: UTF8.self)
    }

    /// Returns the code blocks that are marked with `language`, in order, without their fences.
    static func blocks(_ language: String, of path: String) throws -> [String] {
        let parts = try text(path).split(separator: "\n```", omittingEmptySubsequences: false)
        // The text was split at the fences: every second part is inside a fence and starts with the name of the
        // language.
        return stride(from: 1, to: parts.count, by: 2).compactMap { index in
            parts[index].hasPrefix(language + "\n") ? String(parts[index].dropFirst(language.count + 1)) : nil
        }
    }

    /// Returns the first Swift example in the documentation comments of a source file.
    static func documentedExample(of path: String) throws -> String {
        let lines = try text(path).split(separator: "\n", omittingEmptySubsequences: false)
        let inside = lines.drop { $0 != "/// ```swift" }.dropFirst().prefix { $0 != "/// ```" }
        guard !inside.isEmpty else { throw TestSupportError("there is no example in the comments of \(path)") }
        return inside.map { String($0.dropFirst("/// ".count)) }.joined(separator: "\n")
    }
}
