/// The version of the protocol in `package ghoststore.v1`. Only additions are made within it.
package enum ProtocolVersion {
    package static let current: UInt32 = 1
}
