import FoundationEssentials
import Glibc

/// The paths of the built programs and of the package's sources.
package enum BuiltPrograms {
    /// The absolute path of the package's root folder.
    package static let packageDirectory: String = {
        // This file is four levels below the root: Tests/GhostTestSupport/Files/BuiltPrograms.swift.
        var components = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        components.removeLast(4)
        return components.joined(separator: "/")
    }()

    /// Returns the path of a built program, such as "ghoststored".
    /// - Throws: when the program has not been built.
    package static func path(_ name: String) throws -> String {
        let places = [testBundleDirectory(), "\(packageDirectory)/.build-tests/release"].compactMap { $0 }
        for place in places where access("\(place)/\(name)", X_OK) == 0 {
            return "\(place)/\(name)"
        }
        throw TestSupportError("\(name) is not built: looked in \(places.joined(separator: " and "))")
    }

    /// Returns the folder of the test executable, because the build writes programs and tests to the same folder.
    private static func testBundleDirectory() -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        guard count > 0 else { return nil }
        let path = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return path.lastIndex(of: "/").map { String(path[..<$0]) }
    }
}
