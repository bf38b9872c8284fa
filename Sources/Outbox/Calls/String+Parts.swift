extension StringProtocol {
    /// The parts between such bytes, as they are: what follows one never becomes a letter with it.
    func parts(at separator: Unicode.Scalar, keepingEmpty: Bool = false) -> [String] {
        utf8.split(separator: UInt8(ascii: separator), omittingEmptySubsequences: !keepingEmpty)
            .map { String(decoding: $0, as: UTF8.self) }
    }
}
