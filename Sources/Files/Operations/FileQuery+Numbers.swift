extension FileQuery {
    /// The value of a parameter that is a number in a range; beyond its end it is the end.
    func number(_ name: String, _ range: ClosedRange<Int>) throws(FileError) -> Int? {
        try self[name].map { text throws(FileError) in try Self.number(text, of: name, range) }
    }

    /// The same of a text that stands elsewhere.
    static func number(_ text: String, of name: String, _ range: ClosedRange<Int>) throws(FileError) -> Int {
        let digits = text.utf8
        guard !digits.isEmpty, digits.count <= 10, digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int(text), number >= range.lowerBound
        else {
            throw FileError.invalidArgument("Provided \(name) not an integer or within integer range")
                .with("ArgumentName", name).with("ArgumentValue", text)
        }
        return min(number, range.upperBound)
    }
}
