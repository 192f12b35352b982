import Foundation
import GhostTestSupport
import StoreClient
import Synchronization
import TestBasics
import Testing

@testable import StoreClientTesting

@Suite(.timeLimit(.minutes(1))) struct TemporaryStoreTests {
    /// The folder and the process of a store, which a test examines after the store's scope has ended.
    private struct Place {
        let folder: String
        let process: Int32

        init(_ store: TemporaryStore) async throws {
            folder = String(store.socketPath.dropLast("/socket".count))
            process = Int32(try await store.client.status().processID)
        }

        var isGone: Bool { access(folder, F_OK) != 0 && kill(process, 0) != 0 }
    }

    @Test func `a temporary store is open, stores data, and is removed after its scope`() async throws {
        let place = try await withTemporaryStore { store in
            #expect(try await store.client.status().storeState == .open)
            #expect(try await store.client.statistics().messageCount == 0)
            try await store.client.saveMessage(NewMessage(conversation: .sessionID("05a"), text: "hello"))
            let other = try await store.connect()
            #expect(try await other.messages(in: .sessionID("05a")).collect().map(\.text) == ["hello"])
            let place = try await Place(store)
            #expect(!place.isGone)
            return place
        }
        #expect(place.isGone)
    }

    @Test func `an error of the body removes the store and is thrown unchanged`() async throws {
        struct BodyError: Error {}
        let place = Mutex<Place?>(nil)
        await #expect(throws: BodyError.self) {
            try await withTemporaryStore { store in
                let found = try await Place(store)
                place.withLock { $0 = found }
                throw BodyError()
            }
        }
        #expect(place.withLock { $0?.isGone } == true)
    }

    @Test func `stores at the same time are independent`() async throws {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 1...4 {
                group.addTask {
                    try await withTemporaryStore { store in
                        for _ in 0..<number {
                            try await store.client.saveMessage(NewMessage(conversation: .sessionID("05a"), text: "t"))
                        }
                        return try await store.client.statistics().messageCount
                    }
                }
            }
            let counts = try await group.reduce(into: []) { $0.append($1) }
            #expect(counts.sorted() == [1, 2, 3, 4])
        }
    }

    @Test func `a store is stopped on request, or with its last reference`() async throws {
        let store = try await TemporaryStore.start(settings: ["GHOSTSTORE_LOG_LEVEL": "debug"])
        let place = try await Place(store)
        #expect(store.log.contains("debug"))
        store.stop()
        store.stop()
        #expect(place.isGone)
        let error = await #expect(throws: StoreClientError.self) { _ = try await store.connect() }
        #expect(error?.reason == .socketAbsent)
        var dropped: TemporaryStore? = try await TemporaryStore.start()
        let droppedPlace = try await Place(try #require(dropped))
        dropped = nil
        #expect(droppedPlace.isGone)
    }

    @Test func `if the guard process ends, starting fails without leaving a daemon`() throws {
        let directory = try TemporaryDirectory()
        // The shell waits by opening a pipe without a writer: a command such as sleep would be a second process, which
        // has the shell's command line until it calls exec(3).
        let program = try directory.write(Array("#!/bin/sh\nread -r line < \"$0.pipe\"\n".utf8), to: "program")
        chmod(program, 0o700)
        try #require(mkfifo("\(program).pipe", 0o600) == 0)
        let error = #expect(throws: StoreClientError.self) {
            _ = try TemporaryDaemon(program: program, settings: [:], shell: "/bin/false")
        }
        #expect(error?.reason == .inputOutputFailed)
        #expect(error?.message.contains("the process that ends the daemon") == true, "\(error?.message ?? "")")
        let running = try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { process in
            let line = try? Data(contentsOf: URL(filePath: "/proc/\(process)/cmdline"))
            return Int(process) != nil && line?.range(of: Data(program.utf8)) != nil
        }
        #expect(running == [])
    }

    @Test func `the error of a daemon that cannot start contains its own message`() async throws {
        let error = await #expect(throws: StoreClientError.self) {
            _ = try await TemporaryStore.start(settings: ["GHOSTSTORE_LIMITS_CONNECTIONS_MAX": "none"])
        }
        #expect(error?.reason == .daemonUnreachable)
        let cause = "CONNECTIONS_MAX: the value is not a number"
        #expect(error?.message.contains(cause) == true, "\(error?.message ?? "")")
    }

    @Test func `the daemon is searched for under its given name, beside the test, and in PATH`() throws {
        func find(_ given: String?, _ environment: [String: String], _ programs: Set<String>) throws -> String {
            try DaemonProgram.find(
                given, environment: { environment[$0] }, executableDirectory: "/tests", isProgram: programs.contains)
        }
        let all: Set<String> = ["/given", "/named", "/tests/ghoststored", "/bin/ghoststored"]
        let named = ["GHOSTSTORED": "/named", "PATH": "/usr/bin:/bin"]
        #expect(try find("/given", named, all) == "/given")
        #expect(try find(nil, named, all) == "/named")
        #expect(try find(nil, ["PATH": "/bin"], all) == "/tests/ghoststored")
        #expect(try find(nil, ["PATH": "/usr/bin:/bin"], ["/bin/ghoststored"]) == "/bin/ghoststored")
        for (given, environment) in [("/none", [:]), (nil, ["GHOSTSTORED": "/none"]), (nil, ["PATH": "/bin"])] {
            let error = #expect(throws: StoreClientError.self) { _ = try find(given, environment, []) }
            #expect(error?.reason == .daemonAbsent)
            #expect(error?.message.contains("hint: build it") == true)
        }
    }

    @Test func `a store is ready in a fraction of a second`() async throws {
        let clock = ContinuousClock()
        var times: [Duration] = []
        for _ in 0..<5 {
            var started: TemporaryStore?
            times.append(try await clock.measure { started = try await TemporaryStore.start() })
            started?.stop()
        }
        // The limit of one second is far above the usual time, so that the test does not fail on a busy machine.
        print("a temporary store is ready in \(times.sorted()[2])")
        #expect(times.sorted()[0] < .seconds(1))
    }
}
