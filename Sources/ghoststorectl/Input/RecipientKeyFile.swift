/// The public half of an X25519 key pair in a file: its 32 bytes, or PEM as OpenSSL writes it.
enum RecipientKeyFile {
    private static let keyBytes = 32
    private static let fileBytesMax = 4_096
    private static let firstLine = "-----BEGIN PUBLIC KEY-----"
    private static let lastLine = "-----END PUBLIC KEY-----"
    /// What precedes the key in its SubjectPublicKeyInfo (RFC 8410, section 10.1).
    private static let prefix: [UInt8] = [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x6e, 0x03, 0x21, 0x00]

    static func read(_ path: String) throws(CommandFailure) -> [UInt8] {
        let content = try InputFile(path).readAll(bytesMax: fileBytesMax, named: path)
        if content.count == keyBytes {
            return content
        }
        guard let key = key(inPEM: String(decoding: content, as: UTF8.self)) else {
            throw CommandFailure(
                .badData, "\(path) is no X25519 public key; hint: openssl pkey -in pair.pem -pubout -out public.pem")
        }
        return key
    }

    private static func key(inPEM text: String) -> [UInt8]? {
        let lines = text.split(whereSeparator: \.isNewline)
        guard let first = lines.firstIndex(where: { $0 == firstLine }),
            let last = lines[first...].firstIndex(where: { $0 == lastLine }),
            let encoded = Base64.bytes(lines[(first + 1)..<last].joined()),
            encoded.count == prefix.count + keyBytes, encoded.starts(with: prefix)
        else {
            return nil
        }
        return Array(encoded.dropFirst(prefix.count))
    }
}
