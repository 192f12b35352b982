import FoundationEssentials
import GhostTestSupport
import Glibc
import TestBasics
import Testing

@Suite struct FileCommandTests {
    private static let strace = "/usr/bin/strace"

    @Test func `files are put, shown, moved, copied, got and removed`() async throws {
        try await withControl { control, daemon in
            let bytes = (0..<60_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            let large = try daemon.directory.write(
                (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 / 3) }, to: "large")
            try await control.text("files", "put", large, "temporary/large")
            let same = try await control.shell("\"$CTL\" files cat temporary/large | cmp - '\(large)'")
            #expect(same.exitCode == 0, "\(same.errorOutput)")
            let source = try daemon.directory.write(bytes, to: "source")
            try await control.text("files", "put", "-p", source, "document/a/one")
            try await control.text("files", "put", "-", "document/a/two", input: "hello\n")
            #expect(try await control.text("files", "cat", "document/a/two") == "hello\n")
            let got = daemon.directory.file("got")
            try await control.text("files", "get", "document/a/one", got)
            #expect(FileManager.default.contents(atPath: got).map { [UInt8]($0) } == bytes)
            let refused = try await control.run("files", "get", "document/a/one", got)
            #expect(refused.exitCode == 73 && refused.errorOutput.contains("exists already"))
            try await control.text("files", "get", "document/a/two", got, "--force")
            #expect(FileManager.default.contents(atPath: got) == Data("hello\n".utf8))
            #expect(try await control.text("files", "get", "document/a/two", "-") == "hello\n")

            let listed = try await control.json("files", "ls", "document/a")
            #expect(listed.map { $0["name"] } == ["one", "two"] && listed.map { $0["bytes"] } == [60_000, 6])
            #expect(try await control.text("files", "tree", "document") == "a/\n  one  58.6 KiB\n  two  6 B\n")
            #expect(try await control.json("files", "du", "document").first?["bytes"] == 60_006)
            #expect(try await control.json("files", "ls").count == 5)
            #expect(try await control.json("files", "stat", "document/a").first?["kind"] == "directory")

            try await control.text("files", "cp", "document/a", "cache/b")
            try await control.text("files", "mv", "cache/b/one", "cache/c")
            #expect(try await control.json("files", "ls", "cache").map { $0["name"] } == ["b", "c"])
            #expect(try await control.run("files", "mv", "cache/c", "cache/b").exitCode == 3)
            #expect(try await control.run("files", "rm", "cache/b").exitCode == 2)
            try await control.text("files", "rm", "-r", "cache/b")
            try await control.text("files", "rm", "cache/c")
            #expect(try await control.run("files", "mkdir", "cache/d/e").exitCode == 3)
            try await control.text("files", "mkdir", "-p", "cache/d/e")
            try await control.text("files", "mkdir", "-p", "cache/d/e")
            #expect(try await control.run("files", "mkdir", "cache/d/e").exitCode == 3)
            try await control.text("files", "put", "-", "cache/d/f", input: "x")
            #expect(try await control.run("files", "mkdir", "-p", "cache/d/f").exitCode == 3)
            #expect(try await control.run("files", "stat", "somewhere/a").exitCode == 64)
            #expect(try await control.run("files", "stat", "cache/../x").exitCode == 65)
        }
    }

    @Test func `an error names the option or path that would succeed`() async throws {
        try await withControl { control, daemon in
            try await control.text("files", "mkdir", "document/d")
            try await control.text("files", "put", "-", "document/f", input: "x")
            let out = daemon.directory.file("out")
            for (words, hint) in [
                ("rm document/d", "--recursive"), ("get document/d '\(out)'", "--recursive"),
                ("cat document/d", "files ls"), ("put '\(daemon.directory.path)' document/e", "--recursive"),
                ("get -r document/d -", "./-"), ("put -r - document/d", "./-"),
                ("put - cache/none/x </dev/null", "--parents creates"), ("mkdir cache/none/x", "--parents creates"),
                ("put -p - document/f/x </dev/null", "one name in the path is a file and not a directory"),
                ("mv document/f cache/a/x", "files mkdir --parents cache/a'"),
                ("cp document/f cache/a/b/x", "files mkdir --parents cache/a/b'"),
                ("mkdir document/d", "use --parents"), ("mkdir -p document/f", "a file has this name"),
                ("put - document/d </dev/null", "document/d/NAME"),
                ("mv document/f document/d", "add the new name to the path of the directory"),
                ("cp document/f document/d", "add the new name to the path of the directory"),
                ("put '\(out)' documents/y", "not begin with an area (cache, document, library,"),
                ("ls somewhere", "notSyncedLibrary, temporary)"),
            ] {
                let result = try await control.shell("\"$CTL\" files \(words)")
                #expect(result.exitCode != 0 && result.errorOutput.contains(hint), "\(words): \(result.errorOutput)")
            }
            #expect(!FileManager.default.fileExists(atPath: "-"))
        }
    }

