import FoundationEssentials

/// One of the sample dialogs in Tests/Fixtures, which has dialogs in each of 28 languages.
struct SampleDialog: Decodable {
    var language: String
    var turns: [String]

    /// True if the language does not separate words by spaces. Then any part of a text can be searched.
    var isUnspaced: Bool {
        ["chinese", "traditionalchinese", "japanese", "korean", "thai"].contains(language)
    }

    static func all() throws -> [SampleDialog] {
        let folder = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let data = try Data(contentsOf: URL(filePath: "/" + folder + "/Fixtures/dialogs-sample.jsonl"))
        return try data.split(separator: UInt8(ascii: "\n")).map { line in
            try JSONDecoder().decode(SampleDialog.self, from: line)
        }
    }

    /// Returns the words of a text, without the punctuation around them.
    static func words(of text: String) -> [String] {
        text.split(whereSeparator: \.isWhitespace).map { word in
            String(word.drop { !$0.isLetter }.reversed().drop { !$0.isLetter }.reversed())
        }.filter { !$0.isEmpty }
    }
}
