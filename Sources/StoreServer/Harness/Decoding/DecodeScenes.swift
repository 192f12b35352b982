internal import StoreEngine
internal import StoreProtocol

extension RequestDecoder {
    static func decodeScenes(
        _ kind: CallKind, _ call: UnsafeRawBufferPointer
    ) throws(RequestFailure) -> Command {
        switch kind {
        case .setSceneValues:
            let fields = try SetSceneValuesFields(call)
            let tiers = try sceneTiers(fields.scene, isGlobal: fields.isGlobal)
            return .mutation(.setSceneValues(tiers, fields.changes, conditions: fields.conditions))
        case .getSceneValues:
            return try getSceneValues(try parse(WireGetSceneValuesRequest.self, call))
        case .listScenes:
            let request = try parse(WireListScenesRequest.self, call)
            let cursor = request.cursor.isEmpty ? nil : request.cursor
            return .listRead(.scenes(limit: try limit(request.limit), cursor: cursor))
        case .removeScene:
            return .mutation(.removeScene(try sceneName(try parse(WireRemoveSceneRequest.self, call).scene)))
        default:
            preconditionFailure("\(kind) is not a call on scenes")
        }
    }

    /// One key is read where the request is; more go to a reader thread.
    private static func getSceneValues(_ wire: WireGetSceneValuesRequest) throws(RequestFailure) -> Command {
        let tiers = try sceneTiers(wire.scene, isGlobal: wire.global)
        guard !wire.keys.isEmpty else {
            let limit = try limit(wire.limit, default: EngineLimits.pageRowsMax)
            let cursor = wire.cursor.isEmpty ? nil : wire.cursor
            return .listRead(
                .sceneValues(SceneValueQuery(tiers, .page(limit: limit, cursor: cursor), keysOnly: wire.keysOnly)))
        }
        guard wire.limit == 0, wire.cursor.isEmpty else {
            throw .invalidArgument("a request that names its keys takes no limit and no cursor")
        }
        var keys: [SceneKey] = []
        for text in wire.keys {
            keys.append(try sceneKey(text))
        }
        let query = SceneValueQuery(tiers, .keys(keys), keysOnly: wire.keysOnly)
        return keys.count == 1 ? .pointRead(.sceneValues(query)) : .listRead(.sceneValues(query))
    }

    private static func sceneTiers(_ scene: String, isGlobal: Bool) throws(RequestFailure) -> SceneTiers {
        guard isGlobal else {
            return .sceneAndGlobal(try sceneName(scene))
        }
        guard scene.isEmpty else {
            throw .invalidArgument("global excludes a scene; leave one of them out")
        }
        return .globalOnly
    }

    static func sceneName(_ text: String) throws(RequestFailure) -> SceneName {
        try checked { () throws(StoreError) in try SceneName(text) }
    }

    static func sceneKey(_ text: String) throws(RequestFailure) -> SceneKey {
        try checked { () throws(StoreError) in try SceneKey(text) }
    }
}

/// `SetSceneValuesRequest`, read without building protobuf types: a request of many tiny values would take many times
/// its size as such.
private struct SetSceneValuesFields {
    var scene = ""
    var isGlobal = false
    var changes: [SceneChange] = []
    var conditions: [SceneCondition] = []

    init(_ call: UnsafeRawBufferPointer) throws(RequestFailure) {
        var message = MessageFields(call)
        while let field = try message.next() {
            switch (field.number, field.value) {
            case (1, .bytes(let range)): scene = try message.text(range)
            case (2, .varint(let value)): isGlobal = value != 0
            case (3, .bytes(let range)): changes.append(try Self.change(MessageFields(call, range)))
            case (4, .bytes(let range)): conditions.append(try Self.condition(MessageFields(call, range)))
            default: try message.expectUnknown(field, known: 1...4)
            }
        }
    }

    private static func change(_ message: MessageFields) throws(RequestFailure) -> SceneChange {
        var message = message
        var key = ""
        var value: [UInt8]?
        while let field = try message.next() {
            switch (field.number, field.value) {
            case (1, .bytes(let range)):
                key = try message.text(range)
            case (2, .bytes(let range)):
                guard value == nil else { throw .malformedCall }
                value = try SceneValueForm.canonical(message.buffer, range)
            default:
                try message.expectUnknown(field, known: 1...2)
            }
        }
        return SceneChange(key: try RequestDecoder.sceneKey(key), value: value)
    }

    private static func condition(_ message: MessageFields) throws(RequestFailure) -> SceneCondition {
        var message = message
        var key = ""
        var isAbsent = false
        var revision: UInt64?
        while let field = try message.next() {
            switch (field.number, field.value) {
            case (1, .bytes(let range)): key = try message.text(range)
            case (2, .varint(let value)): isAbsent = value != 0
            case (3, .varint(let value)): revision = value
            default: try message.expectUnknown(field, known: 1...3)
            }
        }
        guard isAbsent != (revision != nil) else {
            throw .invalidArgument("a condition says either that the key is absent or which revision it has")
        }
        return SceneCondition(key: try RequestDecoder.sceneKey(key), revision: revision)
    }
}
