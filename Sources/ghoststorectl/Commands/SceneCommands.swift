import ArgumentParser
import StoreClient

struct ScenesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scenes", abstract: "Typed values under keys, per scene and shared.",
        discussion: """
            Setting a key sets the scene's own value and the one all scenes share; reading a key gives the scene's own \
            value, else the shared one; removing a key removes both. An empty scene ('') means what all scenes share.
            """,
        subcommands: [
            ScenesSetCommand.self, ScenesGetCommand.self, ScenesListCommand.self, ScenesRemoveCommand.self,
            ScenesWatchCommand.self,
        ])
}

struct ScenesSetCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Set keys of a scene, all or none.",
        discussion: """
            Tells the revision that each key's value has now, which --if-revision takes to change it again only if \
            nobody else has; it is not the store's revision. Standard input is taken as it is for strings and data, \
            which as an argument is base64, and without spaces at its ends for the other types.
            """)

    @Argument(help: "The scene, 1 to 256 bytes; '' for what all scenes share.", completion: .live(.scenes))
    var scene: String

    @Argument(
        help: ArgumentHelp(
            "Keys, each with its value behind it; '-' as a value is standard input.", valueName: "key value"),
        completion: .live(.sceneKeysAndValues))
    var pairs: [String]

    @OptionGroup var empty: EmptyInputOptions
    @OptionGroup var history: HistoryOptions
    @OptionGroup var global: GlobalOptions

    @Option(help: "What the values are; json may hold arrays and objects.")
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
            let value = try type.value(word: pairs[index + 1], key: key, allowsEmpty: empty.allowEmpty)
            changes.append(.set(key, value))
            if ifAbsent {
                conditions.append(.absent(key))
            } else if let ifRevision {
                conditions.append(.revision(key, ifRevision))
            }
        }
        let commit = try await history.client(session).change(scene, changes, conditions)
        try session.output.say(commit.sentence(settingKeys: changes.map(\.key)), json: commit.jsonWithRevisions)
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

struct ScenesGetCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Show values of a scene, its own before the shared ones.")

    @Argument(help: "The scene; '' for what all scenes share.", completion: .live(.scenes))
    var scene: String

    @Argument(
        help: "Keys to show; every key by default. A single key that is not there is an error.",
        completion: .live(.sceneKeys))
    var keys: [String] = []

    @OptionGroup var columns: ColumnOptions<SceneEntry>
    @OptionGroup var global: GlobalOptions

    @Flag(help: "Print the value of one key and nothing else; data as it is.")
    var raw = false

    func validate() throws {
        guard !raw || keys.count == 1 else { throw ValidationError("--raw is for one key") }
    }

    func run(_ session: Session) async throws {
        let found =
            scene.isEmpty
            ? try await session.client.globalSceneValues(keys: keys)
            : try await session.client.sceneValues(scene, keys: keys)
        if keys.count == 1, found.isEmpty {
            throw CommandFailure(
                .notFound, "there is no such key, in the scene or shared: \(keys[0])",
                answer: ("NOT_FOUND", "SCENE_VALUE_NOT_FOUND"))
        }
        guard raw, let value = found.first?.value else {
            return try session.output.show(found, columns.names, emptyText: "no values")
        }
        if case .data(let bytes) = value {
            try session.output.raw(bytes)
        } else {
            try session.output.line(value.plainText)
        }
    }
}

/// Of the list of scenes, or of that of a scene's keys.
enum SceneListColumns: ColumnSource {
    static func columnNames(forPeople isForPeople: Bool, operands: [String]) -> [String] {
        operands.isEmpty
            ? ColumnChoice<SceneSummary>.names(forPeople: isForPeople)
            : ColumnChoice<SceneKeyRow>.names(forPeople: isForPeople)
    }
}

struct ScenesListCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the scenes that have values of their own, or the keys of one.")

    @Argument(help: "List the keys of this scene, with those it shares.", completion: .live(.scenes))
    var scene: String?

    @OptionGroup var list: ListOptions<SceneListColumns>
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        guard scene != "" else {
            throw ValidationError("'' has no list of keys; hint: \"scenes get ''\" shows what all scenes share")
        }
    }

    func run(_ session: Session) async throws {
        guard let scene else {
            return try await list.show(session, emptyText: "no scenes") { session.client.scenes(from: $0) }
        }
        try await list.show(session, emptyText: "no keys", SceneKeyRow.init) {
            session.client.sceneEntries(scene, keysOnly: true, from: $0)
        }
    }
}

struct ScenesRemoveCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove keys, or a scene.",
        discussion: """
            With keys: they are gone from the scene and from what all scenes share. Without: the scene's own values \
            are gone, and what it shares with others stays.
            """)

    @Argument(help: "The scene; with keys, '' for what all scenes share.", completion: .live(.scenes))
    var scene: String

    @Argument(help: "Keys to remove; the whole scene by default.", completion: .live(.sceneKeys))
    var keys: [String] = []

    @OptionGroup var global: GlobalOptions

    var subjects: [String] { [scene] }

    func run(_ session: Session) async throws {
        guard keys.isEmpty else {
            return try session.show(try await session.client.change(scene, keys.map { .remove($0) }))
        }
        try session.show(try await session.client.removeScene(scene))
    }
}

struct ScenesWatchCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Follow a scene's values, and the shared ones, as they are committed.",
        discussion: Following.helpText)

    @Argument(help: "The scene.", completion: .live(.scenes))
    var scene: String

    @OptionGroup var watch: WatchOptions
    @OptionGroup var global: GlobalOptions

    var endsWithTimeout: Bool { true }

    func validate() throws {
        guard !scene.isEmpty else { throw ValidationError("the scene is empty") }
    }

    func run(_ session: Session) async throws {
        try await watch.following.printChanges(WatchFilter(scene: scene), session)
    }
}
