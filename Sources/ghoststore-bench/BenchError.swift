/// What stops a run: the machine, a peer or the daemon did not do what the run needs.
struct BenchError: Error, CustomStringConvertible {
    /// For people: lower case, cause first, then a hint.
    let message: String

    init(_ message: String) {
        self.message = message
    }

    var description: String { message }
}
