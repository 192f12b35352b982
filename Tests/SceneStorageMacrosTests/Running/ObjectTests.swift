import SceneStorage
import Testing

@Suite struct ObjectTests {
    @Test func `two objects on one storage see each other's changes`() async throws {
        try await TestScene.with { scene in
            let (one, other) = (Panel(sceneStorage: scene.storage), Panel(sceneStorage: scene.storage))
            one.width = 250
            #expect(other.width == 250)
        }
    }

    @Test func `an actor's properties are changed in isolation, and a nonisolated one from anywhere`() async throws {
        try await TestScene.with { scene in
            let counter = Counter(sceneStorage: scene.storage)
            await withTaskGroup { group in
                for _ in 1...20 { group.addTask { _ = await counter.increment() } }
            }
            counter.title = "clicks"
            #expect(await counter.count == 20)
            #expect(counter.title == "clicks")
            let kept = try await scene.asReadElsewhere { $0.value(Int.self, forKey: "count") }
            #expect(kept == 20)
        }
    }

    @Test func `a subclass has its own keys in addition to its superclass's keys`() async throws {
        try await TestScene.with { scene in
            let panel = SidePanel(sceneStorage: scene.storage)
            panel.width = 5
            panel.side = "right"
            #expect(scene.storage.value(Int.self, forKey: "width") == 5)
            #expect(scene.storage.value(String.self, forKey: "side") == "right")
        }
    }

    @Test
    func `a type's own initializer can set the storage, even on the main actor`() async throws {
        try await TestScene.with { scene in
            await MainActor.run {
                let titled = Titled(title: "a", sceneStorage: scene.storage)
                titled.width += 1
                #expect(titled.width == 101 && titled.title == "a")
            }
        }
    }
}
