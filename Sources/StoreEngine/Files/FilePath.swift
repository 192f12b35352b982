import StoreBasics

/// The trees of the vault. The raw values are the names of their roots, kept at rest.
package enum FileArea: String, CaseIterable, Hashable, Sendable {
    case cache
    case document
    case library
    /// Like `library`, for what is not to leave the device.
    case notSyncedLibrary
    case temporary
}

package enum FileNameKind: NameKind {
    package static let title = "file name"
    package static let bytesMax = 255
}

/// What a file or directory is called within its directory. Kept as sent and compared by bytes.
package typealias FileName = Name<FileNameKind>

/// A place in a tree of the vault: data, and never a path of the host.
package struct FilePath: Hashable, Sendable {
    package let area: FileArea
    /// From the root down; none for the root itself.
    package let names: [FileName]

    package static func root(of area: FileArea) -> FilePath {
        FilePath(area: area, names: [])
    }

    /// - Parameter text: names with slashes between them. Slashes at the start, at the end and beside another mean
    ///   nothing.
    /// - Throws: `.invalidArgument` for `.` and `..`, a NUL, and what is longer or deeper than the limits.
    package init(_ area: FileArea, _ text: String) throws(StoreError) {
        var names: [FileName] = []
        // By bytes: a slash with a combining mark behind it is one character, and a slash all the same.
        for part in text.utf8.split(separator: UInt8(ascii: "/")) {
            let name = try FileName(String(Substring(part)))
            guard name.text != ".", name.text != ".." else {
                throw .invalidArgument("the path contains . or .. as a name; use the path without them")
            }
            names.append(name)
        }
        guard names.count <= EngineLimits.fileDepthMax else {
            throw .invalidArgument("the path has \(names.count) names; the limit is \(EngineLimits.fileDepthMax)")
        }
        self.init(area: area, names: names)
        guard byteCount <= EngineLimits.filePathBytesMax else {
            throw .invalidArgument("the path has \(byteCount) bytes; the limit is \(EngineLimits.filePathBytesMax)")
        }
    }

    /// - Parameter text: as `text` gives it.
    /// - Throws: `.invalidArgument` for anything else.
    package init(text: String) throws(StoreError) {
        let area = text.utf8.prefix { $0 != UInt8(ascii: "/") }
        guard let found = FileArea(rawValue: String(Substring(area))) else {
            throw .invalidArgument("the path is not in an area of the vault")
        }
        try self.init(found, String(Substring(text.utf8.dropFirst(area.count))))
    }

    private init(area: FileArea, names: [FileName]) {
        self.area = area
        self.names = names
    }

    var isRoot: Bool { names.isEmpty }

    /// Not deeper or longer than what is made from a text.
    var canBeNamed: Bool {
        names.count <= EngineLimits.fileDepthMax && byteCount <= EngineLimits.filePathBytesMax
    }

    /// Of its names, with a slash between each two.
    var byteCount: Int { names.reduce(max(0, names.count - 1)) { $0 + $1.text.utf8.count } }

    /// `nil` for a root.
    var parent: FilePath? {
        isRoot ? nil : FilePath(area: area, names: names.dropLast())
    }

    /// Those it lies in, from the root down; none for a root.
    var ancestors: [FilePath] {
        names.indices.map { FilePath(area: area, names: Array(names[..<$0])) }
    }

    /// What it is called in its directory; that of a root among the roots is its area.
    var lastName: FileName {
        names.last ?? FileName(trusted: area.rawValue)
    }

    /// The names from the roots' own directory down.
    var namesFromTop: [FileName] {
        [FileName(trusted: area.rawValue)] + names
    }

    func appending(_ name: FileName) -> FilePath {
        FilePath(area: area, names: names + [name])
    }

    /// Lies anywhere below `other`.
    func isBelow(_ other: FilePath) -> Bool {
        area == other.area && names.count > other.names.count && names.starts(with: other.names)
    }

    /// The area and the names, with slashes between them: the id of changes, and what access rules name.
    package var text: String {
        namesFromTop.map(\.text).joined(separator: "/")
    }
}
