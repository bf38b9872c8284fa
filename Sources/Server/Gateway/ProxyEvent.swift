import Access
import Crypto
import JSON
import Network
import Project

/// The event of a request over HTTP, in the two forms of API Gateway.
struct ProxyEvent {
    let request: HTTPRequest
    let body: [UInt8]
    /// Below what leads to the function, as it was sent.
    let path: String
    let host: String
    let address: String
    let caller: Caller

    /// A caller who is authenticated.
    enum Caller {
        case anyone
        case principal(IAMPrincipal)
        case user(TokenClaims)
    }

    private var principal: IAMPrincipal? { if case .principal(let principal) = caller { principal } else { nil } }

    static let stage = "dev"
    private static let apiID = "homeport"

    private var head: HTTPRequestHead { request.head }
    private var decodedPath: String { HTTPPercentCoding.decoded(path.utf8) }

    /// A text stays one, and what is none is told in base64.
    private var told: (text: JSONValue, isEncoded: Bool) {
        guard !body.isEmpty else { return (.null, false) }
        if let text = String(validating: body, as: UTF8.self) { return (.string(text), false) }
        return (.string(Base64.text(of: body, .standard)), true)
    }

    private var parameters: [(name: String, value: String)] {
        HTTPPercentCoding.parameters(of: head.query).filter { !$0.name.isEmpty }
    }

    /// Names of fields that the service writes with capitals; all others come as clients of HTTP/2 send them.
    private static let capitals = [
        "Accept", "Accept-Encoding", "Accept-Language", "Authorization", "Host", "Referer", "User-Agent",
    ].reduce(into: [ByteText: String]()) { $0[ByteText($1.lowercased())] = $1 }

    private var fields: [(name: String, value: String)] {
        let sent = OwnCookies.hidden(in: head.fields.all).map {
            (name: Self.capitals[ByteText($0.name)] ?? $0.name, value: $0.value)
        }
        return sent.filter { !$0.name.hasPrefix("x-forwarded-") } + [
            ("X-Forwarded-For", address), ("X-Forwarded-Proto", request.isSecure ? "https" : "http"),
        ]
    }

    /// Names with the last of their values, and with all of them.
    private static func maps(_ pairs: [(name: String, value: String)]) -> (last: JSONValue, all: JSONValue) {
        guard !pairs.isEmpty else { return (.null, .null) }
        var (last, all) = (JSONObject(), JSONObject())
        for (name, value) in pairs {
            last.set(name, to: .string(value))
            all.set(name, to: .array((all[name]?.array ?? []) + [.string(value)]))
        }
        return (.object(last), .object(all))
    }

    /// The form of REST APIs.
    func version1(_ match: RestPath.Match) -> JSONValue {
        let (headers, allHeaders) = Self.maps(fields)
        let (query, allQuery) = Self.maps(parameters)
        let (text, isEncoded) = told
        let none = JSONValue.null
        let identity = JSONObject([
            ("cognitoIdentityPoolId", principal?.identityPoolID.map(JSONValue.string) ?? none),
            ("cognitoIdentityId", principal?.identityID.map(JSONValue.string) ?? none),
            ("cognitoAuthenticationType", principal?.authType.map(JSONValue.string) ?? none),
            ("cognitoAuthenticationProvider", principal?.authProvider.map(JSONValue.string) ?? none),
            ("accountId", principal.map { .string($0.accountID) } ?? none),
            ("accessKey", principal.map { .string($0.accessKeyID) } ?? none),
            ("caller", principal.map { .string($0.username) } ?? none),
            ("user", principal.map { .string($0.username) } ?? none),
            ("userArn", principal.map { .string($0.userARN) } ?? none), ("apiKey", none),
            ("sourceIp", .string(address)), ("userAgent", head.fields["user-agent"].map(JSONValue.string) ?? none),
        ])
        let now = Timestamp.now
        var context = JSONObject([
            ("resourceId", .string(Self.apiID)), ("resourcePath", .string(match.resource)),
            ("httpMethod", .string(head.methodText)), ("path", .string("/\(Self.stage)\(decodedPath)")),
            ("accountId", .string(IAMPrincipal.exampleAccountID)), ("protocol", "HTTP/1.1"),
            ("stage", .string(Self.stage)), ("domainName", .string(host)), ("apiId", .string(Self.apiID)),
            ("requestId", .string(request.identifier.description)), ("requestTime", .string(Self.time(now))),
            ("requestTimeEpoch", .integer(now.millisecondsSince1970)), ("identity", .object(identity)),
        ])
        if case .user(let user) = caller {
            context["authorizer"] = ["claims": .object(Self.flat(user.claims))]
        }
        return .object(
            JSONObject([
                ("resource", .string(match.resource)), ("path", .string(decodedPath)),
                ("httpMethod", .string(head.methodText)), ("headers", headers), ("multiValueHeaders", allHeaders),
                ("queryStringParameters", query), ("multiValueQueryStringParameters", allQuery),
                ("pathParameters", Self.maps(match.parameters).last), ("stageVariables", none),
                ("requestContext", .object(context)), ("body", text), ("isBase64Encoded", .bool(isEncoded)),
            ]))
    }

