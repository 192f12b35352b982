import Glibc
import Testing

@testable import StoreClient

@Suite struct SocketPathTests {
    private func resolve(
        _ given: String? = nil, environment: [String: String] = [:], existing: Set<String> = []
    ) throws -> String {
        try SocketPath.resolve(given, environment: { environment[$0] }, exists: existing.contains)
    }

    @Test func `a given path has precedence over everything`() throws {
        #expect(try resolve("/a", environment: ["GHOSTSTORE_SOCKET": "/b"], existing: ["/b"]) == "/a")
    }

    @Test func `the environment variable has precedence over the standard paths, even if its socket is absent`() throws
    {
        #expect(
            try resolve(environment: ["GHOSTSTORE_SOCKET": "/b"], existing: ["/run/ghoststore/socket"]) == "/b")
    }

    @Test func `the user's daemon is preferred to the system's daemon`() throws {
        let environment = ["XDG_RUNTIME_DIR": "/run/user/7"]
        let both: Set = ["/run/user/7/ghoststore/socket", "/run/ghoststore/socket"]
        #expect(try resolve(environment: environment, existing: both) == "/run/user/7/ghoststore/socket")
        #expect(
            try resolve(environment: environment, existing: ["/run/ghoststore/socket"]) == "/run/ghoststore/socket")
    }

    @Test func `if no socket is found, the error lists the tried paths and gives a hint`() throws {
        let error = #expect(throws: StoreClientError.self) {
            try resolve(environment: ["XDG_RUNTIME_DIR": "/run/user/7"])
        }
        #expect(error?.reason == .socketAbsent)
        #expect(
            error?.message == """
                found no socket of ghoststored: tried $GHOSTSTORE_SOCKET (not set), \
                /run/user/7/ghoststore/socket (absent) and /run/ghoststore/socket (absent); \
                hint: start ghoststored, or give the path of its socket
                """)
        let bare = #expect(throws: StoreClientError.self) { try resolve() }
        #expect(bare?.message.contains("(XDG_RUNTIME_DIR is not set)") == true)
    }

    @Test(arguments: ["", "/a\0b", "/" + String(repeating: "x", count: 107)])
    func `a path that no socket can have is refused`(path: String) {
        let error = #expect(throws: StoreClientError.self) { try resolve(path) }
        #expect(error?.code == .invalidArgument)
    }

    @Test(arguments: [
        (ENOENT, StoreClientError.Reason.socketAbsent), (EACCES, .socketForbidden),
        (ECONNREFUSED, .daemonUnreachable), (EIO, .daemonUnreachable),
    ])
    func `each cause of a failed connection has its own reason and an error that names the path`(
        code: CInt, reason: StoreClientError.Reason
    ) {
        let error = SocketPath.connectError(path: "/p", errno: code)
        #expect(error.reason == reason)
        #expect(error.message.contains("/p"))
    }
}
