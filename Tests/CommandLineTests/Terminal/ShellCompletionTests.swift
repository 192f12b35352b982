import StoreBasics
import TestBasics
import Testing

@testable import ghoststorectl

/// The shell reads every completed word back as the original name, whatever characters the name has.
@Suite struct ShellCompletionTests {
    private static let scalars: [Unicode.Scalar] =
        (1...0x7E).compactMap { Unicode.Scalar($0) } + ["\u{301}", "é", "ü", "会", "👩", "\u{200D}", "\u{A0}", "\u{85}"]

    private func name(_ random: inout SplitMix) -> String {
        String(
            String.UnicodeScalarView(
                (0...random.next() % 6).map { _ in Self.scalars[Int(random.next() % UInt64(Self.scalars.count))] }))
    }

    /// Returns the last word of a line as the shell reads it.
    private func word(_ line: String) -> String? {
        let read = ShellWords.commands(line)
        guard read.count == 1, !read[0].isIncomplete, read[0].words.count == 3 else { return nil }
        return read[0].words[2]
    }

    private func same(_ left: String?, _ right: String) -> Bool {
        left.map { Array($0.utf8) == Array(right.utf8) } ?? false
    }

    @Test func `a name is read back as itself, wherever it is begun and however it is quoted`() {
        for seed in 0..<3_000 {
            var random = SplitMix(seed: UInt64(seed))
            let name = name(&random)
            for quote: Unicode.Scalar? in [nil, "'", "\""] {
                for length in 0...name.unicodeScalars.count {
                    let begun = String(String.UnicodeScalarView(name.unicodeScalars.prefix(length)))
                    let opening = quote.map { String($0) } ?? ""
                    let front = "messages import " + opening + begun.quoted(within: quote)
                    let found = ShellCompletion(front).completed(by: [name])
                    let closing = name.unicodeScalars.last == "/" ? opening : ""
                    let line = front + found.missing + closing
                    #expect(
                        same(word(line), name), "\(seed) \(name.debugDescription) \(line.debugDescription)")
                }
            }
        }
    }

    @Test func `what several names have in common is put in, and no more`() {
        for seed in 0..<2_000 {
            var random = SplitMix(seed: UInt64(seed))
            let (start, first, second) = (name(&random), name(&random), name(&random))
            let names = [start + "x" + first, start + "y" + second]
            let found = ShellCompletion("messages import ").completed(by: names)
            #expect(found.candidates.count == 2)
            #expect(same(word("messages import " + found.missing), start), "\(seed) \(found.missing.debugDescription)")
        }
    }

    @Test func `a name that is composed otherwise is another one`() {
        let names = ["e\u{301}a", "\u{E9}b"]
        #expect(ShellCompletion("messages import \u{E9}").completed(by: names).missing == "b ")
        #expect(ShellCompletion("messages import e").completed(by: names).missing == "\u{301}a ")
        #expect(ShellCompletion("messages import ").completed(by: ["e\u{301}", "\u{E9}"]).candidates.count == 2)
    }

    @Test func `behind a backslash nothing is put in`() async {
        #expect(await ShellCompletion("messages import /\\").find().missing.isEmpty)
    }
}
