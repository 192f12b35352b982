import StoreBasics
import StoreEngine

/// Files of one area. Small ones are in the database. Larger ones are written in parts to files of the vault.
struct FileSubject: Subject {
    private static let namesMax = 5
    private static let chunkBytes = EngineLimits.inlineFileBytesMax

    /// A content as a list of parts. Each part knows the seed from which its bytes are generated.
    private struct Content {
        struct Part {
            var seed: UInt64
            var place: Int
            var count: Int
        }

        var parts: [Part] = []

        var count: Int { parts.reduce(0) { $0 + $1.count } }
        var bytes: [UInt8] { parts.flatMap { Bytes.of(seed: $0.seed, from: $0.place, count: $0.count) } }

        mutating func append(seed: UInt64, count: Int) {
            parts.append(Part(seed: seed, place: 0, count: count))
        }

        /// Overwrites the bytes from `offset` on, and extends the content if the new bytes reach beyond its end.
        mutating func write(seed: UInt64, count: Int, at offset: Int) {
            let whole = parts
            parts = Self.cut(whole, 0..<offset) + [Part(seed: seed, place: 0, count: count)]
            parts += Self.cut(whole, (offset + count)..<Int.max)
        }

        private static func cut(_ parts: [Part], _ range: Range<Int>) -> [Part] {
            var start = 0
            var left: [Part] = []
            for part in parts {
                let from = max(range.lowerBound, start)
                let to = min(range.upperBound, start + part.count)
                if from < to {
                    left.append(Part(seed: part.seed, place: part.place + from - start, count: to - from))
                }
                start += part.count
            }
            return left
        }
    }

    private let area: FileArea
    private let isLarge: Bool
    private var files: [String: Content] = [:]
    /// All parts that were ever written to small files, including parts that were overwritten or removed.
    private var written: [Content.Part] = []

    init(area: FileArea, isLarge: Bool) {
        self.area = area
        self.isLarge = isLarge
    }

    var contents: [String: String] { files.mapValues { Bytes.name(of: $0.bytes) } }

    private var names: [String] { files.keys.sorted() }

    /// Only the bytes of small files. Large files are in no record of the journal, and their vault files are
    /// overwritten before they are deleted.
    var removedBytes: [Needle] {
        let there = Set(files.values.flatMap(\.parts).filter { $0.place == 0 }.map(\.seed))
        return written.filter { !there.contains($0.seed) }.compactMap { part in
            Needle(Bytes.of(seed: part.seed, count: part.count))
        }
    }
    var isReadAtOnce: Bool { false }

    func read(_ reader: StoreReader) throws(StoreError) -> [String: String] {
        var contents: [String: String] = [:]
        for item in try reader.files(in: .root(of: area), limit: 1_000, cursor: nil).items {
            contents[item.name.text] = Bytes.name(of: try Self.bytes(of: path(item.name.text), reader))
        }
        return contents
    }

    private func path(_ name: String) throws(StoreError) -> FilePath {
        try FilePath(area, name)
    }

    private static func bytes(of path: FilePath, _ reader: StoreReader) throws(StoreError) -> [UInt8] {
        try Pieces.read { (offset, room) throws(StoreError) in
            guard case .file(let byteCount)? = try reader.readFile(at: path, from: offset, into: room)?.kind else {
                return nil
            }
            return byteCount
        }
    }

    mutating func next(_ number: Int, _ random: inout SplitMix) throws(StoreError) -> Work {
        let name = "file-\(random.number(below: Self.namesMax))"
        guard let there = random.element(of: names) else { return try write(name, &random) }
        switch random.number(below: 10) {
        case 0, 1:
            files[there] = nil
            return .mutation(.deleteFile(try path(there)))
        case 2 where there != name:
            files[name] = files.removeValue(forKey: there)
            return .mutation(.moveFile(try path(there), to: try path(name)))
        case 3 where there != name:
            files[name] = files[there]
            return .mutation(.copyFile(try path(there), to: try path(name)))
        case 4, 5, 6: return try change(there, &random)
        default: return try write(name, &random)
        }
    }

    private mutating func write(_ name: String, _ random: inout SplitMix) throws(StoreError) -> Work {
        let seed = random.next()
        let count = isLarge ? Self.chunkBytes + 1 + random.number(below: Self.chunkBytes) : random.number(below: 3_000)
        files[name] = Content()
        files[name]?.append(seed: seed, count: count)
        let bytes = Bytes.of(seed: seed, count: count)
        written += isLarge ? [] : files[name]?.parts ?? []
        guard isLarge else { return .mutation(.saveFile(try path(name), bytes, createsParents: false)) }
        let request = FileWriteRequest(path: try path(name), place: .whole)
        return .fileWrite(request, bytes)
    }

    private mutating func change(_ name: String, _ random: inout SplitMix) throws(StoreError) -> Work {
        let seed = random.next()
        let size = files[name]?.count ?? 0
        guard isLarge else {
            let count = 1 + random.number(below: 800)
            files[name]?.append(seed: seed, count: count)
            written += files[name]?.parts.suffix(1) ?? []
            let bytes = Bytes.of(seed: seed, count: count)
            return .mutation(.appendFile(try path(name), bytes, createsParents: false))
        }
        let offset = random.isOne(of: 3) ? size : random.number(below: size)
        let count = 1 + random.number(below: 20_000)
        files[name]?.write(seed: seed, count: count, at: offset)
        let request = FileWriteRequest(
            path: try path(name), place: offset == size ? .end : .offset(UInt64(offset)))
        return .fileWrite(request, Bytes.of(seed: seed, count: count))
    }
}
