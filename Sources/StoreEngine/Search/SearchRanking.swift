import Glibc

/// Orders what was found by how well it fits, as Okapi BM25 does (Robertson and Zaragoza, "The Probabilistic Relevance
/// Framework", 2009): a message that says what is searched for more often, in fewer words, and what fewer others say,
/// comes first. The collection that "fewer others" speaks of is what was found itself.
struct SearchRanking {
    private struct Candidate {
        let place: MessagePlace
        /// How many words it has.
        let length: Int
        /// How often it says each phrase of the query.
        let counts: [UInt16]
    }

    /// How much the second time that something is said counts less than the first.
    private static let saturation = 1.2
    /// How much more words count against a message.
    private static let lengthWeight = 0.75

    private var candidates: [Candidate] = []

    var isFull: Bool { candidates.count >= SearchLimits.rankedMessagesMax }

    mutating func add(_ place: MessagePlace, length: Int, counts: [UInt16]) {
        candidates.append(Candidate(place: place, length: length, counts: counts))
    }

    /// The best first; of those that fit as well, the one that was added first.
    func best(_ limit: Int) -> [MessagePlace] {
        guard !candidates.isEmpty else { return [] }
        let rarities = rarities()
        let meanLength = Double(candidates.reduce(0) { $0 + $1.length }) / Double(candidates.count)
        let scores = candidates.map { score($0, rarities, meanLength) }
        let order = candidates.indices.sorted { (scores[$0], $1) > (scores[$1], $0) }
        return order.prefix(limit).map { candidates[$0].place }
    }

    /// Of each phrase, more the fewer candidates say it.
    private func rarities() -> [Double] {
        candidates[0].counts.indices.map { phrase in
            let holding = Double(candidates.count { $0.counts[phrase] > 0 })
            return log(1 + (Double(candidates.count) - holding + 0.5) / (holding + 0.5))
        }
    }

    private func score(_ candidate: Candidate, _ rarities: [Double], _ meanLength: Double) -> Double {
        let norm = 1 - Self.lengthWeight + Self.lengthWeight * Double(candidate.length) / max(1, meanLength)
        return zip(candidate.counts, rarities).reduce(0) { sum, phrase in
            let count = Double(phrase.0)
            return sum + phrase.1 * count * (Self.saturation + 1) / (count + Self.saturation * norm)
        }
    }
}
