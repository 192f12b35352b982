import Testing

/// Checks that each picture of the documents exists twice, for light and for dark pages.
@Suite struct PictureTests {
    private static func names() throws -> [String] {
        let ending = "-light.svg"
        return try Repository.files(below: "docs/pictures", suffix: ending).map { String($0.dropLast(ending.count)) }
    }

    /// Returns a picture without its colors.
    private static func shape(_ text: String) -> String {
        text.replacing(/<style>[\s\S]*<\/style>/, with: "")
    }

    @Test func `the light and the dark form of a picture differ in colors only`() throws {
        let names = try Self.names()
        #expect(try Repository.files(below: "docs/pictures", suffix: "").count == 2 * names.count)
        for name in names {
            let light = try Repository.text(name + "-light.svg")
            let dark = try Repository.text(name + "-dark.svg")
            #expect(Self.shape(light) == Self.shape(dark), "\(name)")
            #expect(light != dark && light.contains("<title id=\"title\">"), "\(name)")
        }
    }

    @Test func `each picture is in a document, and each format document has one`() throws {
        let documents = try Repository.documents().map(Repository.text)
        for name in try Self.names() {
            let files = ["-light.svg", "-dark.svg"].map { name.dropFirst("docs/".count) + $0 }
            let users = documents.filter { document in files.allSatisfy(document.contains) }
            #expect(!users.isEmpty, "\(name) is in no document")
        }
        for format in ["JOURNAL", "ARCHIVE", "BACKUP", "FILES", "REPLICATION"] {
            #expect(try Repository.text("proto-docs/\(format).md").contains("\n<picture>\n"), "\(format)")
        }
    }

    @Test func `pictures that differ in a text have different shapes`() {
        let light = "<svg>\n<style>\n.a { fill: #fff; }\n</style>\n<text>A</text></svg>"
        #expect(Self.shape(light) == Self.shape(light.replacing("#fff", with: "#000")))
        #expect(Self.shape(light) != Self.shape(light.replacing(">A<", with: ">B<")))
    }
}
