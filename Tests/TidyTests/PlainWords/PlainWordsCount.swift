/// The number of sentences of a subject, and the sentences among them that have a pattern of the rule.
struct PlainWordsCount {
    private(set) var total = 0
    private(set) var findings: [Finding] = []

    mutating func add(_ sentence: String, path: String, line: Int) {
        total += 1
        let patterns = PlainWordsRule.patterns(in: sentence)
        guard !patterns.isEmpty else { return }
        let names = patterns.map { "\"\($0)\"" }.joined(separator: ", ")
        findings.append(Finding(path: path, line: line, message: "\(names) in: \(sentence.prefix(120))"))
    }

    /// The share of findings, in percent.
    var share: Double {
        total == 0 ? 0 : 100 * Double(findings.count) / Double(total)
    }
}

/// A limit that can only fall: it must follow the share that it limits.
enum Ratchet {
    /// The distance, in points of percent, that a share may be below its limit before the limit must follow.
    static let slack = 0.5
    private static let shownFindingsMax = 40

    /// Returns what must change, or `nil` if the share is at most the limit and near it.
    static func complaint(_ count: PlainWordsCount, highest: Double) -> String? {
        let figures = "\(count.findings.count) of \(count.total), which is \(text(count.share)) %"
        if count.share > highest {
            let places = count.findings.prefix(shownFindingsMax).map(\.description).joined(separator: "\n")
            let rest = count.findings.count - shownFindingsMax
            return "\(figures), have hard words; the highest allowed share is \(text(highest)) %:\n\(places)"
                + (rest > 0 ? "\nand \(rest) more" : "")
        }
        guard count.share < highest - slack else { return nil }
        return "only \(figures), have hard words; lower the limit from \(text(highest)) to \(text(limit(for: count)))"
    }

    /// Returns the share of a count, rounded up to a tenth.
    static func limit(for count: PlainWordsCount) -> Double {
        let total = max(count.total, 1)
        return Double((count.findings.count * 1000 + total - 1) / total) / 10
    }

    /// Returns a number with one digit after the point, rounded up.
    private static func text(_ share: Double) -> String {
        let tenths = Int((share * 10 - 1e-6).rounded(.up))
        return "\(tenths / 10).\(tenths % 10)"
    }
}
