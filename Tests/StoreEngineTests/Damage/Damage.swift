@testable import StoreEngine

struct Damage: CustomStringConvertible {
    let file: String
    let what: String
    private let change: () -> [UInt8]?

    /// The file after the damage; `nil` if it is deleted. It is computed on demand, because a test tries few of many
    /// damages.
    var bytes: [UInt8]? { change() }

    var description: String { "\(file) \(what)" }

    init(file: String, what: String, bytes: @autoclosure @escaping () -> [UInt8]?) {
        self.file = file
        self.what = what
        change = bytes
    }

    /// Returns damages that delete the file, empty it, or cut it near either end, at the beginning of a 512-byte
    /// sector, or one byte before or after that beginning.
    static func cuts(of file: String, _ bytes: [UInt8]) -> [Damage] {
        var lengths: Set<Int> = [0, 1, 2, bytes.count - 1]
        for sector in stride(from: 512, to: bytes.count, by: 512) {
            lengths.formUnion([sector - 1, sector, sector + 1])
        }
        let cuts = lengths.filter { (0..<bytes.count).contains($0) }.sorted().map { length in
            Damage(file: file, what: "cut to \(length) bytes", bytes: Array(bytes.prefix(length)))
        }
        return [Damage(file: file, what: "missing", bytes: nil)] + cuts
    }

    /// Returns damages that fill each page, and each of its sectors, with zeros.
    static func zeros(in file: String, _ bytes: [UInt8]) -> [Damage] {
        stride(from: 0, to: bytes.count, by: StoreSpecimen.pageBytes).flatMap { page in
            let sectors = stride(from: page, to: page + StoreSpecimen.pageBytes, by: 512).map { ($0, 512) }
            return ([(page, StoreSpecimen.pageBytes)] + sectors).map { offset, count in
                Damage(
                    file: file, what: "with zeros from \(offset), \(count) bytes",
                    bytes: bytes.replacing(at: offset, with: [UInt8](repeating: 0, count: count)))
            }
        }
    }

    /// Returns damages that invert one byte in each sector, at an offset that differs between sectors.
    static func flips(in file: String, _ bytes: [UInt8]) -> [Damage] {
        stride(from: 0, to: bytes.count, by: 512).map { sector in
            let place = sector + sector / 512 * 37 % 512
            return Damage(
                file: file, what: "with byte \(place) inverted",
                bytes: bytes.replacing(at: place, with: [~bytes[place]]))
        }
    }

    /// Returns damages for each page that differs between two versions of the file. The page is torn at each sector:
    /// its first part is from the new version, the rest from the old one.
    static func tears(of file: String, from old: [UInt8], to new: [UInt8]) -> [Damage] {
        stride(from: 0, to: min(old.count, new.count), by: StoreSpecimen.pageBytes).flatMap { page in
            let range = page..<(page + StoreSpecimen.pageBytes)
            guard old[range] != new[range] else { return [Damage]() }
            return stride(from: page + 512, to: range.upperBound, by: 512).map { tear in
                Damage(
                    file: file, what: "torn at \(tear)", bytes: old.replacing(at: page, with: Array(new[page..<tear])))
            }
        }
    }
}

extension [UInt8] {
    /// Returns a copy of equal length in which `others` overwrites the bytes from `offset` on.
    fileprivate func replacing(at offset: Int, with others: [UInt8]) -> [UInt8] {
        var bytes = self
        bytes.replaceSubrange(offset..<(offset + others.count), with: others)
        return bytes
    }
}
