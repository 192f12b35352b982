import StoreClient

extension Metadata {
    /// The fields of optional metadata: the data as base64, and their type unless it is empty.
    static let fields: [JSONFields<Metadata?>.Field] = [
        .field("metadata", ifPresent: { $0.map { Base64.text($0.data) } }),
        .field("metadata_type", ifPresent: { $0.flatMap { $0.type.isEmpty ? nil : $0.type } }),
    ]
}

extension JSONObject {
    mutating func add(_ metadata: Metadata?) {
        for field in Metadata.fields {
            field.add(metadata, &self)
        }
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
