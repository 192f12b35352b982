import Testing

@Suite struct PlainWordsTests {
    /// The highest allowed share, in percent, of sentences or comment blocks with hard words. A limit can only fall.
    static let limits: [PlainWordsSubject: Double] = [
        .documents: 0.2, .help: 0.0, .messages: 0.2, .logLines: 0.0, .metrics: 0.0, .comments: 0.3,
    ]

    @Test(arguments: PlainWordsSubject.allCases)
    func `the share of hard sentences stays at its limit or falls`(subject: PlainWordsSubject) throws {
        let count = try subject.count()
        // Each subject has more than 50 sentences. A smaller number means that the code which reads this subject is
        // broken.
        #expect(count.total > 50)
        let complaint = Ratchet.complaint(count, highest: try #require(Self.limits[subject]))
        if let complaint { Issue.record("\(subject): \(complaint)") }
    }

    static let hard = [
        "What the thread has is kept.", "The same holds for it here.", "it is told to the client",
        "Whoever asks gets it.", "the file behind it is open", "the key is that of a user", "it is one that nobody has",
        "use it but for tests", "there is none: it is none", "the log goes on with it", "it comes to an end",
        "which stands in the row", "it is made anew", "the hint tells, it says", "A client who asks has it",
    ]

    @Test(arguments: hard) func `a sentence with a hard word is found`(sentence: String) {
        #expect(!PlainWordsRule.patterns(in: sentence).isEmpty)
    }

    static let plain = [
        "If a client asks, what it gets is a list.", "Whatever the number is, it is whole.", "Offsets count bytes.",
        "the storyteller amends it", "that, of all", "that  of", "it is that_of", "a \"that\" of words",
        "(What a thread has is kept)", "the same holds", "those off", "Howard reads it", "one-that",
    ]

    @Test(arguments: plain) func `a sentence without a hard word is not found`(sentence: String) {
        #expect(PlainWordsRule.patterns(in: sentence).isEmpty, "\(PlainWordsRule.patterns(in: sentence))")
    }

    @Test func `all patterns of a sentence are found`() {
        let patterns = PlainWordsRule.patterns(in: "Of those of now, nobody TELLS")
        #expect(patterns == ["Of", "those of", "of now", "nobody", "tells"])
    }

    private func count(hard: Int, of total: Int) -> PlainWordsCount {
        var count = PlainWordsCount()
        for index in 0..<total {
            count.add(index < hard ? "it is told" : "it is read", path: "a.md", line: index + 1)
        }
        return count
    }

    @Test func `a share above its limit fails and names the places`() throws {
        let complaint = try #require(Ratchet.complaint(count(hard: 21, of: 1000), highest: 2.0))
        #expect(
            complaint.hasPrefix("21 of 1000, which is 2.1 %, have hard words; the highest allowed share is 2.0 %:\n"))
        #expect(complaint.contains("\na.md:21: \"told\" in: it is told") && !complaint.contains("more"))
        let many = try #require(Ratchet.complaint(count(hard: 43, of: 43), highest: 2.0))
        #expect(many.hasSuffix("\nand 3 more"))
    }

    @Test func `a share far below its limit fails and says the new limit`() throws {
        #expect(Ratchet.complaint(count(hard: 20, of: 1000), highest: 2.0) == nil)
        #expect(Ratchet.complaint(count(hard: 15, of: 1000), highest: 2.0) == nil)
        let complaint = try #require(Ratchet.complaint(count(hard: 14, of: 1000), highest: 2.0))
        #expect(complaint == "only 14 of 1000, which is 1.4 %, have hard words; lower the limit from 2.0 to 1.4")
        #expect(Ratchet.complaint(count(hard: 0, of: 10), highest: 0.5) == nil)
        #expect(Ratchet.limit(for: count(hard: 1, of: 1000)) == 0.1)
        #expect(Ratchet.limit(for: count(hard: 1, of: 999)) == 0.2)
        #expect(Ratchet.limit(for: PlainWordsCount()) == 0)
    }
}
