import StoreBasics
import Testing

@Suite struct ExactDictionaryTests {
    private static let (composed, decomposed) = ("\u{e9}", "e\u{301}")

    @Test func `equivalent texts with different bytes are different keys`() {
        var dictionary: ExactDictionary = [Self.composed: 1]
        dictionary[Self.decomposed] = 2
        #expect(dictionary.count == 2 && !dictionary.isEmpty)
        #expect(dictionary[Self.composed] == 1 && dictionary[Self.decomposed] == 2)
        #expect(dictionary.updateValue(3, forKey: Self.composed) == 1)
        #expect(dictionary.keys.map { Array($0.utf8) } == [[0x65, 0xcc, 0x81], [0xc3, 0xa9]])
        #expect(dictionary.values == [2, 3] && dictionary.mapValues { $0 * 2 }.values == [4, 6])
        dictionary[Self.decomposed] = nil
        #expect(dictionary == [Self.composed: 3] && dictionary != [Self.decomposed: 3])
    }

    @Test func `equality and hashes do not depend on the order of insertion`() {
        let keys = ["", "a", "A", "ab", Self.composed, Self.decomposed, "\0", "\u{10FFFF}"]
        var (first, second) = (ExactDictionary<String>(), ExactDictionary<String>())
        for key in keys { first[key] = key }
        for key in keys.reversed() { second[key] = key }
        #expect(first == second && first.hashValue == second.hashValue && Set([first, second]).count == 1)
        #expect(first.map { Array($0.key.utf8) } == second.map { Array($0.key.utf8) })
    }

    @Test func `conversion from a standard dictionary keeps all entries, and conversion to one keeps those that fit`() {
        let standard = ["a": 1, "b": 2]
        #expect(ExactDictionary(standard).standardDictionary == standard)
        let both: ExactDictionary = [Self.composed: 1, Self.decomposed: 2]
        #expect(both.standardDictionary.count == 1)
        #expect(both.standardDictionary[Self.composed] == 1)
    }
}
