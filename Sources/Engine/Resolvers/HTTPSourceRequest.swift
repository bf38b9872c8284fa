import Access
import JSON
import Resolvers

/// What a handler asks of a service over HTTP: `{method, resourcePath, params: {query, headers, body}}`.
struct HTTPSourceRequest {
    fileprivate let method: String
    fileprivate let path: String
    fileprivate let query: [(name: String, value: String)]
    fileprivate let fields: [(name: String, value: String)]
    fileprivate let body: [UInt8]

    private static let methods = Set(texts: ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"])
    /// What belongs to the connection, not to the request.
    private static let unsent = Set(texts: [
        "host", "connection", "user-agent", "expect", "transfer-encoding", "content-length", "accept-encoding",
        "upgrade", "te", "trailer", "keep-alive", "proxy-connection",
    ])

    init(_ value: JSONValue) throws(ResolverError) {
        let request = try RequestMembers(value)
        let method = try request.text("method", isRequired: true) ?? ""
        guard Self.methods.contains(method) else {
            throw ResolverError("Unsupported method '\(method)'. See $[method].", type: "MappingTemplate")
        }
        let path = try request.text("resourcePath", isRequired: true) ?? ""
        let parameters = try request.object("params") ?? JSONObject()
        try self.init(parameters, "query", method: method, path: path)
    }

    init(method: String, path: String, fields: [(name: String, value: String)], body: [UInt8]) {
        self.method = method
        self.path = path
        self.fields = fields
        self.body = body
        query = []
    }

    fileprivate init(
        _ parameters: JSONObject, _ query: String, method: String, path: String
    ) throws(ResolverError) {
        self.method = method
        self.path = path
        let parameters = RequestMembers(parameters, at: "params")
        self.query = Self.pairs(try parameters.object(query) ?? JSONObject())
        var fields = Self.pairs(try parameters.object("headers") ?? JSONObject()).filter { field in
            !Self.unsent.contains(field.name.lowercased()) && Self.isToken(field.name)
                && field.value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
        }
        switch parameters.value("body") {
        case nil: body = []
        case .string(let text)?: body = Array(text.utf8)
        case let value?:
            body = JSONWriter.bytes(of: value)
            if !fields.contains(where: { $0.name.lowercased() == "content-type" }) {
                fields.append((name: "content-type", value: "application/json"))
            }
        }
        self.fields = fields
    }

    private static func isToken(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                byte > 0x20 && byte < 0x7F && !"\"(),/:;<=>?@[\\]{}".utf8.contains(byte)
            }
    }

    /// A list gives a pair for each of its elements, null none.
    private static func pairs(_ object: JSONObject) -> [(name: String, value: String)] {
        object.flatMap { member -> [(name: String, value: String)] in
            (member.value.array ?? [member.value]).filter { !$0.isNull }.map { value in
                (name: member.key, value: value.string ?? JSONWriter.text(of: value))
            }
        }
    }

    /// The status, the head and the body as a text. Every status is an answer; what cannot be reached is an error.
    func answer(
        _ endpoint: String, _ signing: ResolverSource.Signing?, _ call: FieldCall, _ place: CallPlace
    ) async throws(ResolverError) -> TableRequest.Answer {
        let response: OutsideResponse
        switch await self.response(endpoint, signing, call, place) {
        case .success(let answer): response = answer
        case .failure(let error): return TableRequest.Answer(.null, error: error)
        }
        var headers = JSONObject()
        for field in response.fields {
            let known = headers[field.name]?.string.map { "\($0)," } ?? ""
            headers.set(field.name, to: .string(known + field.value))
        }
        return TableRequest.Answer([
            "statusCode": .integer(Int64(response.status)), "headers": .object(headers),
            "body": .string(String(decoding: response.body, as: UTF8.self)),
        ])
    }

    func response(
        _ endpoint: String, _ signing: ResolverSource.Signing?, _ call: FieldCall, _ place: CallPlace
    ) async -> Result<OutsideResponse, ResolverError> {
        do throws(CallFailure) {
            let limits = place.directory.limits
            let request = OutsideRequest(
                method: method, url: url(endpoint), fields: fields, body: body,
                timeoutMilliseconds: try call.milliseconds(limits), responseBytesMax: limits.callBytesMax)
            if let here = await place.directory.services?.answerHere(request) { return .success(here) }
            let outgoing = place.directory.services?.outgoing(request, signing: signing) ?? request
            do throws(OutsideError) {
                return .success(try await place.outside.send(outgoing))
            } catch {
                throw CallFailure(error, at: endpoint, naming: "the URL of an HTTP call")
            }
        } catch {
            if error.type == CallFailure.timedOut.type { call.clock.noteTimeOut() }
            if let detail = error.detail { place.directory.report(detail) }
            return .failure(ResolverError(error.message, type: error.type))
        }
    }

    private func url(_ endpoint: String) -> String {
        var url = endpoint.hasSuffix("/") ? String(endpoint.dropLast()) : endpoint
        url += path.hasPrefix("/") ? URLEscapes.encodedURLPart(path) : "/" + URLEscapes.encodedURLPart(path)
        for (number, pair) in query.enumerated() {
            url += number == 0 && !path.utf8.contains(UInt8(ascii: "?")) ? "?" : "&"
            url += "\(URLEscapes.encoded(pair.name))=\(URLEscapes.encoded(pair.value))"
        }
        return url
    }
}

/// What a handler asks of OpenSearch: `{operation: "GET", path, params: {headers, queryString, body}}`.
struct SearchRequest {
    private let request: HTTPSourceRequest
    private static let methods = Set(texts: ["GET", "POST", "PUT", "HEAD", "DELETE"])

    init(_ value: JSONValue) throws(ResolverError) {
        let fields = try RequestMembers(value)
        let method = try fields.text("operation", isRequired: true) ?? ""
        guard Self.methods.contains(method) else {
            throw ResolverError("Unsupported operation '\(method)'. See $[operation].", type: "MappingTemplate")
        }
        request = try HTTPSourceRequest(
            try fields.object("params") ?? JSONObject(), "queryString", method: method,
            path: try fields.text("path", isRequired: true) ?? "")
    }

    /// The engine's own answer.
    func answer(
        _ endpoint: String, _ signing: ResolverSource.Signing?, _ call: FieldCall, _ place: CallPlace
    ) async throws(ResolverError) -> TableRequest.Answer {
        switch await request.response(endpoint, signing, call, place) {
        case .failure(let error): return TableRequest.Answer(.null, error: error)
        case .success(let response):
            let value = response.body.isEmpty ? .null : try? JSONReader.value(of: response.body)
            guard (200..<300).contains(response.status), let value else {
                let text = CallFailure.shortened(String(decoding: response.body, as: UTF8.self))
                return TableRequest.Answer(.null, error: ResolverError(text, type: "OpenSearch:\(response.status)"))
            }
            return TableRequest.Answer(value)
        }
    }
}
