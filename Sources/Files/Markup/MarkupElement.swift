/// An element of a request's XML, by the part of its name behind the prefix.
struct MarkupElement: Sendable {
    let name: String
    /// What stands in it directly, references replaced.
    var text = ""
    var children: [MarkupElement] = []

    /// Its text, where no other element is in it.
    func leaf() throws(FileError) -> String {
        guard children.isEmpty else { throw Self.unexpected("elements in \(name)") }
        return text
    }

    /// Its elements, where no text is between them.
    func members() throws(FileError) -> [MarkupElement] {
        guard text.utf8.allSatisfy(MarkupReader.isBlank) else { throw Self.unexpected("text in \(name)") }
        return children
    }

    /// Its text as a number that is written in digits alone.
    func number() throws(FileError) -> Int {
        let digits = Array(try leaf().utf8.drop(while: MarkupReader.isBlank))
        let end = digits.lastIndex { !MarkupReader.isBlank($0) }.map { $0 + 1 } ?? 0
        guard (1...10).contains(end), digits[..<end].allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw Self.unexpected("no number in \(name)")
        }
        return digits[..<end].reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// Its text as `true` or `false`.
    func boolean() throws(FileError) -> Bool {
        let text = try leaf()
        if ["true", "True", "TRUE", "1"].contains(text) { return true }
        if ["false", "False", "FALSE", "0"].contains(text) { return false }
        throw Self.unexpected("neither true nor false in \(name)")
    }

    static func unexpected(_ what: String) -> FileError { .malformedXML.because(what) }
}
