import FoundationEssentials
import Glibc

/// Where this package's programs were built, and where its sources are.
package enum BuiltPrograms {
    /// The root of the package.
    package static let packageDirectory: String = {
        // Tests/GhostTestSupport/Files/BuiltPrograms.swift is four levels down.
        var components = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        components.removeLast(4)
        return components.joined(separator: "/")
    }()

    /// The path of a built program, such as "ghoststored".
    /// - Throws: when it has not been built.
    package static func path(_ name: String) throws -> String {
        let places = [testBundleDirectory(), "\(packageDirectory)/.build-tests/release"].compactMap { $0 }
        for place in places where access("\(place)/\(name)", X_OK) == 0 {
            return "\(place)/\(name)"
        }
        throw TestSupportError("\(name) is not built: looked in \(places.joined(separator: " and "))")
    }

    /// The tests are linked beside the programs.
    private static func testBundleDirectory() -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        guard count > 0 else { return nil }
        let path = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return path.lastIndex(of: "/").map { String(path[..<$0]) }
    }
}
