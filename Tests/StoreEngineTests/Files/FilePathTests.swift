import StoreBasics
import Testing

@testable import StoreEngine

@Suite struct FilePathTests {
    @Test(arguments: [
        ("", []), ("/", []), ("///", []), ("a", ["a"]), ("/a/b/", ["a", "b"]), ("a//b", ["a", "b"]),
        ("NoCloud/x", ["NoCloud", "x"]), ("a b/c\\d", ["a b", "c\\d"]), ("...", ["..."]), (".a/..b", [".a", "..b"]),
        ("con/nul.txt", ["con", "nul.txt"]), ("%2e%2e/x", ["%2e%2e", "x"]), ("a\n/b", ["a\n", "b"]),
        ("/\u{301}a", ["\u{301}a"]),
    ]) func `the text of a path is its names joined by slashes`(text: String, names: [String]) throws {
        let path = try FilePath(.document, text)
        #expect(path.names == (try names.map { try FileName($0) }))
        #expect(path.text == (["document"] + names).joined(separator: "/"))
    }

    @Test(arguments: [".", "..", "a/../b", "a/.", "../etc/passwd", "a\0b", "\0"])
    func `a path with an invalid name is refused`(_ text: String) {
        #expect(reason { _ = try FilePath(.document, text) } == .invalidArgument)
    }

    @Test func `names and paths have limits`() throws {
        let longest = String(repeating: "n", count: 255)
        #expect(try FilePath(.cache, longest).names.count == 1)
        #expect(reason { _ = try FilePath(.cache, longest + "n") } == .invalidArgument)
        #expect(reason { _ = try FilePath(.cache, String(repeating: "é", count: 128)) } == .invalidArgument)
        let deepest = String(repeating: "d/", count: EngineLimits.fileDepthMax)
        #expect(try FilePath(.cache, deepest).names.count == EngineLimits.fileDepthMax)
        #expect(reason { _ = try FilePath(.cache, deepest + "d") } == .invalidArgument)
        let long = Array(repeating: longest, count: 16).joined(separator: "/")
        #expect(try FilePath(.cache, long).names.count == 16)
        #expect(reason { _ = try FilePath(.cache, long + "/n") } == .invalidArgument)
    }

    @Test func `names that only look equal are different paths`() throws {
        #expect(try FilePath(.cache, "\u{e9}") != FilePath(.cache, "e\u{301}"))
        #expect(try FilePath(.cache, "A") != FilePath(.cache, "a"))
        #expect(try FilePath(.cache, "a") != FilePath(.temporary, "a"))
    }

    @Test func `a path is below another one if it begins with all names of that path`() throws {
        let directory = try FilePath(.library, "a/b")
        #expect(try FilePath(.library, "a/b/c").isBelow(directory))
        #expect(directory.isBelow(.root(of: .library)))
        #expect(!directory.isBelow(directory))
        #expect(try !FilePath(.library, "a/bc").isBelow(directory))
        #expect(try !FilePath(.document, "a/b/c").isBelow(directory))
    }
}
