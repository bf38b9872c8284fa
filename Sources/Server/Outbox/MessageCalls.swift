import Access
import JSON
import Network

/// Calls of those who take messages over: functions of the app's, and services of the operator's.
struct MessageCalls: Sendable {
    private let outside: any OutsideService

    private static let timeoutMilliseconds = 5_000
    private static let answerBytesMax = 1 << 20
    private static let shownCharactersMax = 200

    init(_ outside: any OutsideService) { self.outside = outside }

    /// Taken over where it answers without an error.
    func invoke(_ address: String, _ event: [UInt8]) async throws(Undelivered) {
        let call = FunctionInvocation(
            address, event, timeoutMilliseconds: Self.timeoutMilliseconds, answerBytesMax: Self.answerBytesMax)
        let answer = try await answer(of: "function") { () throws(OutsideError) in try await outside.invoke(call) }
        let content = try? JSONReader.value(of: answer.body)
        let fault = content?["triggerSource"] == nil ? content?["errorMessage"]?.string : nil
        guard answer.status == 200, answer.field("x-amz-function-error") == nil, fault == nil else {
            let words = fault ?? "status \(answer.status)"
            throw Undelivered("the function that sends failed: \(Self.line(words))")
        }
    }

    /// Taken over where a status of 2xx comes.
    ///
    /// - Parameter identifier: the same however often it is tried.
    func post(
        _ data: JSONObject, type: String, to webhook: Webhook, created: Int64, identifier: String
    ) async throws(Undelivered) {
        let time = Timestamp(seconds: created / 1_000, milliseconds: Int(created % 1_000)).text
        let body = JSONWriter.bytes(
            of: .object(
                JSONObject([("type", .string(type)), ("timestamp", .string(time)), ("data", .object(data))])))
        let fields = webhook.fields(of: body, identifier: identifier, seconds: Timestamp.now.seconds)
        let request = OutsideRequest(
            url: webhook.url, fields: fields, body: body, timeoutMilliseconds: Self.timeoutMilliseconds,
            responseBytesMax: Self.answerBytesMax)
        let answer = try await answer(of: "service") { () throws(OutsideError) in try await outside.send(request) }
        guard !(200..<300).contains(answer.status) else { return }
        // What the operator can put right says nothing of the message.
        let isPermanent = [400, 410, 413, 422].contains(answer.status)
        throw Undelivered("the service for messages answered with status \(answer.status)", isPermanent: isPermanent)
    }

    private func answer(
        of name: String, to call: () async throws(OutsideError) -> OutsideResponse
    ) async throws(Undelivered) -> OutsideResponse {
        do throws(OutsideError) {
            return try await call()
        } catch {
            switch error {
            case .timedOut(let milliseconds): throw Undelivered("the \(name) did not answer within \(milliseconds) ms")
            case .tooLarge: throw Undelivered("the \(name) answered with too much")
            case .invalidURL, .unreachable: throw Undelivered("the \(name) cannot be reached", isOfAll: true)
            }
        }
    }

    /// A foreign text, as a line.
    private static func line(_ text: String) -> String {
        String(
            String.UnicodeScalarView(text.unicodeScalars.prefix(shownCharactersMax).map { $0.value < 0x20 ? " " : $0 }))
    }
}
