import ArgumentParser

/// The text of a message: the argument itself, or standard input for `-`.
struct TextArgument: ParsableArguments {
    /// The daemon takes 1 MiB; more is refused before it is sent.
    private static let bytesMax = 1 << 20

    @Argument(help: "Its text; '-' reads standard input to the end.")
    var text: String

    func read() throws(CommandFailure) -> String {
        guard text == "-" else {
            return text
        }
        let input = try InputFile("-")
        let bytes = try input.readAll(bytesMax: Self.bytesMax, named: "standard input")
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure(.badData, "standard input is not UTF-8")
        }
        return text
    }
}
