import FoundationEssentials
import StoreEngine
import StoreProtocol

extension Metadata {
    /// Creates the metadata of a message to save; `nil` if the request has none.
    init?(_ fields: MetadataFields?) throws(StoreError) {
        guard let fields else { return nil }
        try self.init(data: fields.data, type: fields.type)
    }

    init(wire: WireMetadata) throws(StoreError) {
        try self.init(data: [UInt8](wire.data), type: wire.type)
    }
}

extension WireMetadata {
    init(_ metadata: Metadata) {
        self.init()
        let content = metadata.content
        (data, type) = (Data(content.data), content.type)
    }
}
