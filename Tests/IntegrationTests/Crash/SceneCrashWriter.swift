import StoreProtocol
import SwiftProtobuf

/// A client that counts in a scene until the daemon dies. Each request sets every key to the same counter.
struct SceneCrashWriter: Sendable {
    /// The keys, in the order of their bytes.
    static let keys = (1...5).map { "counter-\($0)" }

    let scene: String
    let idPrefix: String
    /// The counter of the first request.
    let firstCounter: Int
    /// The number of requests that are sent before the first of them is answered.
    let depth: Int
    /// A clock that is read after each response.
    var clock: @Sendable () -> Int = { 0 }

    /// Sends requests until the connection breaks. Blocks the thread meanwhile.
    func run(_ socketPath: String) throws -> [SentCall] {
        try SentCall.sendUntilKilled(socketPath, depth: depth, clock: clock) { number in
            let text = Self.text(scene, firstCounter + number)
            var request = WireSetSceneValuesRequest()
            request.scene = scene
            request.changes = Self.keys.map { key in
                WireSceneChange.with {
                    $0.key = key
                    $0.value = WireSceneValue.with { $0.kind = .string(text) }
                }
            }
            return SentCall(call: .setSceneValues(request), key: Array("\(idPrefix)scene-\(number)".utf8))
        }
    }

    /// Returns the value for a counter. Every value is unique, and some are too long for one page.
    static func text(_ scene: String, _ counter: Int) -> String {
        "\(scene) \(counter) " + String(repeating: "y", count: counter.isMultiple(of: 20) ? 3_000 : 10)
    }
}
