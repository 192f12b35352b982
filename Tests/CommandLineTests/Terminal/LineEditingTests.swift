import StoreBasics
import TestBasics
import Testing

@testable import ghoststorectl

/// Decodes keys from bytes and edits a line with keys. A terminal may send any bytes.
@Suite struct LineEditingTests {
    private func keys(_ text: String) -> [EditedLine.Key] {
        keys(Array(text.utf8))
    }

    private func keys(_ bytes: [UInt8]) -> [EditedLine.Key] {
        var decoder = KeyDecoder()
        return bytes.compactMap { decoder.key($0) }
    }

    private func line(_ text: String) -> EditedLine {
        keys(text).reduce(into: EditedLine()) { $0.take($1) }
    }

    @Test func `sequences are keys, unknown ones nothing, and no part of one is typed`() {
        #expect(keys("\u{1B}[A\u{1B}OB\u{1B}[3~\u{1B}[1;5C\u{1B}b") == [.up, .down, .delete, .wordRight, .wordLeft])
        #expect(keys("\u{1B}[<0;10;20Ma") == [.text("a")])
        #expect(
            keys("\u{1B}[\(String(repeating: "1;", count: 100))~a\u{1B}[12\u{1B}[Ab") == [.text("a"), .up, .text("b")])
        #expect(keys("\u{1B}\u{1B}[C\u{1B}xé€😀") == [.right, .text("é"), .text("€"), .text("😀")])
    }

    @Test func `bytes that are no UTF-8 are nothing, and what follows is taken`() {
        let broken: [[UInt8]] = [
            [0xFF], [0x80], [0xC0], [0xC3], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
            [0xF0, 0x9F, 0x98],
        ]
        for bytes in broken {
            #expect(keys(bytes + Array("ab".utf8)) == [.text("a"), .text("b")], "\(bytes)")
            #expect(keys(bytes + [0x0D]) == [.enter], "\(bytes)")
        }
    }

    @Test func `what is pasted is one key, whatever is in it, and of one that is too long nothing is kept`() {
        let text = "a\u{03}\u{1B}[A\nb"
        #expect(keys("\u{1B}[200~\(text)\u{1B}[201~c") == [.paste(text), .text("c")])
        #expect(line("x\u{1B}[200~\(text)\u{1B}[201~").text == "xa[A\nb")
        let large = keys("\u{1B}[200~" + String(repeating: "x", count: 3 << 20) + "\u{1B}[201~\r")
        #expect(large == [.overlongPaste, .enter])
        let longest = String(repeating: "x", count: 1 << 20)
        #expect(keys("\u{1B}[200~\(longest)\u{1B}[201~") == [.paste(longest)])
        #expect(keys("\u{1B}[200~\(longest)x\u{1B}[201~") == [.overlongPaste])
    }

    @Test func `no more is read at once than belongs to a key`() {
        var random = SplitMix(seed: 1)
        let texts = ["a\u{1B}[201", "\u{1B}\u{1B}[201~", "\u{1B}[20\u{1B}[201~", "", "\u{1B}[201\u{1B}"]
        for text in texts.map({ "\u{1B}[200~\($0)\u{1B}[201~\rnext" }) {
            var (decoder, rest, keys) = (KeyDecoder(), Array(text.utf8)[...], [EditedLine.Key]())
            while !keys.contains(.enter) {
                // A read from a terminal may return fewer bytes than were asked for.
                let bytes = rest.prefix(1 + Int(random.next() % UInt64(decoder.bytesWanted)))
                rest = rest.dropFirst(bytes.count)
                for (index, byte) in bytes.enumerated() {
                    guard let key = decoder.key(byte) else { continue }
                    #expect(index == bytes.count - 1, "\(text.debugDescription)")
                    keys.append(key)
                }
            }
            #expect(rest.elementsEqual("next".utf8), "\(text.debugDescription)")
        }
    }

    @Test func `a mark and its letter are one character wherever they are put together`() {
        #expect(line("e\u{301}").characters.count == 1)
        #expect(line("\u{301}\u{01}e").cursor == 1)
        #expect(line("ab\u{02}\u{301}").text == "a\u{301}b")
        #expect(line("👩\u{200D}👧x\u{7F}\u{7F}").text.isEmpty)
    }

    @Test func `whatever is typed, what is shown fits and the cursor is in it`() {
        let pieces = [
            "a", " ", "会", "e\u{301}", "👩‍👩‍👧", "\u{202E}", "\u{1B}[D", "\u{1B}[C", "\u{01}", "\u{05}", "\u{7F}", "\u{04}",
            "\u{0B}",
            "\u{17}", "\u{19}", "\u{1B}b", "\u{1B}f", "\u{1B}[3~", "\u{1B}[200~x\r\ny\u{1B}[201~", "\u{200D}",
            "\u{FE0F}", "\u{1F3FD}",
        ]
        for seed in 0..<200 {
            var random = SplitMix(seed: UInt64(seed))
            var line = EditedLine()
            for _ in 0..<100 {
                for key in keys(pieces[Int(random.next() % UInt64(pieces.count))]) {
                    line.take(key)
                }
                #expect((0...line.characters.count).contains(line.cursor))
                for columns in [4, 5, 10, 40] {
                    let (text, cursorColumn) = line.window(columns: columns)
                    #expect(DisplayWidth.columns(text) < columns && cursorColumn < columns, "\(seed) \(text)")
                    #expect(cursorColumn <= DisplayWidth.columns(text))
                }
            }
        }
    }
}
