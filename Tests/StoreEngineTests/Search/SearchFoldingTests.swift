import StoreBasics
import StoreCrypto
import Testing

@testable import StoreEngine

/// Checks that the folding of terms has not changed, because indexes contain folded terms and a search folds its words.
/// The standard library determines a part of the result: properties of scalars, and decompositions through an
/// unofficial interface. So another version of Swift may change the result.
@Suite struct SearchFoldingTests {
    /// The number of scalars of each kind. A new version of Unicode mostly changes these.
    private static let counts: [ScalarFolding.Kind: Int] = [
        .separator: 950_547, .ignored: 4_192, .invisibleSpace: 1, .word: 34_078, .unspaced: 115_766, .symbol: 7_480,
    ]
    /// The BLAKE2b-256 hash of the kind and the folded form of every scalar.
    private static let digest = "d7ab8ae338c1faa927a330328b5cda6054fddb402cb66e724fb1c5777aac7c8e"

    private static let advice: Comment = """
        Stores would not find texts any more whose terms they keep in the form of before. If ScalarFolding was not \
        changed, the standard library was: compare `swift --version` with the one that the last release was built \
        with. If the new result is to stay, append SearchIndexState.rebuilt with another name to Schema.migrations, so \
        that stores make their indexes anew, and note the new values here and in SearchTermsTests. If it is not to \
        stay, build with the earlier Swift, or give the scalars in question their earlier result in ScalarFolding.
        """

    @Test func `all scalars are folded as in the stores that exist`() {
        var counts: [ScalarFolding.Kind: Int] = [:]
        var bytes: [UInt8] = []
        func note(_ scalar: Unicode.Scalar) {
            bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let kind = ScalarFolding.kind(of: scalar)
            counts[kind, default: 0] += 1
            bytes.append(Self.byte(of: kind))
            switch kind {
            case .word: ScalarFolding.fold(scalar, note)
            case .unspaced: note(ScalarFolding.foldUnspaced(scalar))
            // One more byte, which says if the scalar is a variation selector and so allowed in a keycap.
            case .ignored: bytes.append(TermScanner.terms(of: "1\(scalar)\u{20E3}").terms.count == 1 ? 1 : 0)
            case .separator, .invisibleSpace, .symbol: break
            }
        }
        var digest = ContentDigest()
        digest.update(bytes)
        #expect(counts == Self.counts, Self.advice)
        #expect(Hexadecimal.encode(digest.finish()) == Self.digest, Self.advice)
    }

    /// Returns a byte for the kind. None of these bytes occurs in UTF-8.
    private static func byte(of kind: ScalarFolding.Kind) -> UInt8 {
        switch kind {
        case .separator: 0xF8
        case .ignored: 0xF9
        case .invisibleSpace: 0xFA
        case .word: 0xFB
        case .unspaced: 0xFC
        case .symbol: 0xFD
        }
    }
}
