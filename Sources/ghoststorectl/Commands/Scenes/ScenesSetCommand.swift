import ArgumentParser
import StoreClient

struct ScenesSetCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Set keys of a scene, all or none.")

    @Argument(help: "The scene, 1 to 256 bytes; '' for what all scenes share.")
    var scene: String

    @Argument(help: ArgumentHelp("Keys, each with its value behind it.", valueName: "key value"))
    var pairs: [String]

    @OptionGroup var global: GlobalOptions

    @Option(help: "What the values are; data is base64, json may hold arrays and objects.")
    var type: SceneValueType = .string

    @Flag(help: "Only if none of the keys has a value in the scene.")
    var ifAbsent = false

    @Option(help: ArgumentHelp("Only if the key still has the value of this revision.", valueName: "revision"))
    var ifRevision: UInt64?

    func validate() throws {
        guard !pairs.isEmpty, pairs.count.isMultiple(of: 2) else {
            throw ValidationError("each key needs a value behind it")
        }
        guard ifRevision == nil || (pairs.count == 2 && !ifAbsent) else {
            throw ValidationError("--if-revision is for one key, and excludes --if-absent")
        }
    }

    func run(_ session: Session) async throws {
        var changes: [SceneChange] = []
        var conditions: [SceneCondition] = []
        for index in stride(from: 0, to: pairs.count, by: 2) {
            let key = pairs[index]
            changes.append(.set(key, try type.value(pairs[index + 1], key: key)))
            if ifAbsent {
                conditions.append(.absent(key))
            } else if let ifRevision {
                conditions.append(.revision(key, ifRevision))
            }
        }
        try session.show(try await session.client.change(scene, changes, conditions))
    }
}

extension StoreClient {
    /// An empty scene means what all scenes share.
    func change(
        _ scene: String, _ changes: [SceneChange], _ conditions: [SceneCondition] = []
    ) async throws(StoreClientError) -> Commit {
        scene.isEmpty
            ? try await setGlobalSceneValues(changes, conditions: conditions)
            : try await setSceneValues(scene, changes, conditions: conditions)
    }
}
