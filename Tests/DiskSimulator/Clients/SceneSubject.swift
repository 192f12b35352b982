import CSimulatedDisk
import StoreBasics
import StoreEngine

/// A scene, in which the client sets and removes values, and which it sometimes removes as a whole.
struct SceneSubject: Subject {
    private let client: Int
    private var values: [String: [UInt8]] = [:]
    private var removed: [[UInt8]] = []

    init(client: Int) {
        self.client = client
    }

    private var sceneText: String { "scene-\(client)" }

    var contents: [String: String] { values.mapValues(Bytes.name) }
    var removedBytes: [Needle] { removed.compactMap(Needle.init) }
    var isReadAtOnce: Bool { true }

    func read(_ reader: StoreReader) throws(StoreError) -> [String: String] {
        let query = SceneValueQuery(.sceneOnly(try SceneName(sceneText)), .page(limit: 1_000, cursor: nil))
        return try reader.sceneValues(query, isWhole: { _ in true }).entries.reduce(into: [:]) { contents, entry in
            contents[entry.key.text] = Bytes.name(of: entry.value ?? [])
        }
    }

    mutating func next(_ number: Int, _ random: inout SplitMix) throws(StoreError) -> Work {
        let scene = try SceneName(sceneText)
        if !values.isEmpty, random.isOne(of: 20) {
            removed += values.values
            values = [:]
            return .mutation(.removeScene(scene))
        }
        var changes: [SceneChange] = []
        for _ in 0...random.number(below: 4) {
            let key = "key-\(random.number(below: 12))"
            let value = random.isOne(of: 6) ? nil : Bytes.of(seed: random.next(), count: 1 + random.number(below: 900))
            removed += [values[key]].compactMap(\.self)
            values[key] = value
            changes.append(SceneChange(key: try SceneKey(key), value: value))
        }
        return .mutation(.setSceneValues(.sceneOnly(scene), changes, conditions: []))
    }
}

/// Bytes that are generated from a seed.
enum Bytes {
    static func of(seed: UInt64, from place: Int = 0, count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            disk_fill(seed, UInt64(place), buffer.baseAddress, count)
            filled = count
        }
    }

    /// Returns a short text that is almost certainly different for different bytes.
    static func name(of bytes: [UInt8]) -> String {
        "\(bytes.count) bytes \(bytes.withUnsafeBytes { disk_hash($0.baseAddress, $0.count) })"
    }
}
