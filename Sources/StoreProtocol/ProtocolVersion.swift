/// The version of the protocol in `package ghoststore.v1`. Within a version, the protocol is only extended.
package enum ProtocolVersion {
    package static let current: UInt32 = 1
}
