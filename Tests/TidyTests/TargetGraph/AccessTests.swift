import Testing

@Suite struct AccessTests {
    private static let products: Set<String> = ["StoreClient"]

    @Test func `only libraries for applications have public declarations`() throws {
        let products = PackageManifest(text: try Repository.text("Package.swift")).libraryTargets
        #expect(products.isSuperset(of: TargetGraphLaw.applicationLibraries))
        let sources = try Repository.sources() + Repository.tests()
        expectNone(sources.flatMap { AccessRule.findings($0, products: products) })
    }

    @Test(arguments: [
        "public struct A {}", "    public let a = 1", "@frozen public enum A {}", "public init() {}", "open class A {}",
        "static public func a() {}", "public extension A {}",
    ])
    func `public code outside of products is found`(line: String) {
        for path in ["Sources/StoreEngine/A.swift", "Sources/StoreBasics/A.swift", "Tests/StoreClient/A.swift"] {
            #expect(AccessRule.findings(SwiftSource(path: path, text: line), products: Self.products).count == 1)
        }
    }

    @Test(arguments: [
        "package struct A {}", "public import StoreCrypto", "let publicKey = 1", "case .keyword(.public): \"public a\"",
        "// public means product", "func open() {}", "open(path)",
    ])
    func `what only looks public is not found`(line: String) {
        let source = SwiftSource(path: "Sources/StoreEngine/A.swift", text: line)
        #expect(AccessRule.findings(source, products: Self.products).isEmpty)
    }

    @Test(arguments: [
        "Sources/StoreClient/A.swift", "Sources/StoreBasics/Time/Timestamp.swift",
        "Sources/StoreBasics/UUIDv7+Text.swift",
    ])
    func `products, and types that they re-export, may be public`(path: String) {
        #expect(
            AccessRule.findings(SwiftSource(path: path, text: "public struct A {}"), products: Self.products).isEmpty)
    }

    @Test func `the bench is no product, so nothing of it is public`() {
        let source = SwiftSource(path: "Benchmarks/Sources/StoreClient/A.swift", text: "public struct A {}")
        #expect(AccessRule.findings(source, products: Self.products).count == 1)
    }

    @Test func `library targets are read from a manifest, except those with an underscore`() {
        let manifest = PackageManifest(
            text: """
                .executable(name: "tool", targets: ["tool"]),
                .library(name: "A", targets: ["A"]),
                .library(name: "BMacros", targets: ["BMacros", "B"]),
                package.products.append(.library(name: "_C", targets: ["C", "D"]))
                """)
        #expect(manifest.libraries["_C"] == ["C", "D"])
        #expect(manifest.libraryTargets == ["A", "B", "BMacros"])
    }
}
