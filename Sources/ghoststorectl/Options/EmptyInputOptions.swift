import ArgumentParser

/// The option to accept an empty standard input. Without the option, an empty input is rejected if it would replace
/// something: standard input is also empty if the program that should write to it through a pipe has failed.
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
