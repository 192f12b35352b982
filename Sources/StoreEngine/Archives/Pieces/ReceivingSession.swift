/// A session that receives a file in parts.
protocol ReceivingSession {
    /// True if accepting the next part may derive a key from a passphrase.
    var triesPassphrase: Bool { get }

    /// - Returns: The number of bytes of the file received so far.
    func write(_ data: [UInt8], at offset: UInt64) throws(StoreError) -> UInt64
}
