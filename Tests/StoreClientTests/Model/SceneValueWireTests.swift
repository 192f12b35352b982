import StoreBasics
import StoreProtocol
import SwiftProtobuf
import Testing

@testable import StoreClient

/// The daemon compares the bytes of requests with the same idempotency key. Equal changes must therefore be encoded as
/// the same bytes in every process.
@Suite struct SceneValueWireTests {
    private static let keys = ["", "a", "A", "ab", "b", "e\u{301}x", "\u{e9}y", "\u{10FFFF}", "\u{FFFD}", "\0"]

    /// Returns a dictionary with nested dictionaries, whose entries were inserted in a random order.
    private func nested(depth: Int, _ random: inout SplitMix) -> SceneValue {
        var values = SceneDictionary()
        for (index, key) in Array(Self.keys.enumerated()).shuffled(using: &random) {
            values[key] = value(index, depth: depth, &random)
        }
        return .dictionary(values)
    }

    /// Returns a value whose kind depends on `index`.
    private func value(_ index: Int, depth: Int, _ random: inout SplitMix) -> SceneValue {
        switch index {
        case 0 where depth > 0: nested(depth: depth - 1, &random)
        case 1 where depth > 0: .array([nested(depth: depth - 1, &random), .array([nested(depth: 0, &random)])])
        case 2: .string("text")
        case 3: .integer(-1)
        case 4: .float(0.5)
        case 5: .double(0.1)
        case 6: .url("https://example.org")
        case 7: .data([1, 2])
        case 8: .date(Timestamp(microseconds: 3))
        default: .bool(true)
        }
    }

    @Test func `equal changes are encoded as the same bytes, in whatever order their dictionaries were filled`() throws
    {
        var random = SplitMix(seed: 1)
        let scalar = SceneChange.set("scalar", .string("text"))
        var requests: Set<[UInt8]> = []
        for _ in 0..<50 {
            let value = nested(depth: 2, &random)
            let changes = [
                scalar, .set("dictionary", value), .set("array", .array([value, .bool(true), value])), .remove("gone"),
            ]
            let request = WireSetSceneValuesRequest.with { $0.changes = changes.map(WireSceneChange.init) }
            requests.insert(try request.serializedBytes())
        }
        #expect(requests.count == 1)
    }

    @Test func `entries are in the order of their keys' bytes`() {
        var random = SplitMix(seed: 2)
        let wire = WireSceneValue(nested(depth: 0, &random))
        let written = wire.dictionary.entries.map { Array($0.key.utf8) }
        #expect(written == Self.keys.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) })
    }

    @Test func `keys that differ only in their bytes stay distinct, and numbers keep their bits`() throws {
        let keys = ["e\u{301}", "\u{e9}"]
        let wire = WireSceneValue.with {
            $0.dictionary.entries = keys.map { key in
                .with {
                    $0.key = key
                    $0.value.integer = 1
                }
            }
        }
        guard case .dictionary(let entries) = try SceneValue(wire) else {
            Issue.record("a dictionary stays one")
            return
        }
        #expect(entries.count == 2 && keys.allSatisfy { entries[$0] == .integer(1) })
        let nan = SceneValue.array([.double(Double(bitPattern: 0x7ff8_0000_0000_0001)), .float(-0.0)])
        let bytes: [UInt8] = try WireSceneValue(nan).serializedBytes()
        guard case .array(let elements) = try SceneValue(WireSceneValue(serializedBytes: bytes)),
            case .double(let number) = elements[0]
        else {
            Issue.record("an array stays one")
            return
        }
        #expect(number.bitPattern == 0x7ff8_0000_0000_0001)
    }
}
