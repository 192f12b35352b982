/// Whether a text holds what is searched for, and where.
extension SearchExpression {
    func matches(_ list: TermList) -> Bool {
        matches { $0.firstMatch(in: list, from: 0) != nil }
    }

    /// Whether one of several texts holds a phrase, and another another one.
    func matches(_ lists: [TermList]) -> Bool {
        matches { phrase in lists.contains { phrase.firstMatch(in: $0, from: 0) != nil } }
    }

    private func matches(_ holds: (TermPhrase) -> Bool) -> Bool {
        switch self {
        case .phrase(let phrase):
            holds(phrase)
        case .all(let first, let others, let except):
            first.matches(holds) && others.allSatisfy { $0.matches(holds) } && !except.contains { $0.matches(holds) }
        case .any(let first, let others):
            first.matches(holds) || others.contains { $0.matches(holds) }
        }
    }

    /// Where the text holds a phrase of those that it was found by: ranges in bytes, in the order of their beginnings,
    /// none overlapping another.
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

    private func collect(_ list: TermList, _ ranges: inout [Range<Int>]) {
        switch self {
        case .phrase(let phrase):
            var from = 0
            while let index = phrase.firstMatch(in: list, from: from) {
                ranges.append(phrase.range(at: index, in: list))
                from = index + 1
            }
        case .all(let first, let others, except: _), .any(let first, let others):
            first.collect(list, &ranges)
            others.forEach { $0.collect(list, &ranges) }
        }
    }
}

extension TermPhrase {
    /// - Returns: the number of the term that it begins with.
    func firstMatch(in list: TermList, from: Int) -> Int? {
        guard list.count >= count else { return nil }
        var index = from
        while index + count <= list.count {
            if first.matches(list.bytes(index)),
                others.indices.allSatisfy({ other in
                    others[other].matches(list.bytes(index + other + 1))
                })
            {
                return index
            }
            index += 1
        }
        return nil
    }

    func range(at index: Int, in list: TermList) -> Range<Int> {
        let last = list.terms[index + count - 1]
        return list.terms[index].textStart..<(self[count - 1].extent == .whole ? last.textEnd : last.firstEnd)
    }
}
