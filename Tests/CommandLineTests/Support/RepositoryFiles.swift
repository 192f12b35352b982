import FoundationEssentials
import GhostTestSupport

/// Files of the tree that the tests were built of.
enum RepositoryFiles {
    /// - Throws: where there is none.
    static func text(_ path: String) throws -> String {
        guard let content = FileManager.default.contents(atPath: "\(BuiltPrograms.packageDirectory)/\(path)") else {
            throw TestSupportError("there is no \(path)")
        }
        return String(decoding: content, as: UTF8.self)
    }
}
