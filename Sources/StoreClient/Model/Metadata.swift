extension Metadata {
    /// Metadata without bytes, which stands for no metadata in a request.
    static let none = Metadata(data: [])
}
