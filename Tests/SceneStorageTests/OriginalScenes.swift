import StoreClient

/// A model of AppSceneStorage, written from its source: each scene has a settings file, and there is a standard one.
/// Setting a value writes to both files, removing a value removes it from both, and reading looks in the scene's file
/// first and then in the standard one.
struct OriginalScenes {
    private(set) var own: [String: [String: Int]] = [:]
    private(set) var standard: [String: Int] = [:]

    mutating func set(_ value: Int, _ key: String, _ scene: String) {
        own[scene, default: [:]][key] = value
        standard[key] = value
    }

    mutating func remove(_ key: String, _ scene: String) {
        own[scene]?[key] = nil
        standard[key] = nil
    }

    func value(_ key: String, _ scene: String) -> Int? {
        own[scene]?[key] ?? standard[key]
    }
}

struct SceneStep {
    enum Kind {
        case set(Int)
        case setAll(Int)
        case remove
    }

    let object: Int
    let key: String
    let kind: Kind

    static let keys = ["a", "b", "c"]

    init(objects: Int, number: Int, random: inout some RandomNumberGenerator) {
        object = Int.random(in: 0..<objects, using: &random)
        key = Self.keys[Int.random(in: 0..<Self.keys.count, using: &random)]
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<6: kind = .set(number)
        case 6: kind = .setAll(number)
        default: kind = .remove
        }
    }

    func apply(to model: inout OriginalScenes, _ scene: String) {
        switch kind {
        case .set(let value): model.set(value, key, scene)
        case .setAll(let value):
            for key in Self.keys {
                model.set(value, key, scene)
            }
        case .remove: model.remove(key, scene)
        }
    }

    var changes: [SceneChange] {
        switch kind {
        case .set(let value): [.set(key, .integer(Int64(value)))]
        case .setAll(let value): Self.keys.map { .set($0, .integer(Int64(value))) }
        case .remove: [.remove(key)]
        }
    }
}
