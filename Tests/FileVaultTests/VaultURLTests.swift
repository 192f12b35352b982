import FoundationEssentials
import StoreClient
import Testing

@testable import FileVault

@Suite struct VaultURLTests {
    private func resolved(_ path: String, _ searchPath: FileSearchPath) -> String? {
        guard let found = try? VaultURL.path(path, searchPath), let url = try? VaultURL.url(of: found) else {
            return nil
        }
        return (try? VaultURL.path(of: url)) == found ? found.description : "another"
    }

    @Test func `a path in a tree is not percent-decoded, and its slashes and dots are resolved`() {
        let expected: KeyValuePairs<String, String?> = [
            "": "document", "/": "document", "a": "document/a", "/a//b/": "document/a/b", "a/./b": "document/a/b",
            "a/../b": "document/b", "..": nil, "a/../../b": nil, "a%20b": "document/a%20b",
            "a b?c#d": "document/a b?c#d",
            "e\u{301}": "document/e\u{301}", "é": "document/é", "CON": "document/CON", "~": "document/~",
            "a\u{0}b": nil, "\\..\\x": "document/\\..\\x", "a/\u{301}b": "document/a/\u{301}b",
        ]
        for (path, place) in expected {
            let found = resolved(path, .directory(type: .document))
            #expect(found.map { Array($0.utf8) } == place.map { Array($0.utf8) }, "\(path)")
        }
    }

    @Test func `NoCloud and Caches at the top of the library lead to areas of their own`() {
        let library = FileSearchPath.directory(type: .library)
        #expect(resolved("a/NoCloud", library) == "library/a/NoCloud")
        #expect(resolved("NoCloud/a", library) == "notSyncedLibrary/a")
        #expect(resolved("/Caches//a", library) == "cache/a")
        #expect(resolved("nocloud/a", library) == "library/nocloud/a")
        #expect(resolved("a", .directory(type: .notSyncedLibrary)) == "notSyncedLibrary/a")
        #expect(resolved("NoCloud/a", .directory(type: .notSyncedLibrary)) == "notSyncedLibrary/NoCloud/a")
    }

    @Test func `a raw path must be a URL of the vault or lead into a container`() {
        let expected: KeyValuePairs<String, String?> = [
            "ghoststore-file:///document/a%20b": "document/a b", "GHOSTSTORE-FILE:///cache": "cache",
            "ghoststore-file:///document//a/": "document/a", "file:///Documents/a": "document/a",
            "file://localhost/tmp/a": "temporary/a", "file:/Library/NoCloud/a": "notSyncedLibrary/a",
            "/Library/Caches/a": "cache/a", "/Library/a": "library/a", "file:///Documents/../../etc/passwd": nil,
            "file:///etc/passwd": nil, "/etc/passwd": nil, "ghoststore-file:///etc/passwd": nil,
            "ghoststore-file://host/document/a": nil, "https://example.org/document/a": nil, "document/a": nil,
            "": nil, "ghoststore-file:///document/%2e%2e/%2e%2e/etc": nil, "ghoststore-file:///document/%00": nil,
            "ghoststore-file:///document/%zz": nil, "ghoststore-file:///document/%ff": nil,
            "ghoststore-file:///document/a?b": nil, "ghoststore-file:///document/a#b": nil,
            "ghoststore-file:///document/a%2Fb": "document/a/b", "file:///Library/NoCloud/../a": nil,
        ]
        for (path, place) in expected {
            #expect(resolved(path, .raw) == place, "\(path)")
        }
    }

    @Test func `a path survives conversion to a URL and back`() throws {
        for name in ["a b", "é", "e\u{301}", "%", "?#&", "\n", "\u{7f}", "👩‍👩‍👧", "a:b", "..."] {
            let path = VaultPath(.cache, "d/" + name)
            #expect(try VaultURL.path(of: VaultURL.url(of: path)) == path)
        }
    }

    @Test(arguments: [1, 2, 3, 5, 1_000])
    func `text is decoded correctly from bytes that are split anywhere`(size: Int) throws {
        let text = "a\u{301}é漢👍\r\nz👩‍👩‍👧!"
        for (encoding, mark) in [
            (FileStringEncoding.utf8, []), (.utf16, []), (.utf16LittleEndian, []),
            (.utf16BigEndian, ByteOrder.highestFirst.mark),
        ] {
            let bytes = mark + (try #require(encoding.bytes(of: text)))
            var chunks = TextChunks(encoding, TextDecoder(encoding), chunkBytes: 100)
            var together = ""
            for start in stride(from: 0, to: bytes.count, by: size) {
                let end = min(start + size, bytes.count)
                let chunk = try chunks.next(Array(bytes[start..<end]), isLast: end == bytes.count)
                if case .string(_, let part)? = chunk { together += part }
            }
            #expect(Array(together.utf8) == Array(text.utf8), "\(encoding)")
        }
    }

    @Test func `bytes that are invalid in an encoding are not decoded`() {
        let broken: [(FileStringEncoding, [UInt8])] = [
            (.utf8, [0xC3]), (.utf8, [0xFF]), (.utf8, [0xED, 0xA0, 0x80]), (.utf8, [0x80]), (.utf16, [0x61]),
            (.utf16, [0xD8, 0x00]), (.utf16, [0xDC, 0x00, 0x00, 0x61]), (.ascii, [0x80]),
            (.utf16LittleEndian, [0x00, 0xD8]), (.utf16LittleEndian, [0x00, 0xDC, 0x61, 0x00]),
        ]
        for (encoding, bytes) in broken {
            #expect(encoding.text(of: bytes) == nil, "\(encoding) \(bytes)")
        }
        #expect(FileStringEncoding.utf16.text(of: [0xFE, 0xFF, 0x00, 0x61]) == "a")
        #expect(FileStringEncoding.utf16.text(of: []) == "" && FileStringEncoding.utf8.text(of: []) == "")
    }
}
