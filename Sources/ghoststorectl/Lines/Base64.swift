import FoundationEssentials

/// Bytes as base64 text (RFC 4648, section 4, padded), as protobuf JSON writes them.
enum Base64 {
    static func text(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString()
    }

    /// `nil` for text that is not base64.
    static func bytes(_ text: String) -> [UInt8]? {
        Data(base64Encoded: text).map { Array($0) }
    }
}
