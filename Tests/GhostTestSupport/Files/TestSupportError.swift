/// Something the tests need could not be had.
package struct TestSupportError: Error, CustomStringConvertible, Sendable {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
