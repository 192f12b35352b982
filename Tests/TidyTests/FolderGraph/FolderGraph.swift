/// The folders of one target, with an arrow from each folder to every folder whose types it uses.
///
/// Only types count that a file declares at its top level and that are not private to it. Uses are found by name, so
/// members of extensions do not count.
struct FolderGraph {
    /// An arrow between two folders: a file in `from` uses a type that a file in `to` declares.
    struct Arrow: Hashable {
        /// The deepest folder that contains both files, relative to the target; empty for the target itself.
        var parent: String
        /// The names of the two folders in `parent`; empty for the files in `parent` itself.
        var from: String
        var to: String

        var text: String { "\(parent)/: \(from.isEmpty ? "." : from) > \(to.isEmpty ? "." : to)" }
    }

    /// The uses by arrow: for each file and each type that it uses, the first line with the name of the type.
    private(set) var uses: [Arrow: [Finding]] = [:]

    /// Reads the arrows of a target.
    ///
    /// - Parameter sources: all files of the target.
    init(_ sources: [SwiftSource]) {
        var homes: [Substring: SwiftSource] = [:]
        for source in sources {
            for name in source.declaredTypes where homes[name] == nil {
                homes[name] = source
            }
        }
        for source in sources {
            for (name, line) in source.namedTypes {
                guard let home = homes[name], let arrow = Self.arrow(from: source, to: home) else { continue }
                uses[arrow, default: []].append(
                    Finding(path: source.path, line: line, message: "\(arrow.text) uses \(name)"))
            }
        }
    }

    /// Returns the arrows that belong to a cycle of folders.
    func arrowsOfCycles() -> [Arrow] {
        var targets: [String: Set<String>] = [:]
        for arrow in uses.keys {
            targets[arrow.parent + "/" + arrow.from, default: []].insert(arrow.parent + "/" + arrow.to)
        }
        return uses.keys.filter { arrow in
            Self.isReachable(arrow.parent + "/" + arrow.from, from: arrow.parent + "/" + arrow.to, targets)
        }.sorted { $0.text < $1.text }
    }

    private static func isReachable(_ goal: String, from start: String, _ targets: [String: Set<String>]) -> Bool {
        var seen: Set = [start]
        var rest = [start]
        while let next = rest.popLast() {
            if next == goal { return true }
            for target in targets[next] ?? [] where seen.insert(target).inserted {
                rest.append(target)
            }
        }
        return false
    }

    /// Returns the arrow from the folder of one file to the folder of another; `nil` if both files are in one folder.
    private static func arrow(from source: SwiftSource, to home: SwiftSource) -> Arrow? {
        var (from, to) = (source.foldersInTarget[...], home.foldersInTarget[...])
        var parent: [Substring] = []
        while let name = from.first, name == to.first {
            parent.append(name)
            from.removeFirst()
            to.removeFirst()
        }
        guard from.first != to.first else { return nil }
        return Arrow(
            parent: parent.joined(separator: "/"), from: String(from.first ?? ""), to: String(to.first ?? ""))
    }
}

extension SwiftSource {
    /// The names of the folders from the target to the file.
    fileprivate var foldersInTarget: [Substring] {
        let parts = path.split(separator: "/")
        guard let index = parts.firstIndex(of: target[...]) else { return [] }
        return Array(parts[(index + 1)...].dropLast())
    }

    /// The types that the file declares for other files of its target.
    var declaredTypes: [Substring] {
        codeLines.compactMap { line in
            guard let first = line.utf8.first, first != UInt8(ascii: " ") else { return nil }
            let words = line.words
            guard !words.contains("private"), !words.contains("fileprivate"),
                let keyword = words.firstIndex(where: Self.declaring.contains), keyword + 1 < words.count
            else { return nil }
            return words[..<keyword].contains("extension") ? nil : words[keyword + 1]
        }
    }

    private static let declaring: Set<Substring> = ["struct", "class", "enum", "protocol", "actor", "typealias"]

    /// The capitalized names in the file, each with the first line that contains it.
    fileprivate var namedTypes: [(name: Substring, line: Int)] {
        var seen: Set<Substring> = []
        var names: [(name: Substring, line: Int)] = []
        for (index, line) in codeLines.enumerated() {
            for word in line.words where word.beginsWithCapital && seen.insert(word).inserted {
                names.append((word, index + 1))
            }
        }
        return names
    }
}

extension String {
    /// The names, keywords and numbers of a line of code. This works on bytes, because characters take much longer.
    var words: [Substring] {
        utf8.split { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
                false
            default: true
            }
        }.map { Substring($0) }
    }
}

extension Substring {
    fileprivate var beginsWithCapital: Bool {
        utf8.first.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 } ?? false
    }
}
