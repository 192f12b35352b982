extension Connection {
    /// Runs `body` between BEGIN IMMEDIATE and COMMIT; any error rolls all of it back and is thrown on.
    package func transaction<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result, mapping: (SQLCipherError) -> Failure
    ) throws(Failure) -> Result {
        try execute("BEGIN IMMEDIATE", mapping: mapping)
        do throws(Failure) {
            let result = try body()
            do throws(SQLCipherError) {
                try commit()
            } catch {
                throw mapping(error)
            }
            return result
        } catch {
            rollBack()
            throw error
        }
    }

    /// Commits the open transaction.
    ///
    /// - Throws: `.outcomeUnknown` when the failure leaves open whether the transaction is on disk; `.pageRefused` when
    ///   it rests on a page that is not as it was written.
    package func commit() throws(SQLCipherError) {
        if hasUnverifiedPages {
            try verifyPagesRead()
        }
        do throws(SQLCipherError) {
            try statement(Self.commitText).run()
        } catch {
            throw error.ofDurableChange
        }
    }

    private static let commitText = StatementText("COMMIT")

    /// Rolls the open transaction back, if SQLite has not done so by itself after an error.
    package func rollBack() {
        guard !isInAutocommit else { return }
        // A failed ROLLBACK leaves nothing to do: SQLite rolls back when the connection is closed.
        try? execute("ROLLBACK")
    }

    /// Runs `body` in a savepoint of the open transaction; an error undoes what it did and is thrown on.
    package func savepoint<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result, mapping: (SQLCipherError) -> Failure
    ) throws(Failure) -> Result {
        try execute("SAVEPOINT nested", mapping: mapping)
        do throws(Failure) {
            let result = try body()
            // Without a transaction around it, this commits.
            try execute("RELEASE nested", mapping: { mapping($0.ofDurableChange) })
            return result
        } catch {
            if !isInAutocommit {
                try? execute("ROLLBACK TO nested; RELEASE nested")
            }
            throw error
        }
    }

    private func execute<Failure: Error>(
        _ sql: String, mapping: (SQLCipherError) -> Failure
    ) throws(Failure) {
        do throws(SQLCipherError) {
            try execute(sql)
        } catch {
            throw mapping(error)
        }
    }
}
