import StoreProtocol
import SwiftProtobuf

extension WireResponse {
    /// The name of the field that is set in `Response.result`, as service.proto writes it, or an empty text if none is
    /// set.
    var resultName: String {
        get throws {
            var bare = self
            bare.id = 0
            bare.more = false
            var options = JSONEncodingOptions()
            options.preserveProtoFieldNames = true
            return String(try bare.jsonString(options: options).drop { $0 != "\"" }.dropFirst().prefix { $0 != "\"" })
        }
    }
}
