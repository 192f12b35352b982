/// Topic and language as the display name of a conversation: `topic (language)`.
///
/// Parentheses and backslashes of the two themselves are escaped with a backslash, so that every pair of texts has one
/// name and every such name one pair.
enum DialogName {
    private static let separator = " ("

    static func displayName(topic: String, language: String) -> String {
        escaped(topic) + separator + escaped(language) + ")"
    }

    /// `nil` for a name that is not of this form.
    static func parts(of name: String) -> (topic: String, language: String)? {
        var topic = String.UnicodeScalarView()
        var language = String.UnicodeScalarView()
        var isInLanguage = false
        var scalars = name.unicodeScalars.makeIterator()
        while let scalar = scalars.next() {
            switch scalar {
            case "\\":
                guard let next = scalars.next() else {
                    return nil
                }
                isInLanguage ? language.append(next) : topic.append(next)
            case "(":
                guard !isInLanguage, topic.last == " " else {
                    return nil
                }
                topic.removeLast()
                isInLanguage = true
            case ")":
                guard isInLanguage, scalars.next() == nil else {
                    return nil
                }
                return (String(topic), String(language))
            default:
                isInLanguage ? language.append(scalar) : topic.append(scalar)
            }
        }
        return nil
    }

    private static func escaped(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar == "\\" || scalar == "(" || scalar == ")" {
                result.append("\\")
            }
            result.append(scalar)
        }
        return String(result)
    }
}
