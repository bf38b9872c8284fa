import Access
import JSON

/// The parameters of a query that belong to a signature, by their names in lower case.
struct LinkParameters {
    private let all: [(name: String, value: String)]
    /// True if the query signs the request.
    let isSigned: Bool
    /// A parameter of the signature that is not written as S3 writes it: to another reader the link would not be signed by it.
    private let misspelled: String?

    private static let prefix = "x-amz-"

    /// No value of a signature has a plus that stands for itself: what a client left unescaped, as tokens have it, is one.
    init(_ query: RawQuery) {
        var all: [(name: String, value: String)] = []
        var misspelled: String?
        for parameter in query.parameters {
            let name = String(decoding: parameter.name(true), as: UTF8.self)
            let lowered = name.inLowerCaseASCII
            guard lowered.hasPrefix(Self.prefix) else { continue }
            if let exact = Self.spelled[ByteText(lowered)], !exact.utf8.elementsEqual(name.utf8) {
                misspelled = misspelled ?? name
            }
            all.append((lowered, String(decoding: parameter.value(false), as: UTF8.self)))
        }
        self.all = all
        self.misspelled = misspelled
        isSigned = all.contains { Self.signs.contains($0.name) }
    }

    private static let signs: Set<ByteText> = ["x-amz-algorithm", "x-amz-credential", "x-amz-signature"]

    private static let spelled: [ByteText: String] = Dictionary(
        texts: [
            "X-Amz-Algorithm", "X-Amz-Credential", "X-Amz-Signature", "X-Amz-Date", "X-Amz-Expires",
            "X-Amz-SignedHeaders",
            "X-Amz-Security-Token",
        ].map { ($0.inLowerCaseASCII, $0) }, uniquingKeysWith: { first, _ in first })

    /// Those that are the signature itself.
    private static let own: Set<ByteText> = signs.union([
        "x-amz-date", "x-amz-expires", "x-amz-signedheaders", "x-amz-security-token", "x-amz-content-sha256",
        "x-amz-user-agent",
    ])

    /// Returns whether the parameter of that name, in lower case, stands for a field of the head.
    static func isField(_ name: String) -> Bool {
        name.hasPrefix(prefix) && !own.contains(name) && !name.hasPrefix("x-amz-checksum-")
            && !name.hasPrefix("x-amz-sdk-")
    }

    static func isSignature(_ rawName: ArraySlice<UInt8>) -> Bool {
        String(decoding: PercentCoding.decoded(rawName), as: UTF8.self).inLowerCaseASCII == "x-amz-signature"
    }

    subscript(name: String) -> String? {
        all.first { $0.name == name }?.value
    }

    /// Throws where one of those that are the signature is not written as S3 writes it.
    func checkSpelling() throws(FileError) {
        guard let misspelled else { return }
        throw .malformedLink(
            "The query has '\(misspelled)', which is not written as the parameters of a signature are.")
    }

    /// Throws where one of them is there twice, in whatever case.
    func checkOnce() throws(FileError) {
        var names: Set<ByteText> = []
        for (name, _) in all where !names.add(name) {
            throw .malformedLink("The query has '\(name)' more than once.")
        }
    }
}
