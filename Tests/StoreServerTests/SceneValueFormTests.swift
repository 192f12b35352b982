import FoundationEssentials
import StoreBasics
import StoreProtocol
import SwiftProtobuf
import TestBasics
import Testing

@testable import StoreEngine
@testable import StoreServer

private func canonical(_ bytes: [UInt8]) -> Result<[UInt8], StoreError> {
    bytes.withUnsafeBytes { buffer in
        Result { () throws(StoreError) in try SceneValueForm.canonical(buffer, 0..<buffer.count) }
    }
}

private func reason(_ bytes: [UInt8]) -> ErrorReason? {
    if case .failure(let failure) = canonical(bytes) { failure.reason } else { nil }
}

private func randomValue(_ generator: inout SplitMix, depth: Int = 0) -> WireSceneValue {
    var value = WireSceneValue()
    switch Int.random(in: 0..<(depth < 4 ? 10 : 8), using: &generator) {
    case 0: value.string = ["", "a", "né漢", String(repeating: "x", count: 200)].randomElement(using: &generator) ?? ""
    case 1: value.integer = [0, 1, -1, 63, 64, .max, .min].randomElement(using: &generator) ?? 0
    case 2: value.float = Float.random(in: -1...1, using: &generator)
    case 3: value.double = [0, -0.0, .infinity, 1e300].randomElement(using: &generator) ?? 0
    case 4: value.boolean = .random(using: &generator)
    case 5: value.url = "https://example.org/ä"
    case 6: value.data = Data([0, 255, 128])
    case 7: value.dateMicroseconds = Int64.random(in: .min ... .max, using: &generator)
    case 8:
        value.array.values = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
            randomValue(&generator, depth: depth + 1)
        }
    default:
        let keys = ["", "a", "aa", "b", "é", "漢"].shuffled(using: &generator).prefix(3)
        value.dictionary.entries = keys.map { key in
            .with {
                $0.key = key
                $0.value = randomValue(&generator, depth: depth + 1)
            }
        }
    }
    return value
}

extension WireSceneValue {
    /// This value, with the entries of every dictionary in the order of their keys' bytes.
    fileprivate var sorted: WireSceneValue {
        var result = self
        if case .array(let array) = kind {
            result.array.values = array.values.map(\.sorted)
        }
        if case .dictionary(let dictionary) = kind {
            result.dictionary.entries = dictionary.entries
                .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
                .map { entry in
                    .with {
                        $0.key = entry.key
                        $0.value = entry.value.sorted
                    }
                }
        }
        return result
    }
}

@Suite struct SceneValueFormTests {
    @Test func `the canonical form has the bytes of swift-protobuf with sorted dictionaries`() throws {
        var generator = TestSeeds.generator(31)
        for _ in 0..<TestTier.count(300, long: 2_000) {
            let value = randomValue(&generator)
            let form = try canonical(value.serializedBytes()).get()
            #expect(try form == value.sorted.serializedBytes())
            #expect(try canonical(form).get() == form)
        }
    }

    @Test func `a value in canonical form is accepted as whole, and one that cannot be decoded is not`() throws {
        var generator = TestSeeds.generator(32)
        var refused = 0
        let count = TestTier.count(300, long: 3_000)
        for _ in 0..<count {
            var bytes = try canonical(randomValue(&generator).serializedBytes()).get()
            #expect(SceneValueForm.isWhole(bytes))
            // Changes random bytes, as if a part of another page were in the value.
            for _ in 0...Int.random(in: 0..<4, using: &generator) where !bytes.isEmpty {
                bytes[Int.random(in: bytes.indices, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            if SceneValueForm.isWhole(bytes) {
                #expect(throws: Never.self) { try WireSceneValue(serializedBytes: bytes) }
            } else {
                refused += 1
            }
        }
        #expect(refused > count / 6)
        let deep = (0..<100_000).reduce([UInt8]()) { inner, _ in
            inner.count < 1 << 16 ? WireBytes.field(9, WireBytes.field(1, inner)) : inner
        }
        #expect(!SceneValueForm.isWhole(deep))
    }

    @Test func `nesting deeper than the documented limit is rejected`() throws {
        func nested(_ levels: Int) throws -> [UInt8] {
            var value = WireSceneValue.with { $0.integer = 1 }
            for _ in 1..<levels {
                let inner = value
                value = .with {
                    $0.dictionary.entries = [
                        .with {
                            $0.key = "k"
                            $0.value = inner
                        }
                    ]
                }
            }
            return try value.serializedBytes()
        }
        #expect(try reason(nested(EngineLimits.sceneValueNestingMax)) == nil)
        #expect(try reason(nested(EngineLimits.sceneValueNestingMax + 1)) == .invalidArgument)
        var deep: [UInt8] = []
        for _ in 0..<10_000 {
            deep = WireBytes.field(9, WireBytes.field(1, deep))
            guard deep.count < 1 << 19 else { break }
        }
        #expect(reason(deep) == .invalidArgument)
    }

    @Test func `bytes that are not a valid value are rejected`() {
        #expect(reason([]) == .invalidArgument)
        // Field 15 belongs to a later version.
        #expect(reason([0x78, 0x01]) == .invalidArgument)
        // Two kinds, the wrong wire type, a value that was cut off, and invalid UTF-8.
        #expect(reason([0x10, 0x02, 0x28, 0x01]) == .requestMalformed)
        #expect(reason([0x08, 0x01]) == .requestMalformed)
        #expect(reason([0x0a, 0x05, 0x61]) == .requestMalformed)
        #expect(reason([0x0a, 0x01, 0xff]) == .requestMalformed)
        // A dictionary with the same key twice, and an entry without a value.
        let entry = WireBytes.field(1, WireBytes.field(1, [0x61]) + WireBytes.field(2, [0x28, 0x01]))
        #expect(reason(WireBytes.field(10, entry)) == nil)
        #expect(reason(WireBytes.field(10, entry + entry)) == .invalidArgument)
        #expect(reason(WireBytes.field(10, WireBytes.field(1, WireBytes.field(1, [0x61])))) == .invalidArgument)
        let large = WireBytes.field(7, [UInt8](repeating: 0, count: EngineLimits.sceneValueBytesMax))
        #expect(reason(large) == .invalidArgument)
    }

    @Test func `random bytes never trap`() {
        var generator = TestSeeds.generator(32)
        let common: [UInt8] = [0x0a, 0x52, 0x4a, 0x12, 0x01, 0x02, 0x03]
        for _ in 0..<TestTier.count(2_000, long: 20_000) {
            let count = Int.random(in: 0...24, using: &generator)
            let bytes = (0..<count).map { _ in
                Bool.random(using: &generator)
                    ? common.randomElement(using: &generator) ?? 0 : UInt8.random(in: .min ... .max, using: &generator)
            }
            if case .success(let form) = canonical(bytes) {
                #expect(form.count <= bytes.count)
            }
        }
    }
}

private enum WireBytes {
    /// Returns a length-delimited field.
    static func field(_ number: UInt8, _ bytes: [UInt8]) -> [UInt8] {
        var length: [UInt8] = []
        var rest = bytes.count
        while rest > 0x7f {
            length.append(UInt8(rest & 0x7f) | 0x80)
            rest >>= 7
        }
        return [number << 3 | 2] + length + [UInt8(rest)] + bytes
    }
}
