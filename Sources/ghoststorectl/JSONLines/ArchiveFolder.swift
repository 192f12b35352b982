import Glibc
import StoreBasics
import StoreClient

/// The names of files in the folder of an archive that is stored as JSON Lines.
enum ArchiveFolder {
    /// The file with one JSON object per line.
    static let linesName = "archive.jsonl"
    /// The folder with the bytes of files and contents.
    static let contentsName = "contents"
    private static let nameBytesMax = 255

    /// Returns the name under which the folder of contents stores the bytes of a file of the vault.
    ///
    /// - Parameter number: The number of the file, starting at 1.
    static func nameOfFile(_ number: Int) -> String {
        "file-\(number, width: 6)"
    }

    /// Returns the path of a file of contents, relative to the archive's folder. The lines contain such paths.
    static func path(of name: String) -> String {
        contentsName + "/" + name
    }

    /// Returns the name of a file in the folder of contents.
    ///
    /// - Throws: If the path in a line leads out of that folder.
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
