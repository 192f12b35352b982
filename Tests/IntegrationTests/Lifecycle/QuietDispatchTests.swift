import GhostTestSupport
import TestBasics
import Testing

/// libdispatch writes a message with heap addresses to syslog for every thread whose priority it may not raise. The
/// programs must suppress these messages.
@Suite(.oneAtATime) struct QuietDispatchTests {
    @Test func `the daemon and ghoststorectl log nothing about thread priorities`() async throws {
        let folder = try TemporaryDirectory()
        let library = try await Self.library(in: folder)
        var environment = ["LD_PRELOAD": library, "SYSLOG_FILE": folder.file("syslog")]
        #expect(try await said(environment, folder) == "")
        environment["LIBDISPATCH_LOG"] = "syslog"
        #expect(try await said(environment, folder).contains("thread priority"), "the test does not see what is said")
    }

    /// Returns the syslog messages of a start of the daemon and of one command.
    private func said(_ environment: [String: String], _ folder: TemporaryDirectory) async throws -> String {
        try folder.write([], to: "syslog")
        var options = TestDaemonOptions()
        options.environment = environment
        return try await withDaemon(options) { daemon in
            let status = try await Program.run(
                BuiltPrograms.path("ghoststorectl"), ["status", "--socket", daemon.socketPath],
                environment: environment)
            #expect(status.exitCode == 0)
            return folder.read("syslog")
        }
    }

    /// Builds a library that refuses every change of priority and writes syslog messages to a file.
    private static func library(in folder: TemporaryDirectory) async throws -> String {
        let source = """
            #include <errno.h>
            #include <stdarg.h>
            #include <stdio.h>
            #include <stdlib.h>
            #include <sys/resource.h>
            int setpriority(__priority_which_t which, id_t who, int priority) { errno = EACCES; return -1; }
            void vsyslog(int level, const char *format, va_list arguments) {
                FILE *file = fopen(getenv("SYSLOG_FILE"), "a");
                if (file == NULL) return;
                vfprintf(file, format, arguments);
                fputc('\\n', file);
                fclose(file);
            }
            void syslog(int level, const char *format, ...) {
                va_list arguments;
                va_start(arguments, format);
                vsyslog(level, format, arguments);
                va_end(arguments);
            }
            """
        try folder.write(Array(source.utf8), to: "quiet.c")
        let library = folder.file("quiet.so")
        let result = try await Program.shell(
            "$(command -v cc || command -v clang) -shared -fPIC -o '\(library)' '\(folder.file("quiet.c"))'")
        guard result.exitCode == 0 else {
            throw TestSupportError("the library was not compiled: \(result.errorOutput)")
        }
        return library
    }
}
