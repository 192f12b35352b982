import GhostTestSupport
import Glibc
import TestBasics
import Testing

/// Trees with files that cannot be copied into the vault or out of it.
@Suite struct PartialTreeTests {
    @Test(.enabled(if: geteuid() == 0, "only root may run programs as other users"))
    func `a file that cannot be read or stored is left out, and all others are copied`() async throws {
        var options = TestDaemonOptions()
        options.environment = ["GHOSTSTORE_ACCESS_RULES": "user:65534 files:readwrite"]
        try await withDaemon(options) { daemon in
            let control = Control(daemon)
            let users = try await OtherUsers(daemon)
            let folder = daemon.directory.file("in")
            let setUp = try await control.shell(
                """
                mkdir -p '\(folder)/closed' '\(folder)/sub' '\(folder)/file' '\(folder)/z' && cd '\(folder)'
                for name in 0 1 2 3 4 5 directory sub/6 closed/7 file/8 z/9; do printf "$name" > $name; done
                head -c 3000000 /dev/zero > z/large; head -c 3000000 /dev/zero > z/large-closed
                "$CTL" files put -p 0 document/t/file && "$CTL" files mkdir document/t/directory
                chmod -R a+rX . && chmod 000 3 closed z/large-closed
                """)
            try #require(setUp.exitCode == 0, "\(setUp.errorOutput)")
            let put = try await users.run(
                65_534, group: 65_534, ["files", "put", "-r", folder, "document/t", "--json"])
            #expect(put.exitCode == 66, "\(put.errorOutput)")
            for name in [
                "in/3: permission denied", "in/closed: permission denied", "in/z/large-closed: permission denied",
                "document/t/file: ", "document/t/directory: ", "5 files or directories left out",
            ] {
                #expect(put.errorOutput.contains(name), "\(name): \(put.errorOutput)")
            }
            let told = try #require(try JSON.lines(put.output).first)
            #expect(told["files"] == 8 && told["failed"] == 5 && told["skipped"] == 0, "\(put.output)")
            let stored = try await control.text("files", "ls", "document/t", "-q")
            #expect(stored == "0\n1\n2\n4\n5\ndirectory\nfile\nsub\nz\n")
            #expect(try await control.text("files", "ls", "document/t/z", "-q") == "9\nlarge\n")
        }
    }

    @Test(arguments: [false, true])
    func `a file whose name exists already is left out, and all others are downloaded`(_ isForced: Bool) async throws {
        try await withControl { control, daemon in
            let place = daemon.directory.file("place")
            let setUp = try await control.shell(
                """
                mkdir -p '\(place)/in/sub' '\(place)/in/other' && cd '\(place)/in'
                for number in $(seq -w 0 199); do printf x > "$number"; done
                printf y > sub/inner; printf w > other/file; head -c 3000000 /dev/zero > large
                "$CTL" files put -r . document/t
                mkdir -p ../out/000 ../out/large && printf kept > ../out/sub && printf kept > ../out/100
                """)
            try #require(setUp.exitCode == 0, "\(setUp.errorOutput)")
            let force = isForced ? "--force" : ""
            let got = try await control.shell("cd '\(place)'; \"$CTL\" files get -r document/t out --json \(force)")
            #expect(got.exitCode == 73, "\(got.errorOutput)")
            // With `--force`, an existing file is replaced. Without it, the existing file is one more failure.
            let told = try #require(try JSON.lines(got.output).first)
            #expect(told["failed"] == (isForced ? 3 : 4) && told["damaged"] == 0, "\(got.output) \(got.errorOutput)")
            #expect(told["files"] == (isForced ? 200 : 199), "\(got.output)")
            for name in ["out/000", "out/large", "out/sub"] {
                #expect(got.errorOutput.contains(name), "\(name): \(got.errorOutput)")
            }
            let left = try await control.shell(
                "cd '\(place)/out' && ls | wc -l && cat 100 sub other/file 199 && find . -name '.ghost*' | wc -l")
            #expect(left.output == "203\n\(isForced ? "x" : "kept")keptwx0\n", "\(left.output)")
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root may mount a file system"))
    func `a full disk ends a download with one error`() async throws {
        try await withControl { control, daemon in
            let full = daemon.directory.file("full")
            let result = try await control.shell(
                """
                export CTL
                full='\(full)'; export full; mkdir -p "$full/in"
                for number in $(seq 1 40); do head -c 200000 /dev/urandom > "$full/in/$number"; done
                "$CTL" files put -r "$full/in" document/t > /dev/null
                get='"$CTL" files get -r document/t "$full/out"'
                unshare -m bash -c 'mount -t tmpfs -o size=1m none "$full" && '"$get"
                """)
            #expect(result.exitCode == 74, "\(result.errorOutput)")
            #expect(result.errorOutput.split(separator: "\n").count == 1, "\(result.errorOutput)")
        }
    }
}
