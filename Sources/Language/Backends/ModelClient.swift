import JSON
import Network

/// Calls of servers that run models: whole answers, and such that come piece by piece.
struct ModelClient: Sendable {
    private let client: HTTPClient

    init(_ client: HTTPClient) { self.client = client }

    func send(
        _ url: String, _ fields: [(name: String, value: String)], _ body: [UInt8],
        milliseconds: Int = LanguageLimits.milliseconds
    ) async throws(LanguageError) -> HTTPClientResponse {
        try await send(try Self.request(url, fields, body, milliseconds))
    }

    /// Hands on the pieces of an answer of success as they come. The answer has the others, which say what is wrong.
    func stream(
        _ url: String, _ fields: [(name: String, value: String)], _ body: [UInt8],
        milliseconds: Int = LanguageLimits.milliseconds,
        _ take: ([UInt8]) async throws(LanguageError) -> Void
    ) async throws(LanguageError) -> HTTPClientResponse {
        var request = try Self.request(url, fields, body, milliseconds)
        let (pieces, continuation) = AsyncStream<[UInt8]>.makeStream()
        // There are no more of them than `answerBytesMax` holds.
        request.takesPiece = { continuation.yield($0) }
        let sending = Task { [request] in
            defer { continuation.finish() }
            do throws(LanguageError) {
                return Result<HTTPClientResponse, LanguageError>.success(try await send(request))
            } catch {
                return .failure(error)
            }
        }
        defer { sending.cancel() }
        for await piece in pieces { try await take(piece) }
        if Task.isCancelled { sending.cancel() }
        return try await sending.value.get()
    }

    private static func request(
        _ url: String, _ fields: [(name: String, value: String)], _ body: [UInt8], _ milliseconds: Int
    ) throws(LanguageError) -> HTTPClientRequest {
        let place: HTTPURL
        do throws(HTTPURLError) {
            place = try HTTPURL(url)
        } catch {
            throw .unavailable("The URL of the language model cannot be called: \(error)")
        }
        var request = HTTPClientRequest(.post, place, fields: fields, body: body)
        request.totalMilliseconds = milliseconds
        request.responseBodyBytes = LanguageLimits.answerBytesMax
        return request
    }

    private func send(_ request: HTTPClientRequest) async throws(LanguageError) -> HTTPClientResponse {
        do throws(HTTPClientError) {
            return try await client.send(request)
        } catch {
            switch error.problem {
            case .timedOut(let milliseconds): throw .timedOut(milliseconds)
            case .unacceptable(let cause) where cause.status == .contentTooLarge:
                throw .failed("The model answered with more than \(LanguageLimits.answerBytesMax) bytes.")
            case .tooManyWaiting: throw .tooManyCalls
            default: throw .unavailable("The language model cannot be reached: \(error)")
            }
        }
    }
}
