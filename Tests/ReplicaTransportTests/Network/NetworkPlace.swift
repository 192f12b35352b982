import GhostTestSupport
import TestBasics

/// The network in which a program of a test runs: the loopback interface, or its own namespace.
struct NetworkPlace: Sendable {
    static let loopback = NetworkPlace(address: "127.0.0.1", holder: nil)

    let address: String
    /// A process in the namespace. `nil` stands for the namespace of the test.
    private let holder: Int32?

    init(address: String, holder: Int32?) {
        self.address = address
        self.holder = holder
    }

    /// Returns the command that runs a program in this network. The command keeps its process id when it becomes the
    /// program.
    func command(_ program: String, _ arguments: [String]) -> (path: String, arguments: [String]) {
        guard let holder else { return (program, arguments) }
        return ("/usr/bin/nsenter", ["--target", "\(holder)", "--net", "--", program] + arguments)
    }
}
