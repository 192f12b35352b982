import FoundationEssentials
import SceneStorage
import StoreClient
import Testing

@Suite struct TypeTests {
    @Test func `an optional property of every type is nil at first, and is stored once set`() async throws {
        try await TestScene.with { scene in
            let sample = OptionalSample(sceneStorage: scene.storage)
            #expect(sample.string == nil && sample.integer == nil && sample.float == nil && sample.double == nil)
            #expect(sample.bool == nil && sample.url == nil && sample.data == nil && sample.date == nil)
            #expect(sample.urls == nil && sample.scores == nil && sample.nested == nil && sample.mixed == nil)
            #expect(sample.theme == nil && sample.spelled == nil && sample.unwrapped == nil)
            Self.fill(sample)
            Self.expectFilled(sample)
            try await scene.asReadElsewhere { Self.expectFilled(OptionalSample(sceneStorage: $0)) }
        }
    }

    @Test func `setting nil removes the stored value`() async throws {
        try await TestScene.with { scene in
            let sample = OptionalSample(sceneStorage: scene.storage)
            Self.fill(sample)
            sample.string = nil
            sample.nested = nil
            sample.theme = .none
            sample.unwrapped = nil
            #expect(sample.string == nil && sample.nested == nil && sample.theme == nil && sample.unwrapped == nil)
            let other = try await scene.asReadElsewhere { storage in
                let other = OptionalSample(sceneStorage: storage)
                return (other.string, other.nested, other.integer)
            }
            #expect(other.0 == nil && other.1 == nil && other.2 == -42)
        }
    }

    @Test func `properties made of Any store any property list`() async throws {
        try await TestScene.with { scene in
            let sample = UntypedSample(sceneStorage: scene.storage)
            #expect(sample.object == nil && sample.array == nil && sample.dictionary == nil)
            #expect(sample.list.count == 3 && sample.table["two"] as? String == "2" && sample.empty.isEmpty)
            sample.object = 7
            sample.array = ["a", 2]
            sample.dictionary = ["name": "Jo", "tags": ["x"]]
            sample.table["three"] = true
            try await scene.asReadElsewhere { storage in
                let other = UntypedSample(sceneStorage: storage)
                #expect(other.object as? Int == 7)
                #expect(other.array?.first as? String == "a" && other.array?.last as? Int == 2)
                #expect(other.dictionary?["name"] as? String == "Jo")
                #expect(other.dictionary?["tags"] as? [String] == ["x"])
                #expect(other.table["three"] as? Bool == true && other.table["one"] as? Int == 1)
            }
            sample.dictionary = nil
            #expect(sample.dictionary == nil && !scene.storage.keys.contains("dictionary"))
        }
    }

    private static let url = URL(string: "https://example.org/a?b=c")
    private static let date = Date(timeIntervalSince1970: 1_700_000_000.25)

    private static func fill(_ sample: OptionalSample) {
        sample.string = "über 👻"
        sample.integer = -42
        sample.float = 0.1
        sample.double = .pi
        sample.bool = false
        sample.url = url
        sample.data = Data([0, 255])
        sample.date = date
        sample.urls = url.map { [$0, $0] }
        sample.scores = ["a": 0.5]
        sample.nested = ["a": [[1, 2], []]]
        sample.mixed = ["a": .bool(true), "b": .string("x")]
        sample.theme = .dark
        sample.spelled = [["on": true]]
        sample.unwrapped = "here"
    }

    private static func expectFilled(_ sample: OptionalSample) {
        #expect(sample.string == "über 👻")
        #expect(sample.integer == -42)
        #expect(sample.float == 0.1)
        #expect(sample.double == .pi)
        #expect(sample.bool == false)
        #expect(sample.url == url)
        #expect(sample.data == Data([0, 255]))
        #expect(sample.date == date)
        #expect(sample.urls?.count == 2 && sample.urls?.last == url)
        #expect(sample.scores == ["a": 0.5])
        #expect(sample.nested == ["a": [[1, 2], []]])
        #expect(sample.mixed == ["a": .bool(true), "b": .string("x")])
        #expect(sample.theme == .dark)
        #expect(sample.spelled == [["on": true]])
        #expect(sample.unwrapped == "here")
    }
}
