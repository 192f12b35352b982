import GhostTestSupport
import TestBasics
import Testing

/// Compiles the ways in which programs catch the libraries' errors. Swift 6.3.1 generates wrong code for a `do` with a
/// single error type that catches only some of its errors, for most kinds of error types. In functions that contain a
/// `fatalError`, a loop or a captured variable, the compiler verifies the code, and then crashes.
@Suite(.timeLimit(.minutes(2))) struct CatchFormTests {
    /// A library, with the words by which the forms below refer to its error.
    struct Library: CustomTestStringConvertible {
        let errorPath: String
        let imports: String
        let value: String
        let call: String
        let error: String
        let firstCase: String
        let secondCase: String
        let payloadCase: String

        var testDescription: String { error }
    }

    static let conversations = Library(
        errorPath: "Sources/ConversationStorage/StorageError.swift", imports: "ConversationStorage",
        value: "storage: StorageManager",
        call: "let messages = try await storage.getMessages(forConversationWithSessionID: sessionID); print(messages)",
        error: "StorageError", firstCase: "conversationNotFound", secondCase: "messageNotFound",
        payloadCase: "saveFailed(let error)")

    static let log = Library(
        errorPath: "Sources/AppendLog/AppendLogError.swift", imports: "AppendLog", value: "events: AppendLog<String>",
        call: "try await events.append(message: event)", error: "AppendLogError",
        firstCase: "messageLargerThanCacheCapacity", secondCase: "fileNotWritable",
        payloadCase: "fileCorrupted(_, let error)")

    /// Function bodies in which a form replaces `@`: a plain body, and bodies that the compiler verifies more closely.
    static let surroundings = [
        "@",
        "guard let text = Array(sessionID).first else { fatalError() }; @; print(text)",
        "precondition(!sessionID.isEmpty); @",
        "for text in [sessionID, event] { @; print(text) }",
        "while true { @ }",
        "var count = 0; @; let later = { count += 1; print(sessionID) }; later()",
        "defer { print(event) }; for await text in AsyncStream<String>(unfolding: { nil }) { @; print(text) }",
    ]

    static func forms(_ library: Library) -> [String] {
        let name = library.error
        let first = library.firstCase
        let open = "do { \(library.call) }"
        let typed = "do throws(\(name)) { \(library.call) }"
        return [
            "\(open) catch .\(first) { print(event) }",
            "\(typed) catch .\(first) { print(event) }",
            "\(open) catch \(name).\(first) { print(event) }",
            "\(open) catch .\(first) { print(event) } catch .\(library.secondCase) { print(sessionID) }",
            "\(open) catch .\(first), .\(library.secondCase) { print(sessionID) }",
            "\(open) catch .\(library.payloadCase) { print(error) }",
            "\(open) catch .failed(let error) { print(error.reason) }",
            "\(open) catch .\(first) { print(event) } catch { print(error) }",
            "\(open) catch let error where error == .\(first) { print(event) } catch { throw error }",
            "\(open) catch { switch error { case .\(first): print(event); default: throw error } }",
            // A `do` that can throw several types of errors has no single error type.
            "do { \(library.call); try Task.checkCancellation() } catch \(name).\(first) { print(event) }",
            "do { \(library.call); try Task.checkCancellation() } "
                + "catch let error as \(name) where error == .\(first) { print(event) }",
        ]
    }

    @Test(arguments: [conversations, log])
    func `every form of a catch compiles in every kind of function`(library: Library) async throws {
        var source = "import \(library.imports)\nimport StoreClient\n"
        let forms = Self.forms(library) + [try Document.documentedExample(of: library.errorPath)]
        for (number, form) in forms.enumerated() {
            // The short test run compiles each form in one body only. The two libraries start with different bodies.
            let one = Self.surroundings[(number + library.error.utf8.count) % Self.surroundings.count]
            for surrounding in TestTier.cases([one], long: Self.surroundings) {
                source += """
                    func f\(source.utf8.count)(_ \(library.value), sessionID: String, event: String) async throws {
                    \(surrounding.replacing("@", with: form))
                    }

                    """
            }
        }
        let (isCompiled, said) = try await LibraryUser().compile(source)
        #expect(isCompiled, "\(said.prefix(4000))")
    }

    @Test func `the catch in the documentation of StoreClientError compiles`() async throws {
        let path = "Sources/StoreClient/Errors/StoreClientError.swift"
        var source = "import StoreClient\n"
        for surrounding in Self.surroundings {
            source += """
                func f\(source.utf8.count)(_ client: StoreClient, sessionID: String, event: String) async throws {
                let id = event
                \(surrounding.replacing("@", with: try Document.documentedExample(of: path)))
                }

                """
        }
        let (isCompiled, said) = try await LibraryUser().compile(source)
        #expect(isCompiled, "\(said.prefix(4000))")
    }
}
