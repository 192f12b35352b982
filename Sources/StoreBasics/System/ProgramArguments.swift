import Glibc

package enum ProgramArguments {
    /// Returns the arguments after the program's name, and turns off libdispatch's logging by setting the environment
    /// variable `LIBDISPATCH_LOG`, unless the user has set that variable. libdispatch writes a line with heap addresses
    /// to the system's log for each thread whose priority it may not raise; only root may raise priorities.
    ///
    /// A program must call this first. The arguments must be read before the variable is set, and not in a constructor:
    /// a statically linked program finds its arguments relative to the environment, and a new variable moves the
    /// environment.
    package static func readDisablingDispatchLog() -> [String] {
        let arguments = CommandLine.arguments.dropFirst()
        setenv("LIBDISPATCH_LOG", "NO", 0)
        return Array(arguments)
    }
}
