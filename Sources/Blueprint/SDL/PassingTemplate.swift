/// The proof that a template of a subscription, in Velocity, does nothing but pass on: a request that is plain JSON, a response
/// that is null or the result that it is given.
package enum PassingTemplate {
    private static let responses: Set = [
        "", "null", "{}", "$util.toJson(null)", "$util.toJson($ctx.result)", "$util.toJson($context.result)",
        "$util.toJson($ctx.prev.result)", "$util.toJson($context.prev.result)", "$utils.toJson($context.result)",
        "$utils.toJson($ctx.result)",
    ]

    package static func isProven(_ bytes: [UInt8], isRequest: Bool) -> Bool {
        let lines = bytes.split(separator: UInt8(ascii: "\n")).map { line in
            Array(line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") })
        }
        let text = lines.filter { !$0.starts(with: "##".utf8) }.joined()
        guard !isRequest else {
            // `$` and `#` begin whatever is not plain text.
            return !text.isEmpty && !text.contains(UInt8(ascii: "$")) && !text.contains(UInt8(ascii: "#"))
        }
        return responses.contains(String(decoding: text.filter { $0 > 0x20 }, as: UTF8.self))
    }
}
