import Foundation

/// The checked-out repository that these tests read.
enum Repository {
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent()  // Reading
        .deletingLastPathComponent()  // TidyTests
        .deletingLastPathComponent()  // Tests
        .deletingLastPathComponent()

    /// Returns the files below `folder` whose names end in `suffix`, sorted, as paths relative to the root.
    static func files(below folder: String, suffix: String) throws -> [String] {
        let base = root.appending(path: folder)
        guard let walker = FileManager.default.enumerator(atPath: base.path(percentEncoded: false)) else {
            throw CocoaError(.fileReadNoSuchFile)
        }
        return
            walker
            .compactMap { $0 as? String }
            .filter { $0.hasSuffix(suffix) }
            .map { folder + "/" + $0 }
            .sorted()
    }

    /// Returns the sorted names of the folders directly in `folder`.
    static func folders(in folder: String) throws -> [String] {
        let path = root.appending(path: folder).path(percentEncoded: false)
        return try FileManager.default.contentsOfDirectory(atPath: path).filter { isFolder("\(folder)/\($0)") }.sorted()
    }

    /// Returns the paths of all Markdown documents, sorted. Output of builds and programs is left out.
    static func documents() throws -> [String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: root.path(percentEncoded: false))
        let folders = names.filter { !$0.hasPrefix(".") && !$0.contains(".") && $0 != "var" }
        let below = try folders.filter(isFolder).flatMap { try files(below: $0, suffix: ".md") }
        return (names.filter { $0.hasSuffix(".md") } + below.filter { !$0.contains("/.") && !$0.contains("/build/") })
            .sorted()
    }

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    private static func isFolder(_ path: String) -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: root.path(percentEncoded: false) + path)
        return attributes?[.type] as? FileAttributeType == .typeDirectory
    }

    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).path(percentEncoded: false))
    }

    /// Returns every hand-written Swift file of the programs, the libraries and the benchmarks.
    static func sources() throws -> [SwiftSource] {
        try parsedSources.get()
    }

    /// Returns every Swift file of the tests, the tests of the benchmarks and the examples.
    static func tests() throws -> [SwiftSource] {
        try parsedTests.get()
    }

    private static let parsedSources = Result { try parse(below: "Sources") + parse(below: "Benchmarks/Sources") }
    private static let parsedTests = Result {
        try parse(below: "Tests") + parse(below: "Examples") + parse(below: "Benchmarks/Tests")
    }

    private static func parse(below folder: String) throws -> [SwiftSource] {
        try files(below: folder, suffix: ".swift")
            .filter { !$0.contains("/Generated/") }
            .map { SwiftSource(path: $0, text: try text($0)) }
    }
}
