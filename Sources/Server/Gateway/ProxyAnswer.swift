import Access
import Crypto
import JSON
import Network

/// The answer to the client in a function's result, as API Gateway reads it.
enum ProxyAnswer {
    /// Fields that are the connection's, whatever a function says.
    private static let own = [
        "connection", "content-length", "date", "keep-alive", "proxy-connection", "server", "te", "trailer",
        "transfer-encoding", "upgrade",
    ]

    /// Nil: it is no answer.
    ///
    /// - Parameters:
    ///   - isLenient: whether a result without a status is an answer with all of it as JSON, as at functions' own URLs.
    ///   - isSandboxed: whether browsers keep it apart from the server's own pages.
    static func response(_ result: [UInt8], isLenient: Bool, isSandboxed: Bool) -> HTTPResponse? {
        guard let value = try? JSONReader.value(of: result) else { return nil }
        guard let status = status(value["statusCode"]) else {
            guard isLenient, value["statusCode"] == nil else { return nil }
            let body = value.string.map { Array($0.utf8) } ?? result
            return HTTPResponse(fields: HTTPFieldLines(["content-type": "application/json"]), body: .bytes(body))
        }
        var fields = HTTPFieldLines()
        var (types, policies): ([String], [String]) = ([], [])
        func add(_ name: String, _ value: JSONValue) -> Bool {
            guard let text = value.string ?? number(value), isField(name, text) else { return false }
            let name = name.lowercased()
            guard !own.contains(name), !(isSandboxed && AnswerSandbox.fieldsOfOrigin.contains(name)),
                !(name == "set-cookie" && OwnCookies.isSet(by: text))
            else { return true }
            switch name {
            case "content-type": types.append(text)
            case "content-security-policy": policies.append(text)
            default: break
            }
            fields.append(name: name, value: text)
            return true
        }
        let lists = value["multiValueHeaders"]?.object?.members ?? []
        for member in lists {
            for item in member.value.array ?? [] where !add(member.key, item) { return nil }
        }
        for member in value["headers"]?.object?.members ?? [] {
            // What has several values has this one among them.
            guard !lists.contains(where: { $0.key.lowercased() == member.key.lowercased() }) else { continue }
            guard add(member.key, member.value) else { return nil }
        }
        for cookie in value["cookies"]?.array ?? [] where !add("set-cookie", cookie) { return nil }
        if types.isEmpty { fields.append("content-type", "application/json") }
        if isSandboxed, !types.isEmpty, AnswerSandbox.isNeeded(types: types, policies: policies) {
            fields.append("content-security-policy", AnswerSandbox.policy)
        }
        guard let body = body(value) else { return nil }
        // As it is: the function may have compressed it.
        return HTTPResponse(status: status, fields: fields, body: .bytes(body, isCompressible: false))
    }

    private static func status(_ value: JSONValue?) -> HTTPStatus? {
        guard let number = value?.integer ?? value?.string.flatMap({ Int64($0) }), (200..<600).contains(number) else {
            return nil
        }
        return HTTPStatus(code: Int(number))
    }

    private static func number(_ value: JSONValue) -> String? {
        switch value {
        case .integer, .bool: JSONWriter.text(of: value)
        default: nil
        }
    }

    private static func body(_ value: JSONValue) -> [UInt8]? {
        guard let body = value["body"], body != .null else { return [] }
        guard let text = body.string else {
            // An object is no body to API Gateway.
            return nil
        }
        return value["isBase64Encoded"]?.bool == true ? Base64.bytes(of: text.utf8, .standard) : Array(text.utf8)
    }

    private static func isField(_ name: String, _ value: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy(HTTPFields.isNameByte) && value.utf8.allSatisfy(HTTPFields.isValueByte)
    }
}
