import ArgumentParser
import StoreClient

struct ScenesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scenes", abstract: "Store typed values under keys, for one scene and for all scenes.",
        discussion: """
            If you set a key, its value is set in the scene and in the values that all scenes share. If you read a \
            key, you get the scene's own value, or else the global value. If you remove a key, both values \
            are removed. An empty scene ('') means the global values.
            """,
        subcommands: [
            ScenesSetCommand.self, ScenesGetCommand.self, ScenesListCommand.self, ScenesRemoveCommand.self,
            ScenesWatchCommand.self,
        ])
}

struct ScenesSetCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Set keys of a scene. If one key cannot be set, no key is set.",
        discussion: """
            The command prints the revision of each value, which is not the revision of the store. With --if-revision \
            a value is set only if the current value of the key has this revision. Standard input is used as it is for \
            strings and data; for other types, spaces and newlines at both ends are ignored. As an argument, data is \
            base64.
            """)

    @Argument(help: "The scene, 1 to 256 bytes; '' means the global values.", completion: .live(.scenes))
    var scene: String

    @Argument(
        help: ArgumentHelp(
            "Keys, each followed by its value; '-' as a value is standard input.", valueName: "key value"),
        completion: .live(.sceneKeysAndValues))
    var pairs: [String]

    @OptionGroup var empty: EmptyInputOptions
    @OptionGroup var history: HistoryOptions
    @OptionGroup var global: GlobalOptions

    @Option(help: "Type of the values; json can have arrays and objects.")
    var type: SceneValueType = .string

    @Flag(help: "Set the keys only if none of them has a value in the scene.")
    var ifAbsent = false

    @Option(help: ArgumentHelp("Set the key only if its current value has this revision.", valueName: "revision"))
    var ifRevision: UInt64?

    func validate() throws {
        guard !pairs.isEmpty, pairs.count.isMultiple(of: 2) else {
            throw ValidationError("each key needs a value after it")
        }
        guard ifRevision == nil || (pairs.count == 2 && !ifAbsent) else {
            throw ValidationError("--if-revision needs exactly one key, and cannot be combined with --if-absent")
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
    /// Changes the values of a scene. An empty scene stands for the values that all scenes share.
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
        commandName: "get", abstract: "Show a scene's values; a key without a value of its own has the global value.")

    @Argument(help: "The scene; '' means the global values.", completion: .live(.scenes))
    var scene: String

    @Argument(
        help: "Keys to show (default: all). If you name a single key, it must exist.",
        completion: .live(.sceneKeys))
    var keys: [String] = []

    @OptionGroup var columns: ColumnOptions<SceneEntry>
    @OptionGroup var global: GlobalOptions

    @Flag(help: "Print only the value of one key; data is printed as raw bytes.")
    var raw = false

    func validate() throws {
        guard !raw || keys.count == 1 else { throw ValidationError("--raw needs exactly one key") }
    }

    func check() throws(CommandFailure) {
        if raw { try global.refuseQuiet(with: "--raw") }
    }

    func run(_ session: Session) async throws {
        let found =
            scene.isEmpty
            ? try await session.client.globalSceneValues(keys: keys)
            : try await session.client.sceneValues(scene, keys: keys)
        if keys.count == 1, found.isEmpty {
            throw CommandFailure(
                .notFound, "there is no such key in the scene or the global values: \(keys[0])",
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

/// The columns of the list of scenes, or of the list of a scene's keys.
enum SceneListColumns: ColumnSource {
    static func columnNames(forPeople isForPeople: Bool, operands: [String]) -> [String] {
        operands.isEmpty
            ? ColumnChoice<SceneSummary>.names(forPeople: isForPeople)
            : ColumnChoice<SceneKeyRow>.names(forPeople: isForPeople)
    }
}

struct ScenesListCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the scenes that have values of their own, or the keys of one scene.")

    @Argument(
        help: "List the keys of this scene, including the keys that have only a global value.",
        completion: .live(.scenes))
    var scene: String?

    @OptionGroup var list: ListOptions<SceneListColumns>
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        guard scene != "" else {
            throw ValidationError(
                "the keys of '' cannot be listed; hint: \"scenes get ''\" shows the values that all scenes share")
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
        commandName: "remove", abstract: "Remove keys of a scene, or the whole scene.",
        discussion: """
            With keys, the scene's own values and the global values of these keys are removed. Without keys, all of \
            the scene's own values are removed, and the global values stay.
            """)

    @Argument(help: "The scene; with keys, '' means the global values.", completion: .live(.scenes))
    var scene: String

    @Argument(help: "Keys to remove (default: the whole scene).", completion: .live(.sceneKeys))
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
        commandName: "watch", abstract: "Show changes to the values of a scene, and to global values, live.",
        discussion: Following.helpText)

    @Argument(help: "The scene.", completion: .live(.scenes))
    var scene: String

    @OptionGroup var watch: WatchOptions
    @OptionGroup var global: GlobalOptions

    var endsWithTimeout: Bool { true }

    func validate() throws {
        guard !scene.isEmpty else { throw ValidationError("the scene's name is empty") }
    }

    func run(_ session: Session) async throws {
        try await watch.following.printChanges(WatchFilter(scene: scene), session)
    }
}
