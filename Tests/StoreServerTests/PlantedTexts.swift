import Glibc

@testable import StoreServer

/// A text that tests plant in a store: `planted.AREA.KIND.ENTRY.WHAT/`. If a response contains such a text, the text
/// says what the response reveals. KIND is `name` for the names by which applications know an entry, and `content` for
/// anything else.
struct PlantedText: Hashable, CustomStringConvertible {
    let text: String
    let area: Area
    let isName: Bool
    let entry: String

    var description: String { text }

    /// Parses a planted text. Returns `nil` for any other text.
    init?(_ text: String) {
        let parts = text.dropLast().split(separator: ".")
        guard text.last == "/", parts.count >= 4, parts[0] == "planted", let area = Area(rawValue: String(parts[1]))
        else { return nil }
        self.text = text
        self.area = area
        isName = parts[2] == "name"
        entry = String(parts[3])
    }

    /// The name of the entry, as an access rule for its area contains it.
    var entryName: String {
        "planted.\(area).name.\(entry)/"
    }

    /// Returns the planted texts among these bytes.
    static func all(in bytes: [UInt8]) -> Set<PlantedText> {
        let mark = Array("planted.".utf8)
        return bytes.withUnsafeBytes { bytes in
            var found: Set<PlantedText> = []
            var rest = bytes[...]
            while let start = UnsafeRawBufferPointer(rebasing: rest).firstIndex(of: mark) {
                rest = rest.dropFirst(start)
                if let end = rest.firstIndex(of: UInt8(ascii: "/")),
                    let text = PlantedText(String(decoding: rest[...end], as: UTF8.self))
                {
                    found.insert(text)
                }
                rest = rest.dropFirst()
            }
            return found
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Returns the offset of the first occurrence of `bytes`. It uses the C library, because loops over bytes are slow
    /// in debug builds.
    fileprivate func firstIndex(of bytes: [UInt8]) -> Int? {
        guard let base = baseAddress, let first = bytes.first else { return nil }
        var start = 0
        while start + bytes.count <= count, let place = memchr(base + start, CInt(first), count - start) {
            start = UnsafeRawPointer(place) - base
            if start + bytes.count <= count, memcmp(place, bytes, bytes.count) == 0 {
                return start
            }
            start += 1
        }
        return nil
    }
}
