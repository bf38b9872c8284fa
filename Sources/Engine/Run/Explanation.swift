import Access
import GraphQL
import JSON

/// What becomes of the reasons of one request's denials, where whoever runs the server wants to know them.
///
///     {"data":{"getTodo":null},"errors":[…],"extensions":{"authorization":["get Todo: …", …]}}
///
/// They name claims and values of records, so a response has them only where its reader is one to whom they may be told.
package struct Explanation: Sendable {
    package let trace: DecisionTrace
    private let isAnswered: Bool
    private let report: @Sendable ([String]) -> Void

    /// `isAnswered` says whether the response has the reasons too; `report` is told them when something was denied.
    package init(
        isAnswered: Bool, subject: String = "the caller", report: @escaping @Sendable (_ lines: [String]) -> Void
    ) {
        trace = DecisionTrace(subject: subject)
        self.isAnswered = isAnswered
        self.report = report
    }

    /// Tells the reasons of a denial.
    package func tell() { report(trace.lines) }

    /// Tells them. The answer is what the response has beside its errors, if it has it.
    func extensions() -> JSONValue? {
        tell()
        return isAnswered ? ["authorization": .array(trace.lines.map(JSONValue.string))] : nil
    }
}

extension ResponseWriter {
    /// The response for a requester: with the reasons where something was denied and they want to know.
    mutating func takeResponse(for requester: Requester) -> [UInt8] {
        if !errors.isEmpty { requester.note?.add(errors) }
        guard let explanation = requester.explanation,
            errors.contains(where: { $0.resolver?.errorType == Refusals.errorType }),
            let extensions = explanation.extensions()
        else { return takeResponse() }
        // Between the errors and the brace that ends the response.
        var response = takeResponse()
        response.removeLast()
        response.append(contentsOf: #","extensions":"#.utf8)
        JSONWriter.write(extensions, to: &response)
        response.append(UInt8(ascii: "}"))
        return response
    }
}
