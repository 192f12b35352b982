import StoreBasics
import Testing

@testable import StoreEngine

/// Checks the rule of SEARCH.md that an emoji is a word: each emoji of Unicode is found at any place in a text.
@Suite struct SearchEmojiTests {
    private static let selector = "\u{FE0F}"

    /// All emoji that are a single scalar, each in all its forms; then keycaps, flags, and some joined sequences.
    private static let emoji: [String] = {
        var emoji: [String] = []
        for value in UInt32(0x80)...0x1FFFF {
            guard let scalar = Unicode.Scalar(value), scalar.properties.isEmoji,
                !(0x1F3FB...0x1F3FF).contains(value), !(0x1F1E6...0x1F1FF).contains(value)
            else { continue }
            emoji.append(String(scalar))
            emoji.append(String(scalar) + selector)
            if scalar.properties.isEmojiModifierBase {
                emoji.append(String(scalar) + "\u{1F3FD}")
            }
        }
        for base in "0123456789#*" {
            emoji += ["\(base)\u{20E3}", "\(base)\(selector)\u{20E3}"]
        }
        return emoji + ["🇩🇪", "🇺🇦", "👨‍👩‍👧", "🏳️‍🌈", "🏴‍☠️", "❤️‍🔥", "👩🏽‍🚀", "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}"]
    }()

    @Test func `every emoji is found alone, between letters and digits, and beside itself`() throws {
        #expect(Self.emoji.count > 2_000)
        for emoji in Self.emoji {
            let expression = try SearchQuery(emoji).expression
            #expect(expression != .nothing, "\(emoji)")
            for text in [emoji, "x \(emoji) y", "x\(emoji)y", "1\(emoji)2", emoji + emoji, "中\(emoji)文"] {
                let list = TermScanner.terms(of: text)
                #expect(expression.matches(list), "\(text)")
                #expect(!expression.ranges(in: list).isEmpty, "\(text)")
            }
            #expect(!expression.matches(TermScanner.terms(of: "1 a # * 中")), "\(emoji)")
        }
    }

    @Test func `an emoji does not hide the words beside it`() throws {
        for emoji in Self.emoji {
            let list = TermScanner.terms(of: "red\(emoji)fish")
            #expect(try SearchQuery("red").expression.matches(list), "\(emoji)")
            #expect(try SearchQuery("fish").expression.matches(list), "\(emoji)")
        }
    }
}
