@testable import StoreEngine

/// One thing that happens to one file.
struct Damage: CustomStringConvertible {
    let file: String
    let what: String
    private let change: () -> [UInt8]?

    /// The file afterwards; `nil` when it is gone. Made when it is asked for: a test tries a few of many damages.
    var bytes: [UInt8]? { change() }

    var description: String { "\(file) \(what)" }

    init(file: String, what: String, bytes: @autoclosure @escaping () -> [UInt8]?) {
        self.file = file
        self.what = what
        change = bytes
    }

    /// Missing, empty, cut at every 512-byte sector and beside it.
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

    /// Each page all zeros, and each of its sectors.
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

    /// One byte of each sector inverted, at a place that moves on from sector to sector.
    static func flips(in file: String, _ bytes: [UInt8]) -> [Damage] {
        stride(from: 0, to: bytes.count, by: 512).map { sector in
            let place = sector + sector / 512 * 37 % 512
            return Damage(
                file: file, what: "with byte \(place) inverted",
                bytes: bytes.replacing(at: place, with: [~bytes[place]]))
        }
    }

    /// Each page that differs between two versions of the file, torn at each sector: the first part of the
    /// other version, the rest as it was.
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
    /// Returns the bytes with others in the place of as many.
    fileprivate func replacing(at offset: Int, with others: [UInt8]) -> [UInt8] {
        var bytes = self
        bytes.replaceSubrange(offset..<(offset + others.count), with: others)
        return bytes
    }
}
