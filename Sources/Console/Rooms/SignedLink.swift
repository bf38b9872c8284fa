import Crypto
import JSON

/// A link to a file that is good for a while for whoever has it, as SDKs make it: Signature Version 4 in the query.
struct SignedLink: Sendable {
    let accessKeyID: String
    let secret: String
    let region: String

    /// The link to an object at an authority, such as `localhost:20002`. `date` is `20261126T003702Z`.
    func url(base: String, authority: String, bucket: String, key: String, date: String, seconds: Int) -> String {
        let day = String(date.prefix(8))
        let scope = "\(day)/\(region)/s3/aws4_request"
        let path = "/" + ([bucket] + key.parts(separatedBy: "/")).map(Self.escaped).joined(separator: "/")
        let query = [
            "X-Amz-Algorithm=AWS4-HMAC-SHA256", "X-Amz-Credential=\(Self.escaped("\(accessKeyID)/\(scope)"))",
            "X-Amz-Date=\(date)", "X-Amz-Expires=\(seconds)", "X-Amz-SignedHeaders=host",
        ].joined(separator: "&")
        let request = ["GET", path, query, "host:\(authority)", "", "host", "UNSIGNED-PAYLOAD"].joined(separator: "\n")
        let text = [
            "AWS4-HMAC-SHA256", date, scope, Hexadecimal.text(of: Digest.sha256.of(Array(request.utf8))),
        ].joined(separator: "\n")
        var signing = Array("AWS4\(secret)".utf8)
        for part in [day, region, "s3", "aws4_request"] {
            signing = HMACSHA256.code(of: Array(part.utf8), key: signing)
        }
        let signature = Hexadecimal.text(of: HMACSHA256.code(of: Array(text.utf8), key: signing))
        return "\(base)\(path)?\(query)&X-Amz-Signature=\(signature)"
    }

    /// A text as URLs have it, all but letters, digits and four signs escaped.
    private static func escaped(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(byte)
            default: bytes += Array("%\(String(UInt16(byte) + 0x100, radix: 16, uppercase: true).dropFirst())".utf8)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
