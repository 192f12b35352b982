import StoreClient

extension JSONObject {
    /// Adds metadata as base64, and their type unless it is empty.
    mutating func add(_ metadata: Metadata?) {
        guard let metadata else { return }
        add("metadata", Base64.text(metadata.data))
        add("metadata_type", ifPresent: metadata.type.isEmpty ? nil : metadata.type)
    }
}

extension JSONRecord {
    /// Returns the metadata that `JSONObject.add` has written.
    func metadata() throws(JSONError) -> Metadata? {
        let type = try optionalText("metadata_type")
        guard let text = try optionalText("metadata") else {
            guard type == nil else { throw JSONError("the field 'metadata_type' is there without 'metadata'") }
            return nil
        }
        guard let data = Base64.bytes(text) else { throw JSONError("the field 'metadata' is not base64") }
        return Metadata(data: data, type: type ?? "")
    }
}

extension Metadata {
    /// The size and the type, for people.
    var phrase: String {
        let size = Quantity.bytes(UInt64(data.count))
        return type.isEmpty ? size : "\(size), \(type)"
    }
}
