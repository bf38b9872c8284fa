/// A file that is no program of the language.
package struct ScriptSyntaxError: Error, Equatable {
    /// As V8 says it, since that is the text that people search for.
    package var message: String
    package var place: Place
    /// The way out, where there is one to name.
    package var hint: String?

    package init(_ message: String, at place: Place, hint: String? = nil) {
        self.message = message
        self.place = place
        self.hint = hint
    }
}
