import Foundation
import GhostTestSupport
import SceneStorage
import StoreClient
import Testing

/// The checks of AppSceneStorage's own tests, on objects of one process and without waiting for the daemon.
@Suite(.timeLimit(.minutes(1))) struct OriginalCallTests {
    private struct Pair {
        let first: SceneStorage
        let second: SceneStorage

        /// - Parameters:
        ///   - absent: the expected value of a key that was never set.
        ///   - set: the call that sets values of this type.
        ///   - get: the call that reads them.
        func expectLikeOriginal<Value: Equatable>(
            _ name: String, _ one: Value, _ other: Value, absent: Value?, set: (SceneStorage, Value, String) -> Void,
            get: (SceneStorage, String) -> Value?, location: SourceLocation = #_sourceLocation
        ) {
            func expect(_ left: Value?, _ right: Value?, _ moment: Comment) {
                #expect(get(first, name) == left, "\(name), the first \(moment)", sourceLocation: location)
                #expect(get(second, name) == right, "\(name), the second \(moment)", sourceLocation: location)
            }
            expect(absent, absent, "before")
            set(first, one, name)
            expect(one, one, "after the first was set")
            set(second, other, name)
            expect(one, other, "after the second was set")
            set(first, other, name)
            expect(other, other, "after the first was set again")
            first.removeObject(forKey: name)
            expect(absent, other, "after the first was removed")
            second.removeObject(forKey: name)
            expect(absent, absent, "after both were removed")
        }
    }

    private func withPair(_ body: (Pair) async throws -> Void) async throws {
        try await withScene("storage1") { first, client in
            let second = try await SceneStorage(client: client, sceneID: "storage2")
            try await body(Pair(first: first, second: second))
            try await second.close()
        }
    }

    @Test func `every typed call returns the scene's own value, or else the shared value`() async throws {
        let pages = (try #require(URL(string: "https://a.example")), try #require(URL(string: "file:///b%20c")))
        try await withPair { pair in
            pair.expectLikeOriginal(
                "string", "a", "", absent: nil, set: { $0.set($1, forKey: $2) }, get: { $0.string(forKey: $1) })
            pair.expectLikeOriginal(
                "integer", -7, .max, absent: 0, set: { $0.set($1, forKey: $2) }, get: { $0.integer(forKey: $1) })
            pair.expectLikeOriginal(
                "float", 1.5, -.pi, absent: 0, set: { $0.set($1, forKey: $2) }, get: { $0.float(forKey: $1) })
            pair.expectLikeOriginal(
                "double", 1e300, .pi, absent: 0, set: { $0.set($1, forKey: $2) }, get: { $0.double(forKey: $1) })
            pair.expectLikeOriginal(
                "bool", false, true, absent: false, set: { $0.set($1, forKey: $2) }, get: { $0.bool(forKey: $1) })
            pair.expectLikeOriginal(
                "other bool", true, false, absent: false, set: { $0.set($1, forKey: $2) },
                get: { $0.bool(forKey: $1) })
            pair.expectLikeOriginal(
                "url", pages.0, pages.1, absent: nil, set: { $0.set($1, forKey: $2) }, get: { $0.url(forKey: $1) })
            pair.expectLikeOriginal(
                "data", Data("a".utf8), Data(), absent: nil, set: { $0.set($1, forKey: $2) },
                get: { $0.data(forKey: $1) })
            pair.expectLikeOriginal(
                "string array", ["a", "b"], [], absent: nil, set: { $0.set($1, forKey: $2) },
                get: { $0.stringArray(forKey: $1) })
            pair.expectLikeOriginal(
                "array", ["a", "b"], ["c"], absent: nil, set: { $0.set($1, forKey: $2) },
                get: { $0.array(forKey: $1) as? [String] })
            pair.expectLikeOriginal(
                "dictionary", ["a": "b"], ["a": "c", "d": ""], absent: nil, set: { $0.set($1, forKey: $2) },
                get: { $0.dictionary(forKey: $1) as? [String: String] })
            pair.expectLikeOriginal(
                "object", "a", "b", absent: nil, set: { $0.set($1 as Any?, forKey: $2) },
                get: { $0.object(forKey: $1) as? String })
        }
    }

    @Test func `setting nil removes the value of the scene and the shared value`() async throws {
        try await withPair { pair in
            let nothings: [(String, (SceneStorage) -> Void)] = [
                ("object", { $0.set(nil as Any?, forKey: "k") }), ("url", { $0.set(nil as URL?, forKey: "k") }),
                ("text", { $0.set(nil as String?, forKey: "k") }),
            ]
            for (name, setNothing) in nothings {
                pair.first.set("https://a.example", forKey: "k")
                pair.second.set("https://b.example", forKey: "k")
                setNothing(pair.first)
                #expect(pair.first.object(forKey: "k") == nil, "\(name)")
                #expect(pair.second.string(forKey: "k") == "https://b.example", "\(name)")
                setNothing(pair.second)
                #expect(pair.first.keys.isEmpty && pair.second.keys.isEmpty, "\(name)")
            }
        }
    }

    /// The original library differs only here: it returns the value that all scenes share, if the scene's own value is
    /// of another kind than requested.
    @Test func `a scene's own value counts, even if it is of another kind than requested`() async throws {
        try await withPair { pair in
            pair.first.set(5, forKey: "k")
            pair.second.set(["a"], forKey: "k")
            #expect(pair.first.stringArray(forKey: "k") == nil && pair.first.array(forKey: "k") == nil)
            #expect(pair.first.string(forKey: "k") == "5")
            #expect(pair.second.stringArray(forKey: "k") == ["a"] && pair.second.integer(forKey: "k") == 0)
        }
    }
}
