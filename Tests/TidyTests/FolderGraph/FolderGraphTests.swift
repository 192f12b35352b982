import Testing

@Suite struct FolderGraphTests {
    @Test func `folders of a target form no new cycles`() throws {
        for (target, sources) in Dictionary(grouping: try Repository.sources(), by: \.target) {
            let graph = FolderGraph(sources)
            let arrows = graph.arrowsOfCycles()
            let known = FolderGraphLaw.knownArrows[target] ?? 0
            if arrows.count > known {
                expectNone(arrows.compactMap { graph.uses[$0]?.first })
            }
            #expect(
                arrows.count >= known, "\(target) has \(arrows.count) arrows on cycles; lower the number in the law")
        }
    }

    @Test func `the order contains each room of the engine`() throws {
        #expect(FolderGraphLaw.knownArrows["StoreEngine"] == nil)
        let sources = try Repository.sources().filter { $0.target == "StoreEngine" }
        let rooms = Set(sources.compactMap { $0.path.split(separator: "/").dropFirst(2).first.map(String.init) })
        #expect(rooms == Set(FolderGraphLaw.roomsOfEngine))
    }

    @Test func `each room of the engine uses only earlier rooms`() throws {
        let order = FolderGraphLaw.roomsOfEngine
        let sources = try Repository.sources().filter { $0.target == "StoreEngine" }
        let wrong = FolderGraph(sources).uses.filter { arrow, _ in
            guard arrow.parent.isEmpty, let from = order.firstIndex(of: arrow.from),
                let to = order.firstIndex(of: arrow.to)
            else { return false }
            return from < to || FolderGraphLaw.strangers[arrow.from]?.contains(arrow.to) == true
        }
        expectNone(wrong.values.flatMap(\.self))
    }

    @Test(arguments: ["let b: B", "let text = \"\\(B.name)\"", "extension B {}", "func f() -> [B?] { [] }"])
    func `two folders that use each other's types are found`(use: String) {
        let graph = FolderGraph([
            SwiftSource(path: "Sources/T/One/A.swift", text: "package struct A {}\n\(use)"),
            SwiftSource(path: "Sources/T/Two/B.swift", text: "final class B {\n    let a: A\n}"),
        ])
        #expect(graph.arrowsOfCycles().map(\.text) == ["/: One > Two", "/: Two > One"])
    }

    @Test func `a cycle over several folders and a cycle with a parent folder are found`() {
        func source(_ path: String, _ name: String, uses other: String) -> SwiftSource {
            SwiftSource(path: "Sources/T/\(path).swift", text: "enum \(name) {\n    typealias X = \(other)\n}")
        }
        let long = FolderGraph([
            source("One/A", "A", uses: "B"), source("Two/Deep/B", "B", uses: "C"), source("Three/C", "C", uses: "A"),
        ])
        #expect(long.arrowsOfCycles().map(\.text) == ["/: One > Two", "/: Three > One", "/: Two > Three"])
        let above = FolderGraph([source("One/A", "A", uses: "B"), source("One/In/B", "B", uses: "A")])
        #expect(above.arrowsOfCycles().map(\.text) == ["One/: . > In", "One/: In > ."])
    }

    @Test func `private types, comments and uses within one folder make no arrow`() {
        let graph = FolderGraph([
            SwiftSource(
                path: "Sources/T/One/A.swift", text: "struct A {}\nprivate enum B {}\n// C and D\nlet b: B, e: E"),
            SwiftSource(path: "Sources/T/One/E.swift", text: "struct E {\n    let a: A\n}"),
            SwiftSource(path: "Sources/T/Two/C.swift", text: "struct C {\n    let a: A\n}\nprotocol D {}"),
        ])
        #expect(graph.arrowsOfCycles().isEmpty)
        #expect(graph.uses.keys.map(\.text) == ["/: Two > One"])
    }
}
