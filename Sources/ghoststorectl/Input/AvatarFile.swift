import StoreClient

/// Avatars come from files.
enum AvatarFile {
    /// The daemon takes 4 MiB; more is refused before it is sent.
    private static let bytesMax = 4 << 20

    static func update(path: String?, removes: Bool) throws(CommandFailure) -> FieldUpdate<[UInt8]> {
        guard !removes else {
            return .remove
        }
        guard let path else {
            return .keep
        }
        let file = try InputFile(path)
        return .set(try file.readAll(bytesMax: bytesMax, named: path))
    }
}
