import FoundationEssentials
import SceneStorage
import StoreClient
import Testing

@Suite struct DefaultTests {
    @Test func `a property of every type returns its default while the scene has no value`() async throws {
        try await TestScene.with { scene in
            let sample = DefaultSample(sceneStorage: scene.storage)
            #expect(sample.string == "ab" && sample.integer == 1_000 && sample.float == -1.5 && sample.double == 3)
            #expect(sample.bool && sample.url.absoluteString == "https://example.org")
            #expect(sample.data == Data([1, 2]) && sample.date == Date(timeIntervalSince1970: 1.5))
            #expect(sample.tags == [] && sample.scores == [:] && sample.nested == ["a": [[1], []]])
            #expect(sample.theme == .dark && sample.closure == 6 && sample.optional == "present")
            #expect(sample.none == nil && sample.coalesced == 7 && sample.member == .light && sample.largest == .max)
            #expect(sample.mixed == ["a": .integer(1), "b": .array([.bool(true)])])
            #expect(sample.shadowing == 11)
        }
    }

    @Test func `a set value replaces the default, here and in other processes`() async throws {
        try await TestScene.with { scene in
            let sample = DefaultSample(sceneStorage: scene.storage)
            sample.string = ""
            sample.integer += 1
            sample.tags.append("new")
            sample.nested["b", default: []].append([9])
            sample.member = .dark
            let other = try await scene.asReadElsewhere { DefaultSample(sceneStorage: $0).contents }
            for contents in [sample.contents, other] {
                #expect(contents == [.string(""), .integer(1_001), .array([.string("new")]), .string("dark")])
            }
        }
    }

    @Test func `a default is not written to the scene, and is returned again after the value is removed`() async throws
    {
        try await TestScene.with { scene in
            let sample = DefaultSample(sceneStorage: scene.storage)
            #expect(sample.optional == "present")
            #expect(scene.storage.value(String.self, forKey: "optional") == nil)
            sample.optional = "set"
            #expect(scene.storage.value(String.self, forKey: "optional") == "set")
            sample.optional = nil
            #expect(sample.optional == "present")
        }
    }

    @Test func `a default is evaluated at every read that finds no value`() async throws {
        try await TestScene.with { scene in
            let sample = Evaluated(sceneStorage: scene.storage)
            #expect([sample.number, sample.number] == [1, 2])
            sample.number = 100
            #expect([sample.number, sample.number] == [100, 100])
        }
    }

    @Test func `a value that cannot be read as the property's type counts as absent`() async throws {
        try await TestScene.with { scene in
            let sample = DefaultSample(sceneStorage: scene.storage)
            scene.storage.setValue(["a", "b"], forKey: "theme")
            scene.storage.setValue("no theme", forKey: "member")
            #expect(sample.theme == .dark && sample.member == .light)
        }
    }
}

extension DefaultSample {
    fileprivate var contents: [SceneValue] {
        [string.sceneValue, integer.sceneValue, tags.sceneValue, member.sceneValue]
    }
}
