import Access
import JSON

/// The parameters of a query that belong to a signature, by their names in lower case.
struct LinkParameters {
    private let all: [(name: String, value: String)]
    /// Whether the query signs the request.
    let isSigned: Bool

    private static let prefix = "x-amz-"

    /// No value of a signature has a plus that stands for itself: what a client left unescaped, as tokens have it, is one.
    init(_ query: RawQuery) {
        var all: [(name: String, value: String)] = []
        for parameter in query.parameters {
            let lowered = String(decoding: parameter.name(true), as: UTF8.self).inLowerCaseASCII
            guard lowered.hasPrefix(Self.prefix) else { continue }
            all.append((lowered, String(decoding: parameter.value(false), as: UTF8.self)))
        }
        self.all = all
        isSigned = all.contains { Self.signs.contains($0.name) }
    }

    private static let signs: Set<ByteText> = ["x-amz-algorithm", "x-amz-credential", "x-amz-signature"]

    /// Those that are the signature itself.
    private static let own: Set<ByteText> = signs.union([
        "x-amz-date", "x-amz-expires", "x-amz-signedheaders", "x-amz-security-token", "x-amz-content-sha256",
        "x-amz-user-agent",
    ])

    /// Whether the parameter of that name, in lower case, stands for a field of the head.
    static func isField(_ name: String) -> Bool {
        name.hasPrefix(prefix) && !own.contains(name) && !name.hasPrefix("x-amz-checksum-")
            && !name.hasPrefix("x-amz-sdk-")
    }

    static func isSignature(_ rawName: ArraySlice<UInt8>) -> Bool {
        String(decoding: PercentBytes.decoded(rawName), as: UTF8.self).inLowerCaseASCII == "x-amz-signature"
    }

    subscript(name: String) -> String? {
        all.first { $0.name == name }?.value
    }

    /// Throws where one of them is there twice, in whatever case.
    func checkOnce() throws(FileError) {
        var names: Set<ByteText> = []
        for (name, _) in all where !names.add(name) {
            throw .malformedLink("The query has '\(name)' more than once.")
        }
    }
}
