import Glibc
import StoreBasics
import StoreClient

/// The folder that an archive is as JSON Lines: what is in it, and under which names.
enum ArchiveFolder {
    /// One object a line.
    static let linesName = "archive.jsonl"
    /// A folder with the bytes of files and of contents.
    static let contentsName = "contents"
    private static let nameBytesMax = 255

    /// - Parameter number: from 1.
    static func nameOfFile(_ number: Int) -> String {
        "file-\(number, width: 6)"
    }

    /// The path in the folder, as a line has it.
    static func path(of name: String) -> String {
        contentsName + "/" + name
    }

    /// The name of a file in the folder of contents.
    ///
    /// - Throws: where the path of a line leads anywhere else.
    static func name(at path: String) throws(JSONError) -> String {
        let prefix = contentsName + "/"
        let name = path.utf8.dropFirst(prefix.utf8.count)
        let isPlain = name.allSatisfy { byte in
            let scalar = Unicode.Scalar(byte)
            return scalar.isASCII
                && (scalar.properties.isAlphabetic || "0123456789-_.".unicodeScalars.contains(scalar))
        }
        guard path.utf8.starts(with: prefix.utf8), isPlain, 1...nameBytesMax ~= name.count,
            name.first != UInt8(ascii: ".")
        else {
            throw JSONError(
                "the field 'contentFile' must be \(contentsName)/ and a name of letters, digits, '-', '_' and '.'")
        }
        return String(decoding: name, as: UTF8.self)
    }
}
