import FoundationEssentials
import GhostTestSupport
import TestBasics
import Testing

/// The manual pages that scripts/make-man-pages writes for the built programs.
struct ManualPages: Sendable {
    static let programs = [
        "ghoststored": "ghoststored.8", "ghoststorectl": "ghoststorectl.1", "ghoststore-sync": "ghoststore-sync.8",
    ]

    /// The pages for the tests of a suite with the trait `.manualPages`.
    @TaskLocal static var shared: ManualPages?

    let folder: TemporaryDirectory

    fileprivate init() async throws {
        folder = try TemporaryDirectory()
        let made = try await Program.run(
            "\(BuiltPrograms.packageDirectory)/scripts/make-man-pages", [Self.programsFolder(), folder.file("man")])
        try #require(made.exitCode == 0, "\(made.errorOutput)")
    }

    static func programsFolder() throws -> String {
        let path = try BuiltPrograms.path("ghoststored")
        return String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.endIndex))
    }

    /// Returns the names of the pages, sorted.
    func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.file("man")).sorted()
    }

    func path(_ name: String) -> String {
        folder.file("man/\(name)")
    }

    func text(_ name: String) -> String {
        folder.read("man/\(name)")
    }

    /// Returns the lines of a page after the line `title` and before the next title of the same or a higher level,
    /// without the `\&` marks that keep words from being read as macros.
    func lines(of name: String, below title: String) -> [Substring] {
        let lines = text(name).replacing("\\&", with: "").split(separator: "\n")
        guard let start = lines.firstIndex(of: title[...]) else { return [] }
        let rest = lines[(start + 1)...]
        return Array(rest.prefix { !$0.hasPrefix(".Sh ") && (title.hasPrefix(".Sh ") || !$0.hasPrefix(".Ss ")) })
    }

    /// Returns the command lines of a page's examples. A command that continues over several lines is returned as one
    /// line.
    func examples(of name: String) -> [String] {
        let blocks = lines(of: name, below: ".Sh EXAMPLES").joined(separator: "\n").split(separator: ".Bd -literal")
        return blocks.dropFirst().flatMap { block -> [String] in
            let commands = block.split(separator: "\n").dropFirst().prefix { $0 != ".Ed" }.joined(separator: "\n")
            return commands.replacing("\\e\n", with: " ").split(separator: "\n").map {
                String($0).replacing("\\e", with: "\\")
            }
        }
    }
}

/// Creates the pages once for all tests of a suite, because creating them takes seconds.
struct ManualPagesTrait: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await ManualPages.$shared.withValue(try await ManualPages(), operation: function)
    }
}

extension Trait where Self == ManualPagesTrait {
    static var manualPages: Self { Self() }
}
