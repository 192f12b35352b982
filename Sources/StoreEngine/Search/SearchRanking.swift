import Glibc

/// Orders matches by relevance with Okapi BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009).
/// A message ranks higher if it contains the phrases more often, has fewer words, and contains phrases that fewer other
/// messages contain. The collection is the set of matches itself.
struct SearchRanking {
    private struct Candidate {
        let place: MessagePlace
        /// The number of words.
        let length: Int
        /// The number of occurrences of each phrase of the query.
        let counts: [UInt16]
    }

    /// BM25's k1: how quickly further occurrences of a phrase lose weight.
    private static let saturation = 1.2
    /// BM25's b: how much the length of a message counts against it.
    private static let lengthWeight = 0.75

    private var candidates: [Candidate] = []

    var isFull: Bool { candidates.count >= SearchLimits.rankedMessagesMax }

    mutating func add(_ place: MessagePlace, length: Int, counts: [UInt16]) {
        candidates.append(Candidate(place: place, length: length, counts: counts))
    }

    /// Returns the best matches, best first. Equal scores keep the order in which they were added.
    func best(_ limit: Int) -> [MessagePlace] {
        guard !candidates.isEmpty else { return [] }
        let rarities = rarities()
        let meanLength = Double(candidates.reduce(0) { $0 + $1.length }) / Double(candidates.count)
        let scores = candidates.map { score($0, rarities, meanLength) }
        let order = candidates.indices.sorted { (scores[$0], $1) > (scores[$1], $0) }
        return order.prefix(limit).map { candidates[$0].place }
    }

    /// Returns the rarity of each phrase, which is greater if fewer candidates contain it.
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
