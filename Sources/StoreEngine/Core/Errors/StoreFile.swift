/// Names of store files that occur in messages for people.
enum StoreFile {
    static let database = "store.db"
}
