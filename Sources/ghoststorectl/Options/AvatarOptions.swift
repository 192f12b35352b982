import ArgumentParser
import StoreClient

/// The options that replace an avatar by the contents of a file, or remove it.
struct AvatarOptions: ParsableArguments {
    /// The daemon accepts 4 MiB. A larger avatar is rejected before it is sent.
    private static let bytesMax = 4 << 20

    @Option(
        help: ArgumentHelp("File with the new avatar; '-' is standard input.", valueName: "file"),
        completion: .file())
    var avatarFile: String?

    @Flag(help: "Remove the avatar.")
    var removeAvatar = false

    func validate() throws {
        guard avatarFile == nil || !removeAvatar else {
            throw ValidationError("--avatar-file and --remove-avatar cannot be combined")
        }
    }

    var isGiven: Bool {
        avatarFile != nil || removeAvatar
    }

    /// - Parameter allowsEmpty: False to reject an empty standard input.
    func update(allowsEmpty: Bool) throws(CommandFailure) -> FieldUpdate<[UInt8]> {
        guard !removeAvatar else { return .remove }
        guard let avatarFile else { return .keep }
        let file = try InputFile(avatarFile)
        let bytes = try file.readAll(bytesMax: Self.bytesMax)
        if !allowsEmpty {
            try file.refuseEmpty(bytes)
        }
        return .set(bytes)
    }
}
