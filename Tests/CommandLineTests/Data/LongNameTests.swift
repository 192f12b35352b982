import GhostTestSupport
import TestBasics
import Testing

@testable import ghoststorectl

/// Files whose names are almost as long as the file system allows.
@Suite struct LongNameTests {
    @Test(arguments: [240, 247, 248, 249, 250, 251, 252, 254, 255])
    func `every command writes a file with a long name and leaves no other file`(
        _ byteCount: Int
    ) async throws {
        try await withControl { control, _ in
            // The name has two-byte characters, so that a cut inside a character is noticed.
            let name = String(repeating: "é", count: byteCount / 2) + (byteCount.isMultiple(of: 2) ? "" : "x")
            let result = try await control.shell(
                """
                set -e; place=$(mktemp -d); cd "$place"; trap 'rm -rf "$place"' EXIT
                printf content | "$CTL" files put -p - "document/d/\(name)"
                printf picture | "$CTL" messages save alice hello --id m1 --attach -
                "$CTL" logs open log --maximum-bytes 1000; "$CTL" logs append log one
                one() { "$@" > /dev/null 2> "$place/../errors" && [ "$(ls -A)" = '\(name)' ] && rm -r -- '\(name)'; }
                one "$CTL" files get "document/d/\(name)" '\(name)'
                one "$CTL" files get --resume "document/d/\(name)" '\(name)'
                one "$CTL" attachments get m1 0 '\(name)'
                one "$CTL" messages export -o '\(name)'
                one "$CTL" backup create -o '\(name)'
                one "$CTL" archive create '\(name)'
                one "$CTL" archive create --json-lines '\(name)'
                one "$CTL" blobs export alice '\(name)'
                one "$CTL" logs export log '\(name)'
                one "$CTL" metrics --textfile '\(name)'
                "$CTL" files get -r document/d out; [ "$(ls -A out)" = '\(name)' ]
                "$CTL" files put --resume 'out/\(name)' "document/e/\(name)" -p
                [ "$("$CTL" files ls document/e -q)" = '\(name)' ]
                """.replacing("$place/../errors", with: "/dev/null"))
            #expect(result.exitCode == 0, "\(result.output) \(result.errorOutput)")
        }
    }

    @Test func `the temporary names for two long names with the same beginning differ`() {
        let (left, right) = (String(repeating: "a", count: 255), String(repeating: "a", count: 254) + "b")
        for suffix in [".part", ".part-of", ".XXXXXX"] {
            let names = [left, right].map { FilePlacement.name($0, with: suffix, bytesMax: 255) }
            #expect(names[0] != names[1] && names.allSatisfy { $0.utf8.count <= 255 && $0.hasSuffix(suffix) })
        }
        #expect(FilePlacement.name("short", with: ".part", bytesMax: 255) == "short.part")
        #expect(FilePlacement.path("/\u{301}a/b", with: ".part") == "/\u{301}a/b.part")
    }
}
