import Foundation

/// A reader of the names in the string tables of a 64-bit little-endian ELF program: imported and exported symbols, and
/// symbols that are linked into it. See elf(5).
enum SymbolNames {
    private static let stringTable: UInt64 = 3

    static func read(_ program: Data) -> [String] {
        guard program.starts(with: Data("\u{7F}ELF".utf8)), let table = number(program, at: 0x28, bytes: 8),
            let size = number(program, at: 0x3A, bytes: 2), let count = number(program, at: 0x3C, bytes: 2)
        else { return [] }
        return (0..<count).flatMap { index -> [String] in
            let header = Int(table + index * size)
            guard number(program, at: header + 4, bytes: 4) == stringTable,
                let offset = number(program, at: header + 0x18, bytes: 8),
                let length = number(program, at: header + 0x20, bytes: 8), offset + length <= program.count
            else { return [] }
            return program[Int(offset)..<Int(offset + length)].split(separator: 0)
                .map { String(decoding: $0, as: UTF8.self) }
        }
    }

    private static func number(_ program: Data, at offset: Int, bytes: Int) -> UInt64? {
        guard offset >= 0, offset + bytes <= program.count else { return nil }
        return program[offset..<(offset + bytes)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
