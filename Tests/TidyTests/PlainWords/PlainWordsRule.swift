/// Words and openings that make a sentence hard to understand at first reading.
///
/// A single one is not an error: the tests limit the share of sentences that contain any.
enum PlainWordsRule {
    /// Openings that hide the subject of a sentence. Upper and lower case matter.
    private static let openings = [
        "What", "Who", "Whoever", "Whom", "Whose", "Whether", "Where", "How", "That which", "Of", "The same", "As if",
        "For who", "By what", "With what",
    ]
    /// Phrases for which there is a plainer word, wherever they are in a sentence.
    private static let phrases = [
        // The agent is not named, or the verb does not name the action.
        "told", "tell", "tells", "untold", "telling", "whoever", "nobody", "somebody", "anybody", "who asks", "who has",
        "who wants", "who is", "who made", "who may",
        // A pronoun replaces a noun.
        "the one of", "the one that", "one that", "that of", "those of", "such as are", "the one which",
        "the one whose", "the ones which", "the ones whose",
        // A word for a place, or an old-fashioned phrase, is used for a condition, a time or an exception.
        "behind", "but for", "that there is", "that there are", "of before", "of now", "is none", "are none",
        "none of its own", "none of the own",
        // A verb of movement is used for a state.
        "goes on", "go on", "going on", "come to its", "comes to its", "come to a", "comes to a", "come to an",
        "comes to an", "come to the", "comes to the", "came to", "stand in", "stands in", "stand at", "stands at",
        "stand on", "stands on", "stand beside", "stands beside", "stand behind", "stands behind", "let go", "lets go",
        "look after", "looks after",
        "mend", "mends", "mended", "mending", "anew", "made out", "made good",
    ]

    private static let openingsByFirstWord = byFirstWord(openings)
    private static let phrasesByFirstWord = byFirstWord(phrases)

    /// Returns the openings and phrases that occur in a sentence.
    static func patterns(in sentence: String) -> [String] {
        let words = words(of: sentence)
        var found = openingsByFirstWord[words.first ?? "", default: []].filter { words.starts(with: $0) }
        let lowered = words.map { $0.lowercased() }
        for (index, word) in lowered.enumerated() {
            guard let candidates = phrasesByFirstWord[word] else { continue }
            found += candidates.filter { lowered[index...].starts(with: $0) }
        }
        return found.map { $0.joined(separator: " ") }
    }

    /// Returns the words of a text. If anything except a single space separates two words, an empty string is between
    /// them, so that no phrase extends over it.
    static func words(of text: String) -> [String] {
        text.split(separator: " ", omittingEmptySubsequences: false).flatMap { part in
            part.split(omittingEmptySubsequences: false) { !$0.isLetter && !$0.isNumber && $0 != "_" }
                .flatMap { ["", String($0)] }.dropFirst()
        }
    }

    private static func byFirstWord(_ phrases: [String]) -> [String: [[String]]] {
        Dictionary(grouping: phrases.map { $0.split(separator: " ").map(String.init) }) { $0[0] }
    }
}
