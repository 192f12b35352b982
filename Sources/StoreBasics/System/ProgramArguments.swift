import Glibc

/// The words behind a program's name.
package enum ProgramArguments {
    /// Reads them, and then keeps libdispatch quiet: of each thread whose priority it may not raise, as every user but
    /// root may not, it tells the system's log, heap addresses included. A value of the user's own stays.
    ///
    /// What a program calls first. In this order and not from a constructor: a program that is linked statically finds
    /// its arguments by where the environment lies, and a new variable moves the environment.
    package static func takeQuietly() -> [String] {
        let arguments = CommandLine.arguments.dropFirst()
        setenv("LIBDISPATCH_LOG", "NO", 0)
        return Array(arguments)
    }
}
