import StoreCrypto
import Testing

@Suite struct RecoveryCodeTests {
    private static let example = "3AHR-Z6DM-V29G-QY5C-KT18-FPX4-BJQG-XGA2"
    private static let plainExample = "3AHRZ6DMV29GQY5CKT18FPX4BJQGXGA2"
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")

    /// Returns the code in its plain form, or `nil` if it is rejected as mistyped.
    private func parse(_ typed: some StringProtocol) throws(CryptoError) -> String? {
        do throws(CryptoError) {
            return try plain(typed)
        } catch {
            guard error.code == .recoveryCodeMistyped else { throw error }
            return nil
        }
    }

    private func plain(_ typed: some StringProtocol) throws(CryptoError) -> String {
        text(of: try SlotSecret(kind: .recoveryCode, bytes: secretBytes(Array(typed.utf8))).bytes)
    }

    @Test func `generated codes are printable, grouped and unique`() throws {
        var seen: Set<String> = []
        for _ in 0..<200 {
            let code = text(of: try RecoveryCode.generate())
            let groups = code.split(separator: "-", omittingEmptySubsequences: false)
            #expect(groups.count == 8)
            #expect(groups.allSatisfy { $0.count == 4 && $0.allSatisfy(Self.alphabet.contains) })
            #expect(try parse(code) == groups.joined())
            seen.insert(code)
        }
        #expect(seen.count == 200)
    }

    @Test func `every symbol occurs at every random position`() throws {
        var seen = [Set<UInt8>](repeating: [], count: 26)
        for _ in 0..<600 {
            let plain = contents(of: try RecoveryCode.generate()).filter { $0 != UInt8(ascii: "-") }
            for (place, character) in plain.prefix(26).enumerated() {
                seen[place].insert(character)
            }
        }
        #expect(seen.allSatisfy { $0.count == 32 })
    }

    @Test func `the checksum has the values of the reference`() throws {
        #expect(try parse(Self.example) == Self.plainExample)
    }

    @Test(arguments: [
        "3ahr-z6dm-v29g-qy5c-kt18-fpx4-bjqg-xga2",
        "3AHRZ6DMV29GQY5CKT18FPX4BJQGXGA2",
        "  3ahr z6dm v29g qy5c\nkt18 fpx4 bjqg xga2\r\n",
        "3AHR-Z6DM-V29G-QY5C-KTI8-FPX4-BJQG-XGA2",
        "3AHR-Z6DM-V29G-QY5C-KTl8-FPX4-BJQG-XGA2",
        "--3-A-HRZ6DMV29GQY5CKT18FPX4BJQGXGA2-",
    ])
    func `a code is read however it is typed`(typed: String) throws {
        #expect(try parse(typed) == Self.plainExample)
    }

    @Test func `the letter O is read as zero`() throws {
        var code = ""
        while !code.contains("0") {
            code = text(of: try RecoveryCode.generate())
        }
        let typed = String(code.map { $0 == "0" ? "o" : $0 })
        #expect(try parse(typed) == code.filter { $0 != "-" })
    }

    @Test func `every wrong character is found`() throws {
        let characters = Array(Self.plainExample)
        for place in characters.indices {
            for wrong in Self.alphabet where wrong != characters[place] {
                var typed = characters
                typed[place] = wrong
                #expect(try parse(String(typed)) == nil, "\(wrong) at \(place)")
            }
        }
    }

    @Test func `every pair of exchanged characters is found`() throws {
        let characters = Array(Self.plainExample)
        for first in characters.indices {
            for second in characters.indices where second > first && characters[first] != characters[second] {
                var typed = characters
                typed.swapAt(first, second)
                #expect(try parse(String(typed)) == nil, "\(first) with \(second)")
            }
        }
    }

    @Test func `every missing or doubled character is found`() throws {
        let characters = Array(Self.plainExample)
        for place in characters.indices {
            var short = characters
            short.remove(at: place)
            #expect(try parse(String(short)) == nil)
            var long = characters
            long.insert(characters[place], at: place)
            #expect(try parse(String(long)) == nil)
        }
    }

    @Test(arguments: ["", "-", "U", "3AHR-Z6DM-V29G-QY5C-KT18-FPX4-BJQG-XGA!", "é", String(repeating: "-", count: 257)])
    func `a text that is not a code is reported as mistyped`(typed: String) throws {
        #expect(try parse(typed) == nil)
    }

    @Test func `an error message contains no part of the code`() throws {
        do throws(CryptoError) {
            _ = try plain("3AHR-Z6DM-V29G")
            Issue.record("a short code was taken")
        } catch {
            #expect(error.code == .recoveryCodeMistyped)
            #expect(!error.message.contains("3AHR") && !error.message.contains("Z6DM"))
        }
    }
}
