import StoreBasics
import StoreEngine
import StoreProtocol

enum SceneCalls {
    static let setSceneValues = CallRule(
        .write(.scenes), .write, bytesMax: CallLimits.batchBytesMax,
        entriesMax: 2 * EngineLimits.requestEntitiesMax, names: .itself
    ) { (call) throws(StoreError) in
        let fields = try SetSceneValuesFields(call.bytes)
        let tiers = try tiers(fields.scene, isGlobal: fields.isGlobal)
        return .mutation(.setSceneValues(tiers, fields.changes, conditions: fields.conditions), of: tiers.own)
    }

    static let getSceneValues = CallRule(
        .read(.scenes), .read, bytesMax: CallLimits.sceneKeyListBytesMax, entriesMax: EngineLimits.pageRowsMax,
        names: .itself
    ) { (request: WireGetSceneValuesRequest, _) throws(StoreError) in
        let tiers = try tiers(request.scene, isGlobal: request.global)
        guard !request.keys.isEmpty else {
            let limit = try request.limit.asLimit(default: EngineLimits.pageRowsMax)
            let page = SceneValueQuery.Selection.page(limit: limit, cursor: request.cursor.ifGiven)
            return .getSceneValues(SceneValueQuery(tiers, page, keysOnly: request.keysOnly))
        }
        guard request.limit == 0, request.cursor.isEmpty else {
            throw .invalidArgument("a request that names keys accepts no limit and no cursor")
        }
        let keys = try request.keys.map { (text) throws(StoreError) in try SceneKey(wire: text) }
        return .getSceneValues(SceneValueQuery(tiers, .keys(keys), keysOnly: request.keysOnly))
    }

    static let listScenes = CallRule(.read(.scenes), .read) {
        (request: WireListScenesRequest, _) throws(StoreError) in
        let limit = try request.limit.asLimit()
        let cursor = request.cursor.ifGiven
        return .read(isLong: true) { (reader, _) throws(StoreError) in
            .result(.scenes(WireListScenesResponse(try reader.scenes(limit: limit, cursor: cursor))))
        }
    }

    static let removeScene = CallRule(.write(.scenes), .write, names: .itself) {
        (request: WireRemoveSceneRequest, _) throws(StoreError) in
        let scene = try SceneName(wire: request.scene)
        return .mutation(.removeScene(scene), of: scene.text)
    }

    static func read(_ query: SceneValueQuery, _ reader: StoreReader) -> Answer {
        Answer { () throws(StoreError) in
            .sceneValues(try reader.sceneValues(query, isWhole: SceneValueForm.isWhole))
        }
    }

    private static func tiers(_ scene: String, isGlobal: Bool) throws(StoreError) -> SceneTiers {
        guard isGlobal else { return .sceneAndGlobal(try SceneName(wire: scene)) }
        guard scene.isEmpty else { throw .invalidArgument("global and scene cannot be combined; leave one out") }
        return .globalOnly
    }
}

extension SceneValueQuery {
    /// True for a read of one key, which runs on the event loop. Reads of several keys run on a reader thread.
    var isOfOneKey: Bool {
        switch selection {
        case .keys(let keys): keys.count == 1
        case .page: false
        }
    }
}

/// `SetSceneValuesRequest`, decoded without building protobuf types, because a request with many small values would
/// take many times its size as a protobuf message.
private struct SetSceneValuesFields {
    var scene = ""
    var isGlobal = false
    var changes: [SceneChange] = []
    var conditions: [SceneCondition] = []

    init(_ call: UnsafeRawBufferPointer) throws(StoreError) {
        var message = CallMessage(call)
        while let field = try message.next() {
            switch (field.number, field.value) {
            case (1, .bytes(let range)): scene = try message.text(range)
            case (2, .varint(let value)): isGlobal = value != 0
            case (3, .bytes(let range)): changes.append(try Self.change(CallMessage(call, range)))
            case (4, .bytes(let range)): conditions.append(try Self.condition(CallMessage(call, range)))
            default: try message.expectUnknown(field, known: 1...4)
            }
        }
    }

    private static func change(_ message: CallMessage) throws(StoreError) -> SceneChange {
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
        return SceneChange(key: try SceneKey(wire: key), value: value)
    }

    private static func condition(_ message: CallMessage) throws(StoreError) -> SceneCondition {
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
            throw .invalidArgument("a condition must have 'absent' or a revision")
        }
        return SceneCondition(key: try SceneKey(wire: key), revision: revision)
    }
}
