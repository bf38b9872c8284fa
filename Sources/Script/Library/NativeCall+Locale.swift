extension NativeCall {
    /// For methods that take a locale and options from this argument on: there is one locale, and an argument that would
    /// be answered with another one's text is refused.
    func requireDefaultLocale(_ first: Int, _ method: String) throws(Thrown) {
        let isKnown =
            switch self[first] {
            case .undefined: true
            case .text(let text): ["en-US", "en"].contains(text.string)
            default: false
            }
        guard isKnown, self[first + 1].isUndefined else {
            throw .ended(
                .unsupported(
                    message: "\(method) knows no locale but en-US, and no options",
                    hint: "Leave the arguments away and form the text yourself."))
        }
    }
}
