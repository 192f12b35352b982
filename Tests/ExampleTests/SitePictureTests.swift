import FoundationEssentials
import GhostTestSupport
import TestBasics
import Testing

/// Tests pictures with a light and a dark version, the only HTML that scripts/make-site accepts in a document.
@Suite struct SitePictureTests {
    private static let picture = """
        <picture>
          <source media="(prefers-color-scheme: dark)" srcset="pictures/a-dark.svg">
          <img src="pictures/a-light.svg" width="70" alt="A &amp; B">
        </picture>
        """

    /// Runs make-site in a temporary repository whose only document is docs/page.md.
    private func makeSite(of text: String, _ place: TemporaryDirectory) async throws -> ProgramResult {
        for folder in ["docs/pictures", "scripts"] {
            try FileManager.default.createDirectory(atPath: place.file(folder), withIntermediateDirectories: true)
        }
        for name in ["scripts/make-site", "scripts/site_pages"] {
            try FileManager.default.copyItem(
                atPath: "\(BuiltPrograms.packageDirectory)/\(name)", toPath: place.file(name))
        }
        for name in ["a-dark", "a-light"] { try place.write("<svg/>", to: "docs/pictures/\(name).svg") }
        try place.write("# Page\n\n\(text)\n", to: "docs/page.md")
        return try await Program.run(place.file("scripts/make-site"), [place.file("site")])
    }

    @Test func `a picture is in the page, and its files are in the site`() async throws {
        let place = try TemporaryDirectory()
        let inList = "- " + Self.picture.replacing("\n", with: "\n  ")
        let inCode = "```html\n\(Self.picture)\n<b>\n```"
        let result = try await makeSite(of: "\(Self.picture)\n\ntext\n\n\(inCode)\n\n\(inList)", place)
        #expect(result.exitCode == 0, "\(result.errorOutput)")
        let html =
            "<p><picture><source media=\"(prefers-color-scheme: dark)\" srcset=\"pictures/a-dark.svg\">"
            + "<img alt=\"A &amp; B\" src=\"pictures/a-light.svg\" width=\"70\"></picture></p>"
        let page = place.read("site/docs/page.html")
        #expect(page.ranges(of: html).count == 2, "\(page)")
        #expect(page.contains("&lt;picture&gt;\n  &lt;source media=") && page.contains("&lt;b&gt;"), "\(page)")
        #expect(place.exists("site/docs/pictures/a-dark.svg") && place.exists("site/docs/pictures/a-light.svg"))
    }

    @Test(arguments: ["a-dark", "a-light"]) func `a missing file is a broken link`(name: String) async throws {
        let place = try TemporaryDirectory()
        let result = try await makeSite(of: Self.picture.replacing(name, with: "absent"), place)
        #expect(result.exitCode == 1)
        #expect(result.errorOutput.hasPrefix("docs/page.html: pictures/absent.svg is no file of the site\n"))
    }

    private static let changes = [
        ("<picture>", "<picture class=\"x\">"), ("</picture>", "</picture><b>"), ("</picture>", "text</picture>"),
        ("</picture>", ""), ("</picture>", "</picture>\ntext"), ("  <img", "  <b>x</b><img"), ("<img", "<image"),
        ("media=\"(prefers-color-scheme: dark)\" ", ""), ("dark)\"", "light)\""),
        ("<source", "<source type=\"x\""), (" alt=\"A &amp; B\"", ""), ("A &amp; B", " "),
        ("<img", "<img onload=\"x()\""), ("width", "height"), ("\"70\"", "\"70%\""), ("\"70\"", "'70'"),
        ("<img", "<img alt=\"again\""), ("\"pictures/a-l", "\"https://example.org/a-l"),
        ("\"pictures/a-d", "\"/pictures/a-d"), ("pictures/a-d", "../../a-d"), ("a-dark.svg", "a-dark.svg 2x"),
        ("a-dark.svg", "a-dark.svg, b.svg"),
    ]
    private static let others = [
        "text <b>bold</b>", "<!-- a remark -->text", "text \(picture)", "<script>x()</script>", "\(picture)\n\n<b>",
        "<div>\n\(picture)\n</div>", "<img src=\"pictures/a-light.svg\" alt=\"x\">",
    ]

    @Test(arguments: changes.map { picture.replacing($0, with: $1) } + others)
    func `any other HTML is rejected`(text: String) async throws {
        let place = try TemporaryDirectory()
        let result = try await makeSite(of: text, place)
        #expect(result.exitCode == 1, "\(place.read("site/docs/page.html"))")
        #expect(result.errorOutput.hasPrefix("docs/page.md holds HTML; hint: "), "\(result.errorOutput)")
    }
}
