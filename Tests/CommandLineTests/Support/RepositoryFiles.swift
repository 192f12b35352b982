import FoundationEssentials
import GhostTestSupport

/// Files of the source tree from which the tests were built.
enum RepositoryFiles {
    /// - Throws: an error if the file does not exist.
    static func text(_ path: String) throws -> String {
        guard let content = FileManager.default.contents(atPath: "\(BuiltPrograms.packageDirectory)/\(path)") else {
            throw TestSupportError("there is no \(path)")
        }
        return String(decoding: content, as: UTF8.self)
    }
}
