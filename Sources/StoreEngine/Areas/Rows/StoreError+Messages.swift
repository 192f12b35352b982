import StoreBasics

extension StoreError {
    static var messageNotFound: StoreError {
        StoreError(.messageNotFound, "there is no such message; it may have been deleted")
    }
}
