import Access
import Cloud
import JSON
import Network

/// A call of a service that is not served, as its head shows it.
struct UnservedCall: Sendable {
    /// As the scope of the signature names it.
    let service: String
    let accessKeyID: String
    /// Nil: the head does not say it, or its method and path are all that does.
    let operation: String?
    let form: Form

    static let operationCharactersMax = 200

    private static let serviceBytesMax = 64
    private static let signer = "X-Amz-Credential"
    private static let scopeParts = 5

    /// Nil: it is signed for no service, or for one that is served.
    ///
    /// Hot path: every request for a file comes by here, so those are told without taking anything apart.
    ///
    /// - Parameter served: the services that answer for themselves.
    init?(_ head: HTTPRequestHead, served: Set<ByteText>) {
        guard !Self.isOfFilesOrNobody(head), let (service, key) = Self.signer(of: head), Self.isService(service),
            !served.contains(ByteText(service))
        else { return nil }
        let target = head.fields["x-amz-target"]
        let type = head.fields["content-type"] ?? ""
        self.service = service
        accessKeyID = key
        var operation = target.flatMap { Self.last(of: $0, behind: UInt8(ascii: ".")) }
        if target != nil {
            form = .json(version: type.contains(bytesOf: "1.0") ? "1.0" : "1.1")
        } else if head.fields["smithy-protocol"] == "rpc-v2-cbor" {
            operation = Self.last(of: head.path, behind: UInt8(ascii: "/"))
            form = .cbor
        } else if type.lowercased().hasPrefix("application/x-www-form-urlencoded") || Self.hasAction(head.query) {
            form = service == "ec2" ? .cloudForm : .form
        } else {
            form = ["cloudfront", "route53"].contains(service) ? .markup : .rest
        }
        self.operation = operation
    }

    /// Returns whether a request is signed for files, or not at all.
    private static func isOfFilesOrNobody(_ head: HTTPRequestHead) -> Bool {
        if let isSigned = head.fields.withValue(
            of: "authorization", { SignatureHeader.service(in: $0)?.elementsEqual("s3".utf8) ?? false })
        {
            return isSigned
        }
        let query = head.query
        return query.isEmpty || query.contains(bytesOf: "%2Fs3%2Faws4_request") || query.contains(bytesOf: "/s3/aws4_")
    }

    private static func hasAction(_ query: String) -> Bool {
        query.hasPrefix("Action=") || query.contains(bytesOf: "&Action=")
    }

    /// The service and the key of a signature by Version 4, in the head or in the query.
    private static func signer(of head: HTTPRequestHead) -> (service: String, key: String)? {
        if let text = head.fields["authorization"] {
            guard let header = try? SignatureHeader(text) else { return nil }
            return (header.service, header.accessKeyID)
        }
        let query = head.query
        guard query.contains(bytesOf: "\(signer)=") else { return nil }
        let scope = HTTPPercentCoding.parameters(of: query, max: parametersMax).first { $0.name == signer }?.value
        let parts = (scope ?? "").parts(separatedBy: "/")
        guard parts.count == scopeParts, let key = parts.first, parts.last == "aws4_request" else { return nil }
        return (parts[scopeParts - 2], key)
    }

    private static func last(of text: String, behind separator: UInt8) -> String? {
        text.utf8.split(separator: separator).last.map { String(Substring($0)) }
    }

    private static let parametersMax = 64

    private static func isService(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= serviceBytesMax
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || byte == UInt8(ascii: "-")
            }
    }

    /// The protocol of a call, in which it is answered.
    enum Form: Sendable, Equatable {
        /// The operation is in `x-amz-target`.
        case json(version: String)
        /// CBOR, below `/service`.
        case cbor
        /// The operation is a parameter; the answer is XML.
        case form
        /// The same as EC2 has it.
        case cloudForm
        /// Methods and paths, with JSON.
        case rest
        /// Methods and paths, with XML.
        case markup

        var isOfForms: Bool { self == .form || self == .cloudForm }

        private static let unknown = "UnknownOperationException"
        private static let noAction = "InvalidAction"

        func answer(_ message: String, _ more: HTTPFieldLines) -> HTTPResponse {
            var fields = more
            fields.append("cache-control", "no-store")
            let (status, type, body) = content(message)
            fields.append("content-type", type)
            switch self {
            case .json, .rest: fields.append("x-amzn-errortype", Self.unknown)
            case .cbor: fields.append("smithy-protocol", "rpc-v2-cbor")
            case .form, .cloudForm, .markup: break
            }
            var answer = HTTPResponse(status: HTTPStatus(code: status), fields: fields, body: .bytes(body))
            answer.reason = message
            return answer
        }

        private func content(_ message: String) -> (status: Int, type: String, body: [UInt8]) {
            let members: JSONValue = ["__type": .string(Self.unknown), "message": .string(message)]
            switch self {
            case .json(let version): return (400, "application/x-amz-json-\(version)", JSONWriter.bytes(of: members))
            case .rest: return (404, "application/json", JSONWriter.bytes(of: members))
            case .cbor:
                let texts = ["__type", Self.unknown, "message", message]
                return (400, "application/cbor", [Self.mapOfTwo] + texts.flatMap(Self.text))
            case .form, .markup:
                let error = QueryAnswer.markup(
                    "Error", [("Type", "Sender"), ("Code", Self.noAction), ("Message", message)])
                let text = "<ErrorResponse>\(error)<RequestId>\(Self.noRequest)</RequestId></ErrorResponse>"
                return (self == .form ? 400 : 404, "text/xml", Array(text.utf8))
            case .cloudForm:
                let error = QueryAnswer.markup("Error", [("Code", Self.noAction), ("Message", message)])
                let text = "<Response><Errors>\(error)</Errors><RequestID>\(Self.noRequest)</RequestID></Response>"
                return (400, "text/xml", Array(text.utf8))
            }
        }

        /// SDKs want one in the body; the request's own is in the head.
        private static let noRequest = "00000000-0000-0000-0000-000000000000"

        // MARK: CBOR

        private static let mapOfTwo: UInt8 = 0xA2

        /// A text as CBOR writes it: its length before it.
        private static func text(_ text: String) -> [UInt8] {
            let bytes = Array(text.utf8.prefix(Int(UInt16.max)))
            return [0x79, UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes
        }
    }
}
