import FoundationEssentials
import StoreClient

/// Conversion between paths of the vault and URLs such as `ghoststore-file:///document/notes/one.txt`. This library
/// never opens a URL, so a URL cannot reach the host's file system.
///
/// `file` URLs are accepted, too, as paths within the container of an application: its `Documents`, `Library`,
/// `Library/Caches`, `Library/NoCloud` and `tmp` are the areas of the vault.
enum VaultURL {
    static let scheme = "ghoststore-file"

    private static let slash = UInt8(ascii: "/")
    /// The folders of the container that correspond to areas. Each is given by the names of its path. A folder inside
    /// another folder comes before that folder, because the first match is used.
    private static let container: [(names: [String], area: VaultArea)] = [
        (["Library", "Caches"], .cache), (["Library", "NoCloud"], .notSyncedLibrary), (["Library"], .library),
        (["Documents"], .document), (["tmp"], .temporary),
    ]

    /// Returns the URL of a path.
    ///
    /// - Throws: `.cantCreateURL`, only if Foundation does not accept the URL.
    static func url(of path: VaultPath) throws(FileVaultError) -> URL {
        let encoded = path.description.utf8.map { byte in
            isUnreserved(byte) ? String(UnicodeScalar(byte)) : "%" + hexadecimal(byte)
        }
        guard let url = URL(string: scheme + ":///" + encoded.joined()) else {
            throw .cantCreateURL(forPath: path.description)
        }
        return url
    }

    /// Returns the path in the vault for a text: a path in the area of the search path or, with `.raw`, a URL.
    ///
    /// - Throws: `.cantCreateURL` for a path outside the vault.
    static func path(_ text: String, _ searchPath: FileSearchPath) throws(FileVaultError) -> VaultPath {
        switch searchPath {
        case .directory(let type):
            guard let resolved = resolved(type.area, text) else { throw .cantCreateURL(forPath: text) }
            return resolved
        case .raw:
            return try path(ofText: text)
        }
    }

    /// Returns the path in the vault that a URL refers to.
    ///
    /// - Throws: `.cantCreateURL` for a URL that is not a path in the vault.
    static func path(of url: URL) throws(FileVaultError) -> VaultPath {
        try path(ofText: url.absoluteString)
    }

    /// Returns the path in the vault that the text of a URL refers to.
    ///
    /// - Parameter text: a URL, or a path within the container.
    /// - Throws: `.cantCreateURL`.
    static func path(ofText text: String) throws(FileVaultError) -> VaultPath {
        let refusal = FileVaultError.cantCreateURL(forPath: text)
        guard let parts = parts(of: text), let decoded = percentDecoded(parts.path),
            let path = parts.isOfVault ? VaultPath(decoded.drop { $0 == "/" }.description) : contained(decoded),
            let resolved = resolved(path.area, path.subpath)
        else { throw refusal }
        return resolved
    }

    /// Returns the path in an area, with `.` and `..` resolved; `nil` if it leads out of the area or contains a NUL.
    /// `Caches` and `NoCloud` in the area `library` are areas of their own: a path below such a folder becomes a path
    /// in the area of the folder.
    static func resolved(_ area: VaultArea, _ subpath: String) -> VaultPath? {
        guard !subpath.utf8.contains(0) else { return nil }
        var names: [String] = []
        for name in VaultPath(area, subpath).names {
            switch name {
            case ".": break
            case "..":
                guard names.popLast() != nil else { return nil }
            default: names.append(name)
            }
        }
        return area == .library ? contained(["Library"] + names) : VaultPath(area, names.joined(separator: "/"))
    }

    private static func contained(_ path: String) -> VaultPath? {
        contained(VaultPath(.document, path).names)
    }

    private static func contained(_ names: [String]) -> VaultPath? {
        container.first { names.starts(with: $0.names) }.map { root in
            VaultPath(root.area, names.dropFirst(root.names.count).joined(separator: "/"))
        }
    }

    /// Returns the percent-encoded path of a URL; `nil` for a URL with a host, a query or a fragment, or with another
    /// scheme.
    private static func parts(of text: String) -> (path: Substring.UTF8View, isOfVault: Bool)? {
        let bytes = text.utf8
        guard !bytes.contains(UInt8(ascii: "?")), !bytes.contains(UInt8(ascii: "#")) else { return nil }
        let schemeEnd = bytes.firstIndex { $0 == UInt8(ascii: ":") || $0 == slash } ?? bytes.endIndex
        guard schemeEnd < bytes.endIndex, bytes[schemeEnd] == UInt8(ascii: ":") else {
            return bytes.first == slash ? (bytes[...], false) : nil
        }
        let scheme = text[..<schemeEnd].lowercased()
        guard scheme == Self.scheme || scheme == "file" else { return nil }
        var rest = bytes[schemeEnd...].dropFirst()
        if rest.starts(with: [slash, slash]) {
            rest = rest.dropFirst(2)
            if rest.starts(with: "localhost".utf8) {
                rest = rest.dropFirst("localhost".utf8.count)
            }
        }
        return rest.first == slash ? (rest, scheme == Self.scheme) : nil
    }

    /// Returns the decoded text; `nil` for a `%` without two digits after it, and for bytes that are not UTF-8.
    private static func percentDecoded(_ bytes: Substring.UTF8View) -> String? {
        var decoded: [UInt8] = []
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                decoded.append(byte)
                continue
            }
            guard let digits = String(rest.prefix(2)), digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit),
                let value = UInt8(digits, radix: 16)
            else { return nil }
            decoded.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: decoded, as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"), slash:
            true
        default:
            false
        }
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
}
