import ArgumentParser

/// What becomes of standard input that is empty, which it is as well when the program before it in a pipe has failed.
struct EmptyInputOptions: ParsableArguments {
    static let hint = "run that program alone; the help of this command says how to take nothing from it"

    @Flag(help: "Take an empty standard input or pipe too, which is refused where it would replace something.")
    var allowEmpty = false

    /// - Parameters:
    ///   - input: what is empty.
    ///   - hint: what to do where that is meant.
    static func refusal(of input: String, hint: String = Self.hint) -> CommandFailure {
        CommandFailure(
            .badData,
            "\(input) is empty: the program that writes it may have failed; nothing was changed; hint: \(hint)")
    }
}
