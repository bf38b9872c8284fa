import Cloud
import Crypto
import JSON

/// Where a list goes on: a sealed text that is good for that list alone, with what it was asked for.
struct PageToken: Sendable {
    /// What the last element is found by.
    let position: String

    init(_ position: String) {
        self.position = position
    }

    private static func purpose(_ list: String, _ question: String) -> [UInt8] {
        Array("page of \(list): \(Hexadecimal.text(of: Digest.sha256.of(Array(question.utf8))))".utf8)
    }

    /// - Parameters:
    ///   - list: the operation.
    ///   - question: what else decides what is in the list.
    func text(for list: String, _ question: String, sealedBy seal: Seal) -> String {
        Base64.text(of: seal.seal(Array(position.utf8), for: Self.purpose(list, question)))
    }

    init(_ text: String, for list: String, _ question: String, openedBy seal: Seal) throws(PoolError) {
        guard let bytes = Base64.bytes(of: text.utf8), let plain = seal.open(bytes, for: Self.purpose(list, question))
        else { throw .invalidParameter("The token is not one that this list has given for these members.") }
        self.init(String(decoding: plain, as: UTF8.self))
    }
}

extension PoolRun {
    /// How many elements a page has at the most. None asked for, or 0: as many as a page can have.
    func pageCount(_ member: String) -> Int {
        let wanted = input.integer(member) ?? 0
        return wanted > 0 ? Int(clamping: wanted) : PoolLimits.pageCountMax
    }

    /// Where the page begins that a request asks for; nil: at the beginning.
    func position(_ member: String, of list: String, _ question: String = "") throws(PoolError) -> String? {
        guard let text = input.text(member) else { return nil }
        return try PageToken(text, for: list, question, openedBy: pool.seal).position
    }

    /// The token that leads on behind a position.
    func token(behind position: String, of list: String, _ question: String = "") -> JSONValue {
        .string(PageToken(position).text(for: list, question, sealedBy: pool.seal))
    }
}

extension [MemberShape.Member] {
    /// Which page of a list.
    static let page: Self = [
        .init("Limit", .integer(0...Int64(PoolLimits.pageCountMax))),
        .init("NextToken", .text(1...131_072, .solid, isSecret: true)),
    ]
}
