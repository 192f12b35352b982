extension StoreEngine {
    /// Asks the writer thread for a sign of life: calls back once it is between two pieces of work. While it does long
    /// administrative work (rotation, restore) the call comes at once. Never blocks.
    package func askWriter(_ answered: @escaping @Sendable () -> Void) {
        writer.ask(answered)
    }
}
