/// The version of everything that is built and released together: the daemon, its commands and its libraries.
package enum ProjectVersion {
    package static let text = "0.1.0"
}
