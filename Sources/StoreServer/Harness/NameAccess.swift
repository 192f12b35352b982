internal import StoreEngine
internal import StoreProtocol

/// Rights that hold for certain names: checked when the command says what it is about.
extension CallPermissions {
    /// The command as the caller may have it. A caller whose rights do not cover the global tier of scenes has requests
    /// about a scene limited to the scene itself: it neither sees nor changes what all scenes share.
    ///
    /// - Throws: `RequestFailure` with reason `.permissionDenied`.
    func limited(_ command: Command, _ kind: CallKind, uid: UInt32) throws(RequestFailure) -> Command {
        guard !allowsEverywhere(kind) else {
            return command
        }
        guard let name = command.entryName, allows(kind, name: name) else {
            throw RequestFailure(
                .permissionDenied,
                "user \(uid) has no right to \(kind.name) on this name; hint: see access rules in ghoststored.yaml")
        }
        return allows(kind, name: SceneTiers.globalScene) ? command : command.withoutGlobalTier
    }
}

extension CallKind {
    /// True for calls about one entry of an area whose entries have names.
    var namesEntry: Bool {
        switch self {
        case .setSceneValues, .getSceneValues, .removeScene, .openLog, .appendLog, .readLog, .getLog, .deleteLog,
            .beginBlobExport, .beginBlobImport:
            true
        default: false
        }
    }
}

extension Command {
    /// The name of the entry that the command is about, in an area whose entries have names.
    var entryName: String? {
        switch self {
        case .mutation(.setSceneValues(let tiers, _, _)): tiers.own
        case .mutation(.removeScene(let scene)): scene.text
        case .pointRead(.sceneValues(let query)), .listRead(.sceneValues(let query)): query.tiers.own
        case .mutation(.openLog(let log, _)), .mutation(.deleteLog(let log)), .pointRead(.log(let log)): log.text
        case .mutation(.appendLog(let append)): append.log.text
        case .listRead(.logEntries(let query)), .waitForLog(let query, _): query.log.text
        case .blob(.beginExport(let request)): request.query.conversation.sessionText
        case .blob(.beginImport(let request)): request.conversation?.sessionText
        default: nil
        }
    }

    fileprivate var withoutGlobalTier: Command {
        switch self {
        case .mutation(.setSceneValues(let tiers, let changes, let conditions)):
            return .mutation(.setSceneValues(tiers.withoutGlobal, changes, conditions: conditions))
        case .pointRead(.sceneValues(var query)):
            query.tiers = query.tiers.withoutGlobal
            return .pointRead(.sceneValues(query))
        case .listRead(.sceneValues(var query)):
            query.tiers = query.tiers.withoutGlobal
            return .listRead(.sceneValues(query))
        default:
            return self
        }
    }
}

extension ConversationReference {
    /// What a rule on blobs can name: a session id. A conversation named by its id takes the right to all.
    fileprivate var sessionText: String? {
        switch self {
        case .session(let sessionID): sessionID.text
        case .id: nil
        }
    }
}
