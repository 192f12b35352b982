import StoreProtocol
import SwiftProtobuf

extension WireResponse {
    /// The name of the field of `Response.result`, as service.proto has it; empty when there is none.
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
