import Glibc
import TestBasics
import Testing

@testable import ServiceSupport
@testable import StoreServer

@Suite struct SocketActivationTests {
    private func parse(_ environment: [String: String]) throws(ServerError) -> [SocketActivation.Descriptor] {
        try SocketActivation.parse(environment: environment, processID: 42)
    }

    @Test func `descriptors begin at 3 and have names`() throws {
        let found = try parse(["LISTEN_PID": "42", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "ghoststore:other"])
        #expect(found.map(\.number) == [3, 4])
        #expect(found.map(\.name) == ["ghoststore", "other"])
        #expect(try parse(["LISTEN_PID": "42", "LISTEN_FDS": "1"]).map(\.name) == [""])
    }

    @Test(arguments: [
        [:], ["LISTEN_FDS": "1"], ["LISTEN_PID": "41", "LISTEN_FDS": "1"], ["LISTEN_PID": "x", "LISTEN_FDS": "1"],
        ["LISTEN_PID": "42", "LISTEN_FDS": "0"],
    ])
    func `descriptors for another process are ignored`(environment: [String: String]) throws {
        #expect(try parse(environment).isEmpty)
    }

    @Test(arguments: ["-1", "17", "many", "", "99999999999999999999"])
    func `an invalid number of descriptors is rejected`(count: String) {
        let error = #expect(throws: ServerError.self) { try parse(["LISTEN_PID": "42", "LISTEN_FDS": count]) }
        #expect(error?.code == .configuration)
    }

    @Test func `credentials are found by name in the manager's folder`() throws {
        let folder = try TemporaryDirectory()
        let path = try folder.write("secret", to: "ghoststore-key")
        let environment = ["CREDENTIALS_DIRECTORY": folder.path]
        #expect(CredentialDirectory.path(of: "ghoststore-key", environment: environment) == path)
        #expect(CredentialDirectory.path(of: "other", environment: environment) == nil)
        #expect(CredentialDirectory.path(of: "ghoststore-key", environment: [:]) == nil)
        #expect(CredentialDirectory.path(of: "ghoststore-key", environment: ["CREDENTIALS_DIRECTORY": "x"]) == nil)
    }
}
