import Testing

@testable import StoreEngine

/// Checks that ids and names are equal only if their bytes are equal.
@Suite struct ExactNameTests {
    private static let composed = "caf\u{e9}"
    private static let decomposed = "cafe\u{301}"

    @Test func `two encodings of one letter are different names of every kind`() throws {
        #expect(Self.composed == Self.decomposed, "Swift's own comparison takes them for one")
        #expect(Set([try EntityID(Self.composed), try EntityID(Self.decomposed)]).count == 2)
        #expect(Set([try SessionID(Self.composed), try SessionID(Self.decomposed)]).count == 2)
        #expect(Set([try SceneName(Self.composed), try SceneName(Self.decomposed)]).count == 2)
        #expect(Set([try SceneKey(Self.composed), try SceneKey(Self.decomposed)]).count == 2)
        #expect(Set([try LogName(Self.composed), try LogName(Self.decomposed)]).count == 2)
    }

    @Test func `the same bytes are one name`() throws {
        #expect(Set([try EntityID(Self.composed), try EntityID(Self.composed)]).count == 1)
        #expect(Set([try LogName(Self.decomposed), try LogName(Self.decomposed)]).count == 1)
    }
}
