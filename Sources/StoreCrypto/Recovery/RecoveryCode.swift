import CSodium

/// A recovery code: 130 random bits that a person can write down, with a checksum that detects typing errors.
///
/// The printed form consists of eight groups of four characters of Crockford's base 32
/// (https://www.crockford.com/base32.html), joined by hyphens: 39 ASCII bytes. The last six characters are the
/// checksum. A person may type lower or upper case, with or without hyphens and spaces, `I` and `L` for `1`, and `O`
/// for `0`.
package enum RecoveryCode {
    static let randomSymbols = 26
    static let symbols = randomSymbols + RecoveryCodeChecksum.symbols
    static let groupSymbols = 4
    /// The size of a printed code: 32 characters and 7 hyphens.
    package static let printedBytes = symbols + symbols / groupSymbols - 1
    /// The most bytes that a person may type, including separators.
    static let typedBytesMax = 256

    /// Generates a code in its printed form.
    ///
    /// - Throws: `.memoryUnavailable`.
    package static func generate() throws(CryptoError) -> SecretBytes {
        var values = try SecretBytes.random(count: symbols)
        var printed = try SecretBytes(count: printedBytes)
        values.withUnsafeMutableBytes { values in
            for index in 0..<randomSymbols {
                values[index] &= 31
            }
            RecoveryCodeChecksum.write(into: values)
            printed.withUnsafeMutableBytes { print(UnsafeRawBufferPointer(values), into: $0) }
        }
        return printed
    }

    /// Returns the plain form of a typed code: 32 upper-case characters without separators.
    ///
    /// - Parameter noun: the name of the code in messages for people.
    /// - Throws: `.recoveryCodeMistyped`, `.memoryUnavailable`.
    package static func parse(
        _ typed: borrowing SecretBytes, noun: String = "recovery code"
    ) throws(CryptoError) -> SecretBytes {
        guard typed.count <= typedBytesMax else { throw mistyped(noun, "the text is too long") }
        var values = try SecretBytes(count: symbols)
        var plain = try SecretBytes(count: symbols)
        let failure: String? = values.withUnsafeMutableBytes { values in
            if let failure = typed.withUnsafeBytes({ read($0, into: values) }) { return failure }
            guard RecoveryCodeChecksum.isValid(UnsafeRawBufferPointer(values)) else {
                return "the checksum does not match"
            }
            plain.withUnsafeMutableBytes { plain in
                for index in values.indices {
                    plain[index] = RecoveryCodeAlphabet.character(of: values[index])
                }
            }
            return nil
        }
        if let failure { throw mistyped(noun, failure) }
        return plain
    }

    private static func print(_ values: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) {
        var position = 0
        for (index, value) in values.enumerated() {
            if index > 0, index.isMultiple(of: groupSymbols) {
                output[position] = UInt8(ascii: "-")
                position += 1
            }
            output[position] = RecoveryCodeAlphabet.character(of: value)
            position += 1
        }
        precondition(position == output.count, "the groups must fill the printed code")
    }

    /// Decodes characters into values. Returns a description of the error, or `nil` on success.
    private static func read(
        _ typed: UnsafeRawBufferPointer, into values: UnsafeMutableRawBufferPointer
    ) -> String? {
        var count = 0
        for character in typed where !RecoveryCodeAlphabet.isSeparator(character) {
            guard let value = RecoveryCodeAlphabet.value(of: character) else {
                return "the text has a character that codes never contain"
            }
            guard count < values.count else { return "the text has too many characters" }
            values[count] = value
            count += 1
        }
        return count == values.count ? nil : "the text has too few characters"
    }

    private static func mistyped(_ noun: String, _ cause: String) -> CryptoError {
        CryptoError(
            .recoveryCodeMistyped,
            "\(noun) is mistyped: \(cause); a code has \(symbols) letters and digits in groups of four")
    }
}
