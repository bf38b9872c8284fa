import Crypto
import Network

/// A call as a runtime gets it: the event as a body, all else in fields. A field that would be empty is left out.
enum RuntimeEvent {
    static func response(for invocation: PendingInvocation, arn: String, deadline: Int64) -> HTTPResponse {
        // Python's runtime reads JSON under exactly this type.
        var fields = HTTPFieldLines(["content-type": "application/json"])
        fields.append("Lambda-Runtime-Aws-Request-Id", invocation.id)
        fields.append("Lambda-Runtime-Deadline-Ms", "\(deadline)")
        fields.append("Lambda-Runtime-Invoked-Function-Arn", arn)
        fields.append("Lambda-Runtime-Trace-Id", trace(seconds: deadline / 1_000))
        if let context = invocation.clientContext, !context.isEmpty {
            fields.append("Lambda-Runtime-Client-Context", context)
        }
        return HTTPResponse(fields: fields, body: .bytes(invocation.payload, isCompressible: false))
    }

    private static func trace(seconds: Int64) -> String {
        let time = (0..<4).map { UInt8(truncatingIfNeeded: seconds >> (24 - 8 * Int64($0))) }
        return "Root=1-\(Hexadecimal.text(of: time))-\(Hexadecimal.text(of: RandomBytes.make(count: 12)))"
            + ";Parent=\(Hexadecimal.text(of: RandomBytes.make(count: 8)));Sampled=0"
    }
}
