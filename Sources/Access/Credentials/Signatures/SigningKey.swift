import Crypto

/// What requests are signed with: made of a secret, for a day, a region and a service.
package enum SigningKey {
    package static func bytes(secret: String, day: String, region: String, service: String) -> [UInt8] {
        [day, region, service, "aws4_request"].reduce(Array("AWS4\(secret)".utf8)) { key, part in
            HMACSHA256.code(of: Array(part.utf8), key: key)
        }
    }
}
