/// The words of the command line before they are parsed.
enum CommandLineWords {
    private static let timeOptions: Set<String> = ["--from", "--until", "--time"]

    /// `--from -1h` becomes `--from=-1h`: a word that begins with a dash would be taken for options.
    static func joiningSignedTimes(_ words: [String]) -> [String] {
        var result: [String] = []
        for word in words {
            if let last = result.last, timeOptions.contains(last), !result.contains("--"),
                word.hasPrefix("-"), word.dropFirst().first?.isNumber == true
            {
                result[result.count - 1] = "\(last)=\(word)"
            } else {
                result.append(word)
            }
        }
        return result
    }
}
