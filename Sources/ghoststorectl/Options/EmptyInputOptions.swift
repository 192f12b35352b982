import ArgumentParser

/// The option to accept an empty standard input. Standard input is also empty if the program before it in a pipe has
/// failed.
struct EmptyInputOptions: ParsableArguments {
    static let hint = "run that program alone to see its errors; this command's help says how to accept an empty input"

    @Flag(help: "Accept an empty standard input or pipe, even if it replaces something.")
    var allowEmpty = false

    /// - Parameters:
    ///   - input: The name of the empty input.
    ///   - hint: What to do if the input is meant to be empty.
    static func refusal(of input: String, hint: String = Self.hint) -> CommandFailure {
        CommandFailure(
            .badData,
            "\(input) is empty: the program that writes it may have failed; nothing was changed; hint: \(hint)")
    }
}
