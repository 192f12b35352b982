/// The possible values of the names that only one client uses: the last acknowledged value, and every value written
/// since then without an acknowledgement.
struct Expectations: Sendable {
    private var possible: [String: Set<String?>] = [:]
    private(set) var answeredCount = 0

    /// Returns true if the name certainly has a value: none of its possible values is a removal.
    func isThere(_ name: String) -> Bool {
        possible[name].map { !$0.contains(nil) } ?? false
    }

    /// - Parameter value: the new value, or `nil` for a removal.
    mutating func noteTry(_ name: String, _ value: String?) {
        possible[name, default: [nil]].insert(value)
    }

    mutating func noteAnswer(_ name: String, _ value: String?) {
        possible[name] = [value]
        answeredCount += 1
    }

    /// Returns a line for each name whose value in `held` is not one of its possible values.
    func violations(in held: [String: String]) -> [String] {
        possible.compactMap { name, values in
            values.contains(held[name])
                ? nil : "\(name): \(held[name] ?? "nothing") instead of \(values.map { $0 ?? "nothing" })"
        }.sorted()
    }
}
