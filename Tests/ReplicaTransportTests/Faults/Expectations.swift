/// What stores have to hold of one client's own writes: what was answered, or, until the next answer, what was tried
/// and not answered.
struct Expectations: Sendable {
    private var possible: [String: Set<String?>] = [:]
    private(set) var answeredCount = 0

    /// Whether the last write of it was answered, and it is there.
    func isThere(_ name: String) -> Bool {
        possible[name].map { !$0.contains(nil) } ?? false
    }

    /// - Parameter value: `nil`: it is removed.
    mutating func noteTry(_ name: String, _ value: String?) {
        possible[name, default: [nil]].insert(value)
    }

    mutating func noteAnswer(_ name: String, _ value: String?) {
        possible[name] = [value]
        answeredCount += 1
    }

    /// What is not as it has to be.
    func violations(in held: [String: String]) -> [String] {
        possible.compactMap { name, values in
            values.contains(held[name])
                ? nil : "\(name): \(held[name] ?? "nothing") instead of \(values.map { $0 ?? "nothing" })"
        }.sorted()
    }
}
