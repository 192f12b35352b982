import FoundationEssentials
import GhostTestSupport
import TestBasics
import Testing

/// Tests scripts/install, which `make install` calls.
@Suite struct InstallationTests {
    private static let pages = ["ghoststored.8", "ghoststored.yaml.5", "ghoststorectl.1", "ghoststorectl-files.1"]

    private func install(_ options: String, _ place: TemporaryDirectory) async throws {
        let result = try await run(options, place, prefix: "/usr")
        #expect(result.exitCode == 0, "\(result.errorOutput)")
    }

    private func run(_ options: String, _ place: TemporaryDirectory, prefix: String) async throws -> ProgramResult {
        // `strip` needs real programs. The content of the programs and of the manual pages does not matter.
        let script = """
            set -e; mkdir -p '\(place.path)/bin' '\(place.path)/man'; cd '\(place.path)/man'
            touch \(Self.pages.joined(separator: " ")) ghoststore-sync.8 ghoststore-sync.yaml.5
            for name in ghoststored ghoststorectl ghoststore-sync; do cp /bin/true "$BIN/$name"; done
            '\(BuiltPrograms.packageDirectory)/scripts/install' \(options)
            """
        return try await Program.run(
            "/bin/bash", ["-c", script],
            environment: [
                "DESTDIR": place.file("root"), "PREFIX": prefix, "BIN": place.file("bin"), "MAN": place.file("man"),
            ])
    }

    private func names(in folder: String, _ place: TemporaryDirectory) -> [String] {
        let path = place.file("root/usr/\(folder)")
        return (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? []
    }

    @Test func `the agent is installed only on request, and its configuration is not replaced`() async throws {
        let place = try TemporaryDirectory()
        try await install("", place)
        #expect(names(in: "bin", place) == ["ghoststorectl", "ghoststored"])
        #expect(!names(in: "lib/systemd/system", place).contains("ghoststore-sync.service"))
        #expect(!names(in: "lib/systemd/user", place).contains("ghoststore-sync.service"))
        try place.write("# mine", to: "root/etc/ghoststore/ghoststore-sync.yaml")
        try await install("--sync", place)
        #expect(names(in: "bin", place) == ["ghoststore-sync", "ghoststorectl", "ghoststored"])
        #expect(names(in: "lib/systemd/system", place).contains("ghoststore-sync.service"))
        #expect(names(in: "lib/systemd/user", place).contains("ghoststore-sync.service"))
        #expect(names(in: "lib/systemd/user", place).contains("ghoststore-sync-pipe@.service"))
        #expect(place.read("root/etc/ghoststore/ghoststore-sync.yaml") == "# mine")
        #expect(names(in: "lib/sysusers.d", place) == ["ghoststore-sync.conf", "ghoststore.conf"])
        #expect(names(in: "share/man/man8", place) == ["ghoststore-sync.8", "ghoststored.8"])
        #expect(names(in: "share/man/man5", place) == ["ghoststore-sync.yaml.5", "ghoststored.yaml.5"])
        try await install("--uninstall", place)
        #expect(names(in: "bin", place).isEmpty && names(in: "lib/systemd/system", place).isEmpty)
        #expect(names(in: "share/man/man8", place).isEmpty && names(in: "share/man/man5", place).isEmpty)
        #expect(names(in: "lib/sysusers.d", place).isEmpty)
        #expect(place.exists("root/etc/ghoststore/ghoststore-sync.yaml"))
    }

    @Test func `each manual page is installed in its section, and removed on uninstallation`() async throws {
        let place = try TemporaryDirectory()
        try await install("", place)
        #expect(names(in: "share/man/man8", place) == ["ghoststored.8"])
        #expect(names(in: "share/man/man5", place) == ["ghoststored.yaml.5"])
        #expect(names(in: "share/man/man1", place) == ["ghoststorectl-files.1", "ghoststorectl.1"])
        try await install("--uninstall", place)
        for section in 1...8 {
            #expect(names(in: "share/man/man\(section)", place).isEmpty)
        }
    }

    @Test(arguments: ["/opt/ghoststore", "/usrlocal", "usr", "/"])
    func `a prefix that is invisible to the service is rejected`(prefix: String) async throws {
        let place = try TemporaryDirectory()
        let result = try await run("", place, prefix: prefix)
        #expect(result.exitCode == 1 && result.errorOutput.contains("hint: give /usr"), "\(result.errorOutput)")
        #expect(!FileManager.default.fileExists(atPath: place.file("root")))
    }

    /// The linker's build id depends on the folder of the build, so the installation overwrites it. It must not remove
    /// the section of the id instead, because `strip` would then lose the protection GNU_RELRO.
    @Test func `programs that differ only in their build id are equal once installed`() async throws {
        let place = try TemporaryDirectory()
        let script = """
            set -e; cd '\(place.path)'; cp /bin/true one; cp /bin/true two; readelf -lW one | grep -c GNU_RELRO
            at=$(readelf -SW one | sed -n 's/.*build-id *NOTE *[0-9a-f]* \\([0-9a-f]*\\) .*/\\1/p')
            printf 'an id of another folder' | dd of=two bs=1 count=20 seek=$((0x$at + 16)) conv=notrunc status=none
            cmp --silent one two && exit 9
            for name in one two; do '\(BuiltPrograms.packageDirectory)/scripts/strip-program' $name; done
            cmp one two; ./one; readelf -lW one | grep -c GNU_RELRO
            """
        let result = try await Program.run("/bin/bash", ["-c", script])
        #expect(result.exitCode == 0 && result.output == "1\n1\n", "\(result)")
    }

    /// An unreadable build id cannot be overwritten, so the installed program would differ with the folder of the
    /// build.
    @Test func `a program whose sections cannot be read is not installed`() async throws {
        let place = try TemporaryDirectory()
        let script = """
            set -e; cd '\(place.path)'; cp /bin/true one; mkdir tools; printf '#!/bin/sh\nexit 1\n' >tools/readelf
            chmod +x tools/readelf
            PATH=$PWD/tools:$PATH '\(BuiltPrograms.packageDirectory)/scripts/strip-program' one || echo refused
            """
        let result = try await Program.run("/bin/bash", ["-c", script])
        #expect(result.exitCode == 0 && result.output == "refused\n", "\(result)")
    }
}
