/// The daemon's version, as `--version`, status and the log tell it.
enum Version {
    static let text = "0.1.0"
}
