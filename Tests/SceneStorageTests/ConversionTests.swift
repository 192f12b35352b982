import FoundationEssentials
import SceneStorage
import StoreClient
import Testing

/// Reading a value as another type returns what `UserDefaults` returns.
@Suite struct ConversionTests {
    @Test(arguments: [
        ("12", 12), ("12 apples", 12), ("  -7", -7), ("+3", 3), ("abc", 0), ("", 0), ("3.9", 3),
        ("99999999999999999999", Int.max), ("-99999999999999999999", Int.min), ("-9223372036854775808", Int.min),
    ])
    func `a text is read as the integer it starts with`(_ text: String, _ number: Int) {
        #expect(Int(sceneValue: .string(text)) == number)
    }

    @Test(arguments: [
        (SceneValue.double(2.9), 2), (.double(-2.9), -2), (.float(7.5), 7), (.bool(true), 1), (.bool(false), 0),
        (.double(.nan), 0), (.double(1e300), Int.max), (.double(-.infinity), Int.min),
    ])
    func `a number with decimals is read as an integer without them`(_ value: SceneValue, _ number: Int) {
        #expect(Int(sceneValue: value) == number)
    }

    @Test(arguments: [
        ("YES", true), ("yes", true), ("true", true), ("T", true), ("1", true), ("42", true), ("-1", true),
        ("001", true), (" y", true), ("NO", false), ("false", false), ("0", false), ("", false), ("on", false),
    ])
    func `a text is read as a boolean`(_ text: String, _ truth: Bool) {
        #expect(Bool(sceneValue: .string(text)) == truth)
    }

    @Test(arguments: [
        ("2.5", 2.5), ("2.5 m", 2.5), ("-0.25", -0.25), ("1e3", 1_000), ("1e", 1), ("1E-2x", 0.01), (".5", 0.5),
        ("5.", 5), ("e5", 0), ("abc", 0),
    ])
    func `a text is read as the decimal number it starts with`(_ text: String, _ number: Double) {
        #expect(Double(sceneValue: .string(text)) == number)
        #expect(Float(sceneValue: .string(text)) == Float(number))
    }

    @Test(arguments: [
        (SceneValue.integer(12), "12"), (.double(2.5), "2.5"), (.double(3), "3"), (.float(0.1), "0.1"),
        (.bool(true), "1"), (.bool(false), "0"), (.integer(.min), "-9223372036854775808"),
    ])
    func `a number is read as its text`(_ value: SceneValue, _ text: String) {
        #expect(String(sceneValue: value) == text)
    }

    @Test func `a text is read as the URL of a file`() throws {
        let url = try #require(URL(sceneValue: .string("/tmp/a b")))
        #expect(url.isFileURL)
        #expect(url.path == "/tmp/a b")
    }

    @Test func `a kind of value without a conversion rule is not read as another kind`() {
        #expect(Data(sceneValue: .string("x")) == nil)
        #expect(String(sceneValue: .data([1])) == nil)
        #expect(Int(sceneValue: .array([])) == nil)
        #expect(URL(sceneValue: .integer(1)) == nil)
        #expect([String](sceneValue: .array([.string("a"), .data([1])])) == nil)
        #expect([String: Int](sceneValue: .array([])) == nil)
    }

    @Test func `every stored value is read back the same`() throws {
        try expectSame("text")
        try expectSame(Int.min)
        try expectSame(Float.pi)
        try expectSame(Double.pi)
        try expectSame(true)
        try expectSame(try #require(URL(string: "https://example.org/a?b=c#d")))
        try expectSame(Data([0, 255]))
        try expectSame(Date(timeIntervalSince1970: 1.5))
        try expectSame([["a": [1, 2]], [:]])
    }

    private func expectSame<Value: SceneStorable & Equatable>(_ value: Value) throws {
        #expect(try #require(Value(sceneValue: value.sceneValue)) == value)
    }
}
