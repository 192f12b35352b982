import FoundationEssentials
import GhostTestSupport
import TestBasics
import Testing

/// Tests the web site that `make docs` writes with scripts/make-site. It needs cmark-gfm, which `make test` installs.
@Suite struct SiteTests {
    private func makeSite(_ place: TemporaryDirectory) async throws -> ProgramResult {
        try await Program.run("\(BuiltPrograms.packageDirectory)/scripts/make-site", [place.file("site")])
    }

    @Test func `every document is a page, every page is in the index, and no link is broken`() async throws {
        let place = try TemporaryDirectory()
        let result = try await makeSite(place)
        #expect(result.exitCode == 0, "\(result.errorOutput)")
        let index = place.read("site/index.html")
        let root = BuiltPrograms.packageDirectory
        let below = try ["docs", "proto-docs"].flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: "\(root)/\(folder)").map { "\(folder)/\($0)" }
        }
        let documents =
            below.filter { $0.hasSuffix(".md") && !$0.hasPrefix("docs/man/") }
            + [
                "README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "clients/python/README.md",
                "clients/generator/README.md", "systemd/README.md",
            ]
        #expect(documents.count > 50)
        for document in documents {
            let page = document.dropLast(3) + ".html"
            #expect(place.exists("site/\(page)") && index.contains("href=\"\(page)\""), "\(document)")
        }
        #expect(place.read("site/docs/cli.html").contains("<h2 id=\"standard-input\">"))
        #expect(place.read("site/docs/alarms.html").contains("href=\"#lines-of-the-log\""))
        #expect(place.read("site/README.html").contains("href=\"docs/comparison.html\""))
        #expect(place.bytes(of: "site/docs/pictures/performance-dark.svg") != nil)
        #expect(place.read("site/README.html").contains("<source media=\"(prefers-color-scheme: dark)\" srcset="))
        // A page for users that is missing from the groups in scripts/make-site would appear among the pages for
        // contributors.
        let contribute = try #require(index.components(separatedBy: "<h2>").first { $0.hasPrefix("Contribute<") })
        let pages = contribute.matches(of: /href="docs\/([^\/"]+)\.html"/).map { String($0.1) }
        #expect(pages == ["ARCHITECTURE", "testing"])
    }

    @Test func `a broken link makes the build of the site fail, and the index lists the libraries`() async throws {
        let place = try TemporaryDirectory()
        let library = "site/libraries/documentation/storeclient"
        try FileManager.default.createDirectory(atPath: place.file(library), withIntermediateDirectories: true)
        try place.write("<a href='/of-docc'>looked at by DocC</a>", to: "\(library)/index.html")
        try place.write(
            "<p id='here'></p><a href='#here'>1</a><a href='#gone'>2</a><a href='absent.html'>3</a>"
                + "<a href='https://example.org/x'>4</a><a href='README.html#quick-start'>5</a>"
                + "<a href='README.html#no-heading'>6</a>",
            to: "site/page.html")
        let result = try await makeSite(place)
        #expect(result.exitCode == 1)
        let lines = result.errorOutput.split(separator: "\n")
        #expect(
            lines == [
                "page.html: #gone names no heading", "page.html: absent.html is no file of the site",
                "page.html: README.html#no-heading names no heading", "3 links lead nowhere",
            ])
        #expect(place.read("site/index.html").contains("libraries/documentation/storeclient/index.html"))
    }
}
