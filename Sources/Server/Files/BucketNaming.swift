import Crypto
import JSON
import UserPool

/// The names that buckets may have, and their default.
enum BucketNaming {
    private static let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789".utf8)
    private static let lengths = 3...63
    private static let suffixLength = 12

    /// Returns whether requests can call a bucket so: as in S3, and unlike a path of this server.
    static func isOne(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard lengths.contains(bytes.count), let first = bytes.first, let last = bytes.last,
            letters.contains(first), letters.contains(last),
            bytes.allSatisfy({ letters.contains($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }),
            !text.contains(bytesOf: ".."), !text.contains(bytesOf: ".-"), !text.contains(bytesOf: "-.")
        else { return false }
        // Like an address of the Internet protocol.
        let parts = text.parts(separatedBy: ".")
        if parts.count == 4, parts.allSatisfy({ UInt8($0) != nil }) { return false }
        return !taken.contains(ByteText(text))
    }

    /// The first parts of this server's own paths.
    static let taken = Set(
        (Route.withPaths.map(\.path) + HostedPath.allCases.map(\.rawValue)).compactMap { path in
            path.utf8.split(separator: UInt8(ascii: "/")).first.map { ByteText(Substring($0)) }
        })

    static func isHost(_ text: String) -> Bool {
        text.utf8.count <= 253
            && text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
                guard let first = label.first, let last = label.last else { return false }
                return label.count <= 63 && letters.contains(first) && letters.contains(last)
                    && label.allSatisfy { letters.contains($0) || $0 == UInt8(ascii: "-") }
            }
    }

    /// The name of a bucket that nobody has named: `amplify-photos-8x0k2jq4m1zt`, always the same for the seed of a data folder.
    static func usual(for name: String, seed: [UInt8]) -> String {
        let plain = name.utf8.compactMap { byte -> UInt8? in
            let small = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
            return letters.contains(small) ? small : nil
        }
        let code = HMACSHA256.code(of: Array("bucket \(name)".utf8), key: seed)
        let suffix = code.prefix(suffixLength).map { letters[Int($0) % letters.count] }
        let middle = plain.prefix(lengths.upperBound - "amplify--".utf8.count - suffixLength)
        return String(
            decoding: Array("amplify-".utf8) + middle + (middle.isEmpty ? [] : [UInt8(ascii: "-")]) + suffix,
            as: UTF8.self)
    }
}