    /// Claims as functions see them: all of them texts.
    private static func flat(_ claims: JSONObject) -> JSONObject {
        var texts = JSONObject()
        for member in claims.members {
            let text: String =
                switch member.value {
                case .string(let text): text
                case .array(let elements):
                    elements.map { $0.string ?? JSONWriter.text(of: $0) }.joined(separator: ",")
                default: JSONWriter.text(of: member.value)
                }
            texts.set(member.key, to: .string(text))
        }
        return texts
    }

    /// The form of HTTP APIs and of functions' own URLs.
    ///
    /// - Parameter target: the path of an API; nil at a URL.
    func version2(_ target: GatewayTable.Target?) -> JSONValue {
        let route =
            target.map { "\($0.path.methods.isEmpty ? "ANY" : head.methodText) \($0.match.resource)" } ?? "$default"
        var headers = JSONObject()
        for (name, value) in fields where name != "cookie" {
            Self.join(value, to: name.lowercased(), in: &headers)
        }
        var query = JSONObject()
        for (name, value) in parameters { Self.join(value, to: name, in: &query) }
        let cookies = head.fields.values(of: "cookie").compactMap(OwnCookies.value).flatMap {
            $0.parts(separatedBy: ";")
        }
        .compactMap { $0.isEmpty ? nil : JSONValue.string($0.trimmingBlanks) }
        let (text, isEncoded) = told
        let now = Timestamp.now
        let http = JSONObject([
            ("method", .string(head.methodText)), ("path", .string(path)), ("protocol", "HTTP/1.1"),
            ("sourceIp", .string(address)), ("userAgent", .string(head.fields["user-agent"] ?? "")),
        ])
        var context = JSONObject([
            ("accountId", .string(principal?.accountID ?? "anonymous")), ("apiId", .string(Self.apiID)),
            ("domainName", .string(host)),
            ("domainPrefix", .string(host.parts(separatedBy: ".").first ?? host)),
            ("http", .object(http)), ("requestId", .string(request.identifier.description)),
            ("routeKey", .string(route)),
            ("stage", "$default"), ("time", .string(Self.time(now))),
            ("timeEpoch", .integer(now.millisecondsSince1970)),
        ])
        if let principal {
            let iam = JSONObject([
                ("accessKey", .string(principal.accessKeyID)), ("accountId", .string(principal.accountID)),
                ("callerId", .string(principal.username)), ("cognitoIdentity", .null), ("principalOrgId", .null),
                ("userArn", .string(principal.userARN)), ("userId", .string(principal.username)),
            ])
            context["authorizer"] = .object(JSONObject([("iam", .object(iam))]))
        }
        if case .user(let user) = caller {
            context["authorizer"] = ["jwt": ["claims": .object(Self.flat(user.claims)), "scopes": .null]]
        }
        var event = JSONObject([
            ("version", "2.0"), ("routeKey", .string(route)), ("rawPath", .string(path)),
            ("rawQueryString", .string(head.query)),
        ])
        if !cookies.isEmpty { event["cookies"] = .array(cookies) }
        event["headers"] = .object(headers)
        if !query.isEmpty { event["queryStringParameters"] = .object(query) }
        if let parameters = target?.match.parameters, !parameters.isEmpty {
            event["pathParameters"] = Self.maps(parameters).last
        }
        event["requestContext"] = .object(context)
        if text != .null { event["body"] = text }
        event["isBase64Encoded"] = .bool(isEncoded)
        return .object(event)
    }

    private static func join(_ value: String, to name: String, in object: inout JSONObject) {
        object.set(name, to: .string(object[name]?.string.map { "\($0),\(value)" } ?? value))
    }

    /// As logs of web servers have it: `23/Nov/2026:19:32:24 +0000`.
    private static func time(_ now: Timestamp) -> String {
        // Thu, 01 Jan 1970 00:00:00 GMT
        let parts = HTTPDate.text(of: Int(clamping: now.seconds)).words
        guard parts.count == 6 else { return "" }
        return "\(parts[1])/\(parts[2])/\(parts[3]):\(parts[4]) +0000"
    }
}
