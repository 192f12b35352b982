import GhostTestSupport
import StoreBasics
import Testing

/// Every program reports the version in `ProjectVersion`.
@Suite struct VersionTests {
    @Test(arguments: ManualPages.programs.keys.sorted())
    func `every program prints the version`(_ program: String) async throws {
        let result = try await Program.run(try BuiltPrograms.path(program), ["--version"])
        #expect(result.output == "\(program) \(ProjectVersion.text)\n")
    }

    @Test func `the packages have the version, and are released together with the changelog`() throws {
        let package = try #require(
            RepositoryFiles.text("debian/changelog").prefixMatch(of: /ghoststore \((\S+)\) (\S+);/))
        #expect(package.1 == ProjectVersion.text)
        let newest = try #require(RepositoryFiles.text("CHANGELOG.md").firstMatch(of: /\n## \[([^\]]+)\]/)).1
        #expect(newest == (package.2 == "UNRELEASED" ? "Unreleased" : "\(package.1)"))
    }

    @Test func `the Python client has the version`() throws {
        guard let text = try? RepositoryFiles.text("clients/python/src/ghoststore/_version.py") else { return }
        let stated = text.firstMatch(of: /VERSION\b[^"\n]*"([^"]+)"/)
        #expect(try #require(stated).1 == ProjectVersion.text)
    }
}
