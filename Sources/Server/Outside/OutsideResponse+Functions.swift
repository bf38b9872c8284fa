import Access
import Functions

extension OutsideResponse {
    /// The answer of a function, in the form of one at a URL.
    init(_ outcome: FunctionOutcome, of call: FunctionInvocation) throws(OutsideError) {
        let body: [UInt8]
        var fields: [(name: String, value: String)] = []
        switch outcome {
        case .result(let bytes): body = bytes
        case .failed(let error):
            body = error
            fields.append(("x-amz-function-error", "Unhandled"))
        case .refused(let refusal): throw .unreachable(refusal.message)
        case .givenUp: throw .timedOut(milliseconds: call.timeoutMilliseconds)
        }
        guard body.count <= call.answerBytesMax else { throw .tooLarge(bytesMax: call.answerBytesMax) }
        self.init(status: 200, fields: fields, body: body)
    }
}
