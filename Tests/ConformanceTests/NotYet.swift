/// The cases that do not pass yet, each with the reason. A listed case that passes is a failure of the tests.
enum NotYet {
    static let reasons: [String: String] = [
        // What contradicts another case, or the transformer.
        "auth-sub-connection-refused":
            "wants the error of an older AppSync; wire-ws-handshake-unauthorized wants that of today",
        "schema-errors-validation-messages":
            "step 4 wants other words for a field that an input lacks than wire-variables-shape does; AppSync has used both",
        "two-owners-in-the-key-list":
            "the transformer refuses this schema: a sort key cannot be an owner's field",
    ]
}
