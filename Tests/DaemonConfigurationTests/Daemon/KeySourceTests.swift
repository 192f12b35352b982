import TestBasics
import Testing

@testable import ghoststored

@Suite struct KeySourceTests {
    @Test func `a configured key file has priority over a credential`() throws {
        let folder = try TemporaryDirectory()
        let credential = try folder.write("secret", to: "ghoststore-key")
        let environment = ["CREDENTIALS_DIRECTORY": folder.path]
        #expect(KeySource.choose(keyFile: "/key", environment: environment) == .keyFile(path: "/key"))
        #expect(KeySource.choose(keyFile: nil, environment: environment) == .credential(path: credential))
        #expect(KeySource.choose(keyFile: nil, environment: [:]) == .none)
    }
}
