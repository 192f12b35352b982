import StoreProtocol
import SwiftProtobuf

/// A client that counts in a scene until the daemon dies: each request sets every key to the same counter.
struct SceneCrashWriter: Sendable {
    /// In the order of their bytes.
    static let keys = (1...5).map { "counter-\($0)" }

    let scene: String
    let idPrefix: String
    /// Of the first request.
    let firstCounter: Int
    /// Requests sent before the first of them is answered.
    let depth: Int
    /// A clock that is asked after each answer.
    var clock: @Sendable () -> Int = { 0 }

    /// Blocks until the connection breaks.
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

    /// The value that stands for a counter: unlike any other, and now and then too long for one page.
    static func text(_ scene: String, _ counter: Int) -> String {
        "\(scene) \(counter) " + String(repeating: "y", count: counter.isMultiple(of: 20) ? 3_000 : 10)
    }
}
