import StoreBasics

/// A file or a folder of a simulated disk, with its durable bytes and the changes that are not durable yet.
final class DiskNode {
    enum Change {
        case write(at: Int, Range<Int>)
        case resize(Int)
        case zero(Range<Int>)
        case grow(Int)
    }

    /// The luck of a power cut: which of the changes that are not durable yet survive it.
    enum Luck: CaseIterable {
        case nothing, some, everything
    }

    /// The unit that a disk writes completely or not at all.
    private static let sectorBytes = 512

    private var durable: [UInt8]
    /// The changes that are not durable yet, in order, each with the position in the `WriteRecord` at which it ends.
    private var pending: [(change: Change, end: Int)] = []

    init(_ bytes: [UInt8] = []) {
        durable = bytes
    }

    func note(_ change: Change, end: Int) {
        pending.append((change, end))
    }

    /// Makes all changes durable that were recorded before a position.
    func sync(before position: Int, _ record: [UInt8]) {
        let synced = pending.prefix { $0.end <= position }
        for (change, _) in synced {
            Self.apply(change, to: &durable, record)
        }
        pending.removeFirst(synced.count)
    }

    /// Returns the bytes that may remain after a power cut. If a range was written twice, the later write may be
    /// present without the earlier one. Any of the sectors of a write may be present.
    func survivor(_ luck: Luck, _ record: [UInt8], _ random: inout SplitMix) -> [UInt8] {
        var bytes = durable
        for (change, _) in pending {
            switch (luck, change, Int.random(in: 0..<4, using: &random)) {
            case (.everything, _, _), (.some, _, 0): Self.apply(change, to: &bytes, record)
            case (.some, .write(let offset, let range), 1):
                Self.tear(range, at: offset, of: &bytes, record, &random)
            default: break
            }
        }
        return bytes
    }

    private static func tear(
        _ range: Range<Int>, at offset: Int, of bytes: inout [UInt8], _ record: [UInt8], _ random: inout SplitMix
    ) {
        var start = 0
        while start < range.count {
            let sectorEnd = ((offset + start) / sectorBytes + 1) * sectorBytes - offset
            let end = min(sectorEnd, range.count)
            if Bool.random(using: &random) {
                let part = (range.lowerBound + start)..<(range.lowerBound + end)
                apply(.write(at: offset + start, part), to: &bytes, record)
            }
            start = end
        }
    }

    private static func apply(_ change: Change, to bytes: inout [UInt8], _ record: [UInt8]) {
        switch change {
        case .write(let offset, let range):
            grow(&bytes, to: offset + range.count)
            bytes.withUnsafeMutableBytes { bytes in
                record.withUnsafeBytes { record in
                    UnsafeMutableRawBufferPointer(rebasing: bytes[offset..<(offset + range.count)])
                        .copyMemory(from: UnsafeRawBufferPointer(rebasing: record[range]))
                }
            }
        case .resize(let size):
            grow(&bytes, to: size)
            bytes.removeLast(bytes.count - size)
        case .grow(let size): grow(&bytes, to: size)
        case .zero(let range):
            let zeroed = range.clamped(to: 0..<bytes.count)
            bytes.replaceSubrange(zeroed, with: repeatElement(0, count: zeroed.count))
        }
    }

    private static func grow(_ bytes: inout [UInt8], to size: Int) {
        if bytes.count < size {
            bytes.append(contentsOf: [UInt8](repeating: 0, count: size - bytes.count))
        }
    }
}
