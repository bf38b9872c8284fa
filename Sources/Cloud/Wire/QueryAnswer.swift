import Access
import JSON
import Network

/// Answers of those services of AWS whose calls are forms: XML, by names that follow from the action's.
package struct QueryAnswer: Sendable {
    /// The namespace of the service.
    private let namespace: String
    private let identifier: String
    /// True if a list is its element again and again, without one around them.
    private let hasFlatLists: Bool

    /// - Parameter identifier: nil: the request has none yet, and SDKs want one in the body.
    package init(namespace: String, identifier: RequestIdentifier?, hasFlatLists: Bool = false) {
        (self.namespace, self.hasFlatLists) = (namespace, hasFlatLists)
        self.identifier = identifier?.description ?? Self.noIdentifier
    }

    package static let noIdentifier = "00000000-0000-0000-0000-000000000000"

    private static let xmlType = "text/xml"

    /// - Parameter fields: what stands in the answer beside its type.
    package func success(_ action: String, _ content: JSONObject, _ fields: HTTPFieldLines = HTTPFieldLines())
        -> HTTPResponse
    {
        let result = Self.element("\(action)Result", text(of: .object(content)))
        let metadata = Self.element("ResponseMetadata", Self.element("RequestId", of: identifier))
        return response(.ok, "\(action)Response", result + metadata, fields)
    }

    package func refusal(
        _ status: Int, _ code: String, _ message: String, _ fields: HTTPFieldLines = HTTPFieldLines()
    ) -> HTTPResponse {
        let error = Self.element(
            "Error",
            Self.element("Type", of: status < 500 ? "Sender" : "Receiver") + Self.element("Code", of: code)
                + Self.element("Message", of: message))
        var answer = response(
            HTTPStatus(code: status), "ErrorResponse",
            error + Self.element("RequestId", of: identifier), fields)
        answer.reason = message
        return answer
    }

    private func response(
        _ status: HTTPStatus, _ name: String, _ content: String, _ fields: HTTPFieldLines
    ) -> HTTPResponse {
        var fields = fields
        fields.append("content-type", Self.xmlType)
        fields.append("cache-control", "no-store")
        return HTTPResponse(
            status: status, fields: fields,
            body: .bytes(Array("<\(name) xmlns=\"\(namespace)\">\(content)</\(name)>".utf8)))
    }

    // MARK: Elements

    /// A list has its items as `member`, unless an object says by `entry` what they are.
    private func text(of value: JSONValue) -> String {
        switch value {
        case .object(let object):
            object.members.map { member in
                if member.key == "entry" || hasFlatLists, let list = member.value.array {
                    return list.map { Self.element(member.key, text(of: $0)) }.joined()
                }
                return Self.element(member.key, text(of: member.value))
            }.joined()
        case .array(let list): list.map { Self.element("member", text(of: $0)) }.joined()
        case .string(let text): Self.escaped(text)
        case .null: ""
        default: JSONWriter.text(of: value)
        }
    }

    private static func element(_ name: String, _ content: String) -> String { "<\(name)>\(content)</\(name)>" }

    private static func element(_ name: String, of text: String) -> String { element(name, escaped(text)) }

    /// An element of elements that are texts.
    package static func markup(_ name: String, _ members: [(name: String, text: String)]) -> String {
        element(name, members.map { element($0.name, of: $0.text) }.joined())
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "&": escaped += "&amp;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&apos;"
            // Readers of XML take the character itself for the end of a line.
            case "\r": escaped += "&#xD;"
            case let scalar where XMLCharacters.canHold(scalar): escaped.unicodeScalars.append(scalar)
            default: escaped += "?"
            }
        }
        return escaped
    }
}

extension Refusal {
    /// The name that services of this kind have for what is wrong with a signature.
    package var formCode: String {
        switch errorType {
        case "MissingAuthenticationTokenException": "MissingAuthenticationToken"
        case "UnrecognizedClientException": "InvalidClientTokenId"
        case "InvalidSignatureException": "SignatureDoesNotMatch"
        case "IncompleteSignatureException": "IncompleteSignature"
        default: ServiceWords.denied
        }
    }
}
