import GhostTestSupport
import TestBasics

/// Where a program of a test stands in the network: on loopback, or in a namespace of its own.
struct NetworkPlace: Sendable {
    static let loopback = NetworkPlace(address: "127.0.0.1", holder: nil)

    let address: String
    /// A process that stands in the namespace; `nil`: that of the test.
    private let holder: Int32?

    init(address: String, holder: Int32?) {
        self.address = address
        self.holder = holder
    }

    /// What has to be started so that a program runs here. It has the program's process id.
    func command(_ program: String, _ arguments: [String]) -> (path: String, arguments: [String]) {
        guard let holder else { return (program, arguments) }
        return ("/usr/bin/nsenter", ["--target", "\(holder)", "--net", "--", program] + arguments)
    }
}
