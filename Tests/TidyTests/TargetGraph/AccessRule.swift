/// The rule that only the libraries for applications have `public` declarations. Other targets use at most `package`.
enum AccessRule {
    /// Returns the findings of a file.
    ///
    /// - Parameter products: the targets that applications link.
    static func findings(_ source: SwiftSource, products: Set<String>) -> [Finding] {
        guard !(products.contains(source.target) && source.path.hasPrefix("Sources/")) else { return [] }
        let subject = source.path.split(separator: "/").last?.prefix { $0 != "+" && $0 != "." } ?? ""
        guard TargetGraphLaw.publicOutsideProducts[source.target]?.contains(String(subject)) != true else { return [] }
        return source.findings(
            /\bpublic\s+(?!import\b)\w|\bopen\s+(?:class|func|var|subscript)\b/, hint: "p",
            "\(source.target) is no product: package, not public")
    }
}
