/// Matching of an expression against the terms of a text.
extension SearchExpression {
    func matches(_ list: TermList) -> Bool {
        matches { $0.isMatched(in: list) }
    }

    /// Returns true if several texts together match. Different phrases may be in different texts.
    func matches(_ lists: [TermList]) -> Bool {
        matches { phrase in lists.contains { phrase.isMatched(in: $0) } }
    }

    private func matches(_ holds: (TermPhrase) -> Bool) -> Bool {
        switch self {
        case .nothing:
            false
        case .phrase(let phrase):
            holds(phrase)
        case .all(let first, let others, let except):
            first.matches(holds) && others.allSatisfy { $0.matches(holds) } && !except.contains { $0.matches(holds) }
        case .any(let first, let others):
            first.matches(holds) || others.contains { $0.matches(holds) }
        }
    }

    /// Returns the byte ranges of the matched phrases in the text, in ascending order and without overlaps.
    func ranges(in list: TermList) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        collect(list, &ranges)
        ranges.sort { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
        var joined: [Range<Int>] = []
        for range in ranges {
            if let last = joined.last, range.lowerBound < last.upperBound {
                joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                joined.append(range)
            }
        }
        return joined
    }

    /// Returns the number of occurrences of each phrase in the text, except excluded phrases.
    func counts(in list: TermList) -> [UInt16] {
        switch self {
        case .nothing:
            return []
        case .phrase(let phrase):
            var count: UInt16 = 0
            phrase.forEachMatch(in: list) { _ in
                count += 1
                return count < .max
            }
            return [count]
        case .all(let first, let others, except: _), .any(let first, let others):
            return first.counts(in: list) + others.flatMap { $0.counts(in: list) }
        }
    }

    private func collect(_ list: TermList, _ ranges: inout [Range<Int>]) {
        switch self {
        case .nothing:
            break
        case .phrase(let phrase):
            phrase.forEachMatch(in: list) { index in
                ranges.append(phrase.range(at: index, in: list))
                return true
            }
        case .all(let first, let others, except: _), .any(let first, let others):
            first.collect(list, &ranges)
            others.forEach { $0.collect(list, &ranges) }
        }
    }
}

extension TermPhrase {
    func isMatched(in list: TermList) -> Bool {
        var isMatched = false
        forEachMatch(in: list) { _ in
            isMatched = true
            return false
        }
        return isMatched
    }

    /// Finds all matches with the algorithm of Knuth, Morris and Pratt, in time linear in the terms of the text and of
    /// the phrase. The algorithm handles all patterns except the last, which is checked separately because it may match
    /// only the beginning of a term.
    ///
    /// - Parameter body: called with the index of a match's first term; returns false to end the search.
    func forEachMatch(in list: TermList, _ body: (Int) -> Bool) {
        let exactCount = count - 1
        guard list.count >= count else { return }
        guard exactCount > 1 else {
            for index in 0..<(list.count - exactCount) where list.matches(first, at: index) {
                guard exactCount == 0 || list.matches(self[1], at: index + 1) else { continue }
                guard body(index) else { return }
            }
            return
        }
        let borders = borders()
        // The number of leading patterns that the terms directly before `index` match.
        var matched = 0
        for index in 0..<list.count {
            if matched == exactCount {
                if list.matches(self[exactCount], at: index), !body(index - exactCount) {
                    return
                }
                matched = borders[matched]
            }
            while matched > 0, !list.matches(self[matched], at: index) {
                matched = borders[matched]
            }
            if matched < exactCount, list.matches(self[matched], at: index) {
                matched += 1
            }
        }
    }

    /// Returns the failure function of the algorithm: for each number of leading patterns, the length of the longest
    /// proper suffix that is also a prefix.
    private func borders() -> [Int] {
        var borders = [Int](repeating: 0, count: count)
        var border = 0
        for end in 1..<max(1, count - 1) {
            while border > 0, self[border].bytes != self[end].bytes {
                border = borders[border]
            }
            if self[border].bytes == self[end].bytes {
                border += 1
            }
            borders[end + 1] = border
        }
        return borders
    }

    func range(at index: Int, in list: TermList) -> Range<Int> {
        let last = list.terms[index + count - 1]
        return list.terms[index].textStart..<(self[count - 1].extent == .whole ? last.textEnd : last.firstEnd)
    }
}
