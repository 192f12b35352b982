/// What takes a file piece by piece.
protocol ReceivingSession {
    /// The next piece may try a passphrase.
    var triesPassphrase: Bool { get }

    /// - Returns: bytes of the file received so far.
    func write(_ data: [UInt8], at offset: UInt64) throws(StoreError) -> UInt64
}