    /// Kills the command after it has written all data, and before it renames the file or folder.
    @Test(.enabled(if: access(strace, X_OK) == 0, "strace is not there; hint: apt-get install strace"))
    func `a killed command leaves only documented names, and can be repeated`() async throws {
        try await withControl { control, daemon in
            try await control.text("files", "put", "-p", "-", "document/d/one", input: "x")
            for (words, left) in [
                ("files get document/d/one out", "out\\.[A-Za-z0-9]{6}"),
                ("archive create out", "out\\.[A-Za-z0-9]{6}"),
                ("files get -r document/d out", "out/\\.ghoststore-[0-9]+"),
                ("archive create --json-lines out", "out/\\.ghoststore-[0-9]+ out/contents/file-000001"),
            ] {
                let place = daemon.directory.file("place")
                let killed = try await control.shell(
                    """
                    rm -rf '\(place)'; mkdir '\(place)' && cd '\(place)'
                    \(Self.strace) -f -o /dev/null -e inject=fsync,syncfs:signal=SIGKILL "$CTL" \(words)
                    find . -type f | sed 's|^./||' | LC_ALL=C sort | tr '\\n' ' ' | grep -Ex '\(left) '
                    """)
                #expect(killed.exitCode == 0, "\(words): \(killed.output)")
                let again = try await control.shell("cd '\(place)' && rm -r out*; \"$CTL\" \(words)")
                #expect(again.exitCode == 0, "\(words): \(again.errorOutput)")
            }
        }
    }

    @Test func `damaged files of a directory are reported, and all others are downloaded`() async throws {
        try await withControl { control, daemon in
            let large = try daemon.directory.write([UInt8](repeating: 5, count: 300_000), to: "large")
            let middle = try daemon.directory.write([UInt8](repeating: 6, count: 100_000), to: "middle")
            for path in ["library/a", "library/d/c"] {
                try await control.text("files", "put", "-p", "-", path, input: "whole")
            }
            try await control.text("files", "put", large, "library/b")
            try await control.text("files", "put", middle, "library/d/b")
            let damaged = try await control.shell(
                """
                find '\(daemon.stateDirectory)/vault' -type f -size +90k |
                    while read -r file; do printf xxxxxxxx | dd of="$file" bs=8 seek=8750 conv=notrunc 2>/dev/null; done
                """)
            try #require(damaged.exitCode == 0)
            let out = daemon.directory.file("out")
            let got = try await control.run("files", "get", "-r", "library", out, "--json")
            #expect(got.exitCode == 4, "\(got.errorOutput)")
            for path in ["library/b", "library/d/b"] {
                #expect(got.errorOutput.contains("\(path) is damaged"), "\(got.errorOutput)")
            }
            let told = try #require(try JSON.lines(got.output).first)
            #expect(told["files"] == 2 && told["damaged"] == 2, "\(got.output)")
            let left = try await control.shell("cd '\(out)' && find . -type f | sort | tr '\\n' ' ' && cat a d/c")
            #expect(left.output == "./a ./d/c wholewhole", "\(left.output)")
        }
    }

    @Test func `a folder is stored and downloaded completely, and no link is followed`() async throws {
        try await withControl { control, daemon in
            let folder = daemon.directory.file("in")
            let setUp = try await control.shell(
                """
                mkdir -p '\(folder)/sub/empty' && cd '\(folder)' && printf one > a && printf two > 'sub/b c'
                printf secret > ../secret && ln -s ../secret link && ln -s .. sub/up && mkfifo pipe
                printf x > "$(printf 'bad\\377')"
                """)
            try #require(setUp.exitCode == 0, "\(setUp.errorOutput)")
            let put = try await control.run("files", "put", "-r", folder, "document/in", "--json")
            #expect(put.exitCode == 0, "\(put.errorOutput)")
            let told = try #require(try JSON.lines(put.output).first)
            #expect(told["files"] == 2 && told["directories"] == 2 && told["skipped"] == 4, "\(put.output)")
            #expect(put.errorOutput.contains("/link is a link") && put.errorOutput.contains("not UTF-8"))
            let tree = try await control.text("files", "tree", "document/in")
            #expect(tree == "a  3 B\nsub/\n  b c  3 B\n  empty/\n")
            // Puts the folder again, over the existing files.
            try await control.text("files", "put", "-r", folder, "document/in")

            let out = daemon.directory.file("out")
            try await control.text("files", "get", "-r", "document/in", out)
            let same = try await control.shell("cd '\(out)' && cat a 'sub/b c' && ls -A . sub | tr '\\n' ' '")
            #expect(same.output == "onetwo.: a sub  sub: b c empty ", "\(same.output)")
            #expect(try await control.run("files", "get", "-r", "document/in", out).exitCode == 73)
            // The command never follows a link at the destination.
            let linked = try await control.shell("cd '\(out)' && rm -r a sub && ln -s ../secret a && ln -s .. sub")
            try #require(linked.exitCode == 0)
            #expect(try await control.run("files", "get", "-r", "document/in", out, "--force").exitCode == 73)
            let left = try await control.shell("cd '\(out)' && cat a ../secret && ls -A .. | grep -c 'b c'")
            #expect(left.output == "onesecret0\n", "\(left.output)")
            #expect(try await control.run("files", "get", "-r", "document/none", "\(out)2").exitCode == 2)
            #expect(access("\(out)2", F_OK) != 0)
        }
    }
}
