import Access
import Blueprint
import JSON

/// A call of `@http`, worked out as far as that goes without a request.
struct HTTPCallTemplate: Sendable {
    private let method: HTTPCall.Method
    /// Scheme, host and port.
    private let base: String
    private let path: CallTemplate
    private let headers: [(name: String, value: CallTemplate)]
    /// The arguments that the schema asks for, and that the API's inputs leave open because they may stand in either.
    private let required: [String]

    private let limits: EngineLimits

    init(_ call: HTTPCall, of field: ModelField, _ directory: FunctionDirectory) {
        limits = directory.limits
        let environment = directory.environment
        method = call.method
        let url = environment.substituted(call.url)
        let schemeEnd = url.hasPrefix("https://") ? 8 : url.hasPrefix("http://") ? 7 : 0
        let authority = url.utf8.dropFirst(schemeEnd).prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        base = String(url[..<authority.endIndex])
        let rest = String(url[authority.endIndex...])
        path = CallTemplate(rest.hasPrefix("/") ? rest : "/" + rest, hasParameters: true)
        headers = call.headers.map {
            (name: $0.name, value: CallTemplate(environment.substituted($0.value), hasParameters: false))
        }
        let parameters = call.pathParameters
        required =
            call.method.hasBody
            ? field.arguments.filter { argument in
                argument.type.wrapping.isNonNull && !parameters.contains(argument.name.text)
                    && (parameters.isEmpty || ScalarKind.isScalar(argument.type.name.text))
            }.map(\.name.text) : []
    }

    /// What the call answers.
    func value(of call: FieldCall, over outside: any OutsideService) async throws(CallFailure) -> JSONValue {
        let request = try request(for: call)
        let response: OutsideResponse
        do throws(OutsideError) {
            response = try await outside.send(request)
        } catch {
            throw CallFailure(error, at: base, naming: "the URL of the HTTP call")
        }
        return try value(of: response)
    }

    // MARK: There

    func request(for call: FieldCall) throws(CallFailure) -> OutsideRequest {
        let query = call.arguments["query"]?.object
        let body = call.arguments["body"]?.object
        for name in required where query?[name]?.isNull ?? true && body?[name]?.isNull ?? true {
            throw CallFailure(
                "An argument you marked as Non-Null is not present in the query nor the body of your request.",
                type: nil)
        }
        let context = CallContext(call)
        var url = base + path.encodedPath(context)
        if method != .delete, let query { Self.append(query, to: &url) }
        return OutsideRequest(
            method: method.rawValue, url: url, fields: fields(for: call, context),
            body: method.hasBody ? body.map { JSONWriter.bytes(of: .object($0)) } ?? [] : [],
            timeoutMilliseconds: try call.milliseconds(limits), responseBytesMax: limits.callBytesMax)
    }

    /// Fields of the client's request that say something about its connection, its body or what it can decode, not
    /// about the request. The first line is what AppSync leaves out.
    private static let unsent: Set<ByteText> = [
        "transfer-encoding", "connection", "host", "expect", "keep-alive", "upgrade", "proxy-authenticate",
        "proxy-authorization", "te", "content-length",
        "proxy-connection", "trailer", "accept-encoding", "content-encoding",
    ]

    /// The client's fields, then those of the directive over them.
    private func fields(for call: FieldCall, _ context: CallContext) -> [(name: String, value: String)] {
        var fields = call.caller.headers.members.compactMap { member in
            Self.unsent.contains(member.key) ? nil : (name: member.key, value: member.value.string ?? "")
        }
        func set(_ name: String, _ value: String) {
            fields.removeAll { $0.name.lowercased() == name.lowercased() }
            fields.append((name: name, value: value))
        }
        if method.hasBody { set("Content-Type", "application/json") }
        for header in headers { set(header.name, header.value.text(context)) }
        return fields
    }

    /// A list gives a parameter for each of its elements, null gives none.
    private static func append(_ query: JSONObject, to url: inout String) {
        var separator = url.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
        for member in query.members {
            let values: [JSONValue] = if case .array(let elements) = member.value { elements } else { [member.value] }
            for value in values where !value.isNull {
                url += separator + URLEscapes.encoded(member.key) + "="
                url += URLEscapes.encoded(CallContext.text(of: value))
                separator = "&"
            }
        }
    }

    // MARK: And back

    private func value(of response: OutsideResponse) throws(CallFailure) -> JSONValue {
        guard response.status == 200 || method.hasBody && response.status == 201 else {
            let text = String(decoding: response.body, as: UTF8.self)
            throw CallFailure(CallFailure.shortened(text), type: "\(response.status)")
        }
        if response.field("content-type")?.lowercased().contains(bytesOf: "xml") ?? false {
            let elements = try XMLObject.value(
                of: response.body, depthMax: FunctionLimits.elementDepthMax,
                failing: { CallFailure("The answer is not XML: \($0)", type: "MappingTemplate") },
                counting: { () throws(CallFailure) in })
            guard !elements.isEmpty else {
                throw CallFailure("The answer is not XML: expected an element", type: "MappingTemplate")
            }
            return .object(elements)
        }
        guard !response.body.isEmpty else {
            throw CallFailure("Template transformation yielded an empty response.", type: "MappingTemplate")
        }
        do throws(JSONError) {
            return try JSONReader.value(of: response.body)
        } catch {
            throw CallFailure("The answer is not JSON: \(error)", type: "MappingTemplate")
        }
    }
}
