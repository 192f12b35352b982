/// The error when a test cannot get something that it needs, such as a built program or a running daemon.
package struct TestSupportError: Error, CustomStringConvertible, Sendable {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
