import JSON
import Network

/// What of the store a request is for: nothing in particular, a bucket, or an object in it.
struct FileTarget: Sendable, Equatable {
    /// Nil: the service itself.
    let bucket: String?
    /// Empty: the bucket.
    let key: String
    /// True if the host names the bucket.
    let isVirtual: Bool

    /// Takes a target apart: the bucket out of the host where that names one, else out of the path. Both are cut from the path as
    /// it was sent, so that an escaped slash is none, and decoded once.
    init(host: String?, path: String, in names: BucketNames) throws(FileError) {
        let path = path.utf8.first == UInt8(ascii: "/") ? Substring(path.utf8.dropFirst()) : Substring(path)
        if let bucket = host.flatMap({ names.bucket(ofHost: $0) }) {
            (self.bucket, isVirtual) = (bucket, true)
            key = try Self.decoded(path.utf8)
        } else {
            isVirtual = false
            let parts = path.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
            let name = try Self.decoded(parts.first ?? path.utf8)
            bucket = name.isEmpty ? nil : name
            key = parts.count == 2 ? try Self.decoded(parts[1]) : ""
            guard bucket != nil || key.isEmpty else { throw Self.unreadable }
        }
        try Self.checkLength(of: key)
    }

    private static func checkLength(of key: String) throws(FileError) {
        guard key.utf8.count <= FileLimits.keyBytesMax else {
            throw FileError.keyTooLong.with("Size", "\(key.utf8.count)")
                .with("MaxSizeAllowed", "\(FileLimits.keyBytesMax)")
        }
    }

    /// A bucket that a request means without naming it, or an object in it.
    init(bucket: String, key: String = "") throws(FileError) {
        try Self.checkLength(of: key)
        (self.bucket, self.key, isVirtual) = (bucket, key, false)
    }

    private static let unreadable = FileError(400, "InvalidURI", "Couldn't parse the specified URI.")

    /// Decodes the escapes of a part of a path: what is no UTF-8 then, or holds a NUL, is no key.
    static func decoded(_ text: Substring.UTF8View) throws(FileError) -> String {
        // What nothing is escaped in is text already, without a NUL: a head has none.
        guard text.contains(UInt8(ascii: "%")) else { return String(Substring(text)) }
        guard let bytes = HTTPPercentCoding.bytes(of: text), !bytes.contains(0),
            let decoded = String(validating: bytes, as: UTF8.self)
        else { throw unreadable }
        return decoded
    }

    static func == (left: FileTarget, right: FileTarget) -> Bool {
        left.bucket.map { ByteText($0) } == right.bucket.map { ByteText($0) }
            && ByteText(left.key) == ByteText(right.key)
            && left.isVirtual == right.isVirtual
    }
}

/// What buckets may be called, and which hosts name one.
struct BucketNames: Sendable {
    /// Below these, the first part of a host is a bucket, whether there is such a one or not.
    let bases: [String]
    /// True if there is a bucket of that name.
    let isKnown: @Sendable (String) -> Bool

    /// What a host is to the store by its name alone.
    enum HostKind: Equatable {
        /// One of the bases: buckets are named by the path.
        case base
        /// A name below a base: a bucket's, whether there is such a one or not.
        case bucket
        /// Any other.
        case other
    }

    /// What a host is, with or without a port.
    func kind(ofHost host: UnsafeRawBufferPointer) -> HostKind {
        let name = host.prefix { $0 != UInt8(ascii: ":") }
        for base in bases {
            let base = base.utf8
            guard name.count >= base.count, zip(name.suffix(base.count), base).allSatisfy({ $0.lowercased == $1 })
            else { continue }
            let rest = name.dropLast(base.count)
            if rest.isEmpty { return .base }
            if rest.count > 1, rest.last == UInt8(ascii: ".") { return .bucket }
        }
        return .other
    }

    /// The bucket that a host names, with or without a port.
    func bucket(ofHost host: String) -> String? {
        // Hot path: the address of this machine is in numbers, and names nothing, unless it is one of the bases.
        if bases.allSatisfy({ !Self.isNumber($0) }), Self.isNumber(Self.withoutPort(host)) { return nil }
        let name = Self.withoutPort(host).lowercased()
        guard !isBase(name) else { return nil }
        for base in bases where name.utf8.count > base.utf8.count + 1 && name.hasSuffix("." + base) {
            return String(name.dropLast(base.count + 1))
        }
        // An address in numbers names nothing.
        guard !Self.isNumber(name) else { return nil }
        // A host of the operator's own: only what is there counts, the longest name first, since names may have dots.
        var end = name.utf8.endIndex
        while let dot = name.utf8[..<end].lastIndex(of: UInt8(ascii: ".")) {
            let bucket = String(name[..<dot])
            if isKnown(bucket) { return bucket }
            end = dot
        }
        return nil
    }

    /// Returns whether a host is an address in numbers: the last part of a name has a letter at its end.
    private static func isNumber(_ host: String) -> Bool {
        host.utf8.last.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? true
    }

    private func isBase(_ name: String) -> Bool { bases.contains { ByteText($0) == ByteText(name) } }

    private static func withoutPort(_ host: String) -> String {
        guard let colon = host.utf8.lastIndex(of: UInt8(ascii: ":")), host.utf8.first != UInt8(ascii: "[") else {
            return host
        }
        return String(host[..<colon])
    }

    /// Paths of this server that no bucket may take.
    private static let reserved: Set<ByteText> = [
        "graphql", "oauth2", "login", "logout", "signup", "confirm", "forgot", "health", "ping", "metrics", "console",
        "api", "rest", "url", "model", "2015-03-31",
    ].reduce(into: []) { $0.insert(ByteText($1)) }

    /// What names of buckets may neither begin nor end with at S3, where it stands for something else.
    private static let reservedStarts = ["xn--", "sthree-", "amzn-s3-demo-"]
    private static let reservedEnds = ["-s3alias", "--ol-s3", ".mrap", "--x-s3", "--table-s3"]

    /// Returns whether that can be a bucket's name: 3 to 63 letters, digits, dots and dashes, by the rules of S3, and no path of ours.
    static func isValid(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        guard (3...63).contains(bytes.count), let first = bytes.first, let last = bytes.last, isLetterOrDigit(first),
            isLetterOrDigit(last), !reserved.contains(ByteText(name)),
            !reservedStarts.contains(where: { name.utf8.starts(with: $0.utf8) }),
            !reservedEnds.contains(where: { bytes.suffix($0.utf8.count).elementsEqual($0.utf8) })
        else { return false }
        for (byte, next) in zip(bytes, bytes.dropFirst() + [0]) {
            guard isLetterOrDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") else { return false }
            // Each part of the name begins and ends with a letter or a digit: it is one of a host's.
            let marks = [byte, next].filter { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
            guard marks.count < 2 || !marks.contains(UInt8(ascii: ".")) else { return false }
        }
        // An address in numbers.
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return !(parts.count == 4 && parts.allSatisfy { $0.allSatisfy { (0x30...0x39).contains($0) } })
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool { byte.isLowercase || byte.isDigit }
}
