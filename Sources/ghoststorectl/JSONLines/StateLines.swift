import StoreClient

extension ArchivedSceneValue: ArchiveLineForm {
    static let word = "scene_value"
    static let names: Set<String> = ["scene", "key", "value", "encoded_value", "updated_at_microseconds"]

    init(line: JSONRecord) throws(JSONError) {
        let (scene, key) = (try line.optionalText("scene"), try line.text("key"))
        let updatedAt = try line.time("updated_at_microseconds")
        switch (line.value("value"), try line.optionalBytes("encoded_value")) {
        case (let value?, nil):
            self.init(scene: scene, key: key, value: try TypedSceneValue(value).value, updatedAt: updatedAt)
        case (nil, let bytes?):
            self.init(scene: scene, key: key, encodedValue: bytes, updatedAt: updatedAt)
        case (nil, nil), (.some, .some):
            throw JSONError("exactly one of the fields 'value' and 'encoded_value' is needed")
        }
    }

    func add(to object: inout JSONObject) {
        object.add("scene", ifPresent: scene)
        object.add("key", key)
        if let value {
            object.add("value", TypedSceneValue(value))
        } else {
            object.add("encoded_value", Base64.text(encodedValue))
        }
        object.add("updated_at_microseconds", updatedAt.microseconds)
    }
}

extension ArchivedLog: ArchiveLineForm {
    static let word = "log"
    static let names: Set<String> = [
        "name", "maximum_bytes", "overwrites_oldest", "created_at_microseconds", "oldest_sequence", "is_replicated",
    ]

    init(line: JSONRecord) throws(JSONError) {
        self.init(
            name: try line.text("name"),
            configuration: LogConfiguration(
                maximumBytes: try line.unsigned("maximum_bytes"),
                overwritesOldest: try line.requiredFlag("overwrites_oldest")),
            createdAt: try line.time("created_at_microseconds"),
            oldestSequence: try line.optionalUnsigned("oldest_sequence"),
            isReplicated: try line.flag("is_replicated"))
    }

    func add(to object: inout JSONObject) {
        object.add("name", name)
        object.add("maximum_bytes", configuration.maximumBytes)
        object.add("overwrites_oldest", configuration.overwritesOldest)
        object.add("created_at_microseconds", createdAt.microseconds)
        object.add("oldest_sequence", ifPresent: oldestSequence)
        if isReplicated { object.add("is_replicated", true) }
    }
}

extension ArchivedLogEntry: ArchiveLineForm {
    static let word = "log_entry"
    static let names: Set<String> = ["sequence", "offset", "position", "text", "data"]

    init(line: JSONRecord) throws(JSONError) {
        let data: [UInt8]
        switch (try line.optionalText("text"), try line.optionalBytes("data")) {
        case (let text?, nil): data = Array(text.utf8)
        case (nil, let bytes?): data = bytes
        case (nil, nil), (.some, .some): throw JSONError("exactly one of the fields 'text' and 'data' is needed")
        }
        self.init(
            sequence: try line.unsigned("sequence"), offset: try line.unsigned("offset"),
            position: try line.unsigned("position"), data: data)
    }

    func add(to object: inout JSONObject) {
        object.add("sequence", sequence)
        object.add("offset", offset)
        object.add("position", position)
        if let text = String(validating: data, as: UTF8.self) {
            object.add("text", text)
        } else {
            object.add("data", Base64.text(data))
        }
    }
}

extension ArchivedDirectory: ArchiveLineForm {
    static let word = "directory"
    static let names: Set<String> = ["path", "created_at_microseconds", "modified_at_microseconds"]

    init(line: JSONRecord) throws(JSONError) {
        self.init(
            path: try line.vaultPath(), createdAt: try line.time("created_at_microseconds"),
            modifiedAt: try line.time("modified_at_microseconds"))
    }

    func add(to object: inout JSONObject) {
        object.add("path", path.description)
        object.add("created_at_microseconds", createdAt.microseconds)
        object.add("modified_at_microseconds", modifiedAt.microseconds)
    }
}

extension ArchivedFile: ArchiveLineForm {
    static let word = "file"
    static let names: Set<String> = [
        "path", "byte_count", "created_at_microseconds", "modified_at_microseconds",
    ]

    init(line: JSONRecord) throws(JSONError) {
        self.init(
            path: try line.vaultPath(), contentBytes: try line.unsigned("byte_count"),
            createdAt: try line.time("created_at_microseconds"), modifiedAt: try line.time("modified_at_microseconds"))
    }

    func add(to object: inout JSONObject) {
        object.add("path", path.description)
        object.add("byte_count", contentBytes)
        object.add("created_at_microseconds", createdAt.microseconds)
        object.add("modified_at_microseconds", modifiedAt.microseconds)
    }
}

extension ArchivedContent: ArchiveLineForm {
    static let word = "content"
    static let names: Set<String> = ["byte_count", "digest"]

    init(line: JSONRecord) throws(JSONError) {
        self.init(contentBytes: try line.unsigned("byte_count"), digest: try line.digest("digest"))
    }

    func add(to object: inout JSONObject) {
        object.add("byte_count", contentBytes)
        object.add("digest", digest)
    }
}

extension ArchivedRemoval: ArchiveLineForm {
    static let word = "removal"
    static let names: Set<String> = ["kind", "id", "parent_id", "removed_at_microseconds"]

    init(line: JSONRecord) throws(JSONError) {
        let word = try line.text("kind")
        guard let kind = Change.Kind(word: word) else {
            let known = Change.Kind.allCases.filter { $0 != .unknown }.map(\.word).joined(separator: ", ")
            throw JSONError("the field 'kind' must be one of \(known)")
        }
        self.init(
            kind: kind, id: try line.text("id"), parentID: try line.optionalText("parent_id"),
            removedAt: try line.time("removed_at_microseconds"))
    }

    func add(to object: inout JSONObject) {
        object.add("kind", kind.word)
        object.add("id", id)
        object.add("parent_id", ifPresent: parentID)
        object.add("removed_at_microseconds", removedAt.microseconds)
    }
}

extension JSONRecord {
    /// A place in the vault, with the area before it.
    fileprivate func vaultPath() throws(JSONError) -> VaultPath {
        guard let path = VaultPath(try text("path")) else {
            let areas = VaultArea.allCases.map(\.rawValue).joined(separator: ", ")
            throw JSONError("the field 'path' must begin with one of the areas \(areas)")
        }
        return path
    }
}
