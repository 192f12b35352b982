/// Names of files of a store that messages for people name.
enum StoreFile {
    static let database = "store.db"
}
