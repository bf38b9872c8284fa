import JSON
import Script

/// The code of a namespace of channels: a module that exports `onPublish`, `onSubscribe` or both.
///
/// A handler without a data source is a function, one with a data source an object with `request` and `response`.
package struct ChannelCode: Sendable {
    package let onPublish: ResolverCode?
    package let onSubscribe: ResolverCode?

    /// Throws what is no program, what the lint refuses, and what exports none of the two.
    ///
    /// - Parameters:
    ///   - hasSource: whether the handler of that name works on a data source.
    package init(
        javaScript text: String, file: String = "code.js", isTypeScript: Bool = false,
        hasSource: (String) -> Bool
    ) throws(ResolverCodeError) {
        let exports = try JavaScriptReader(text, file: file, isTypeScript: isTypeScript).exportedNames()
        func code(_ name: String) throws(ResolverCodeError) -> ResolverCode? {
            guard exports.contains(name) else { return nil }
            return try ResolverCode(
                javaScript: text + Self.halves(of: name, hasSource: hasSource(name)), file: file,
                isTypeScript: isTypeScript, charactersMax: .max)
        }
        guard text.utf16.count <= ResolverLimits.codeCharactersMax else {
            throw Self.refusal(
                "The code has \(text.utf16.count) characters; AppSync takes at most \(ResolverLimits.codeCharactersMax)."
            )
        }
        onPublish = try code(Self.publish)
        onSubscribe = try code(Self.subscribe)
        guard onPublish != nil || onSubscribe != nil else {
            throw Self.refusal("The code must export 'onPublish' or 'onSubscribe'.")
        }
    }

    private static let publish = "onPublish"
    private static let subscribe = "onSubscribe"

    private static func refusal(_ message: String) -> ResolverCodeError {
        ResolverCodeError([.init(.validation, message, at: ResolverPlace(line: 1, column: 1))])
    }

    /// The two halves by which every handler runs, behind the code itself: its places stay as they are.
    private static func halves(of name: String, hasSource: Bool) -> String {
        let (request, response) =
            hasSource
            ? ("\(name).request(ctx)", "\(name).response ? \(name).response(ctx) : ctx.result")
            : ("\(name)(ctx)", "ctx.result")
        return """

            function \(mark)Request(ctx) { return \(request) }
            function \(mark)Response(ctx) { return \(response) }
            export { \(mark)Request as request, \(mark)Response as response }
            """
    }

    private static let mark = "homeportChannel"
}
