import JSON

/// Apollo's persisted queries: a client first sends the hash of a document alone, and the document when it is told that
/// nobody knows such hashes. AppSync knows none; a client that sends them gives up on any other error.
enum PersistedQuery {
    static let answer = Array(#"{"errors":[{"message":"PersistedQueryNotSupported"}]}"#.utf8)

    /// Returns whether the body of a request has the hash of a document in place of the document.
    static func isHashAlone(_ body: [UInt8]) -> Bool {
        guard let members = try? JSONReader.value(of: body).object, members["query"]?.isNull ?? true else {
            return false
        }
        return members["extensions"]?["persistedQuery"]?.object != nil
    }
}
