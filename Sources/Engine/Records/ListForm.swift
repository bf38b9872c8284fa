import GraphQL

/// What the schema allows in a column of lists, which are kept as compact JSON.
final class ListForm: Sendable {
    /// What an element is that is not null.
    private let element: LeafKind
    private let mayHoldNull: Bool

    init(of element: LeafKind, mayHoldNull: Bool) {
        self.element = element
        self.mayHoldNull = mayHoldNull
    }

    /// Returns whether a list may go into a response as it is stored. One that is not surely so is taken apart.
    ///
    /// Hot path: looks at each byte once.
    func allows(_ list: UnsafeRawBufferPointer) -> Bool {
        guard list.count >= 2, list[0] == UInt8(ascii: "["), list[list.count - 1] == UInt8(ascii: "]") else {
            return false
        }
        let list = UnsafeRawBufferPointer(rebasing: list[1..<(list.count - 1)])
        var place = 0
        while place < list.count {
            let end = list[place] == UInt8(ascii: "\"") ? endOfText(list, from: place) : endOfWord(list, from: place)
            guard let end else { return false }
            // Behind the last element there is nothing, behind each other one a comma and the next.
            guard end < list.count else { return true }
            guard list[end] == UInt8(ascii: ","), end + 1 < list.count else { return false }
            place = end + 1
        }
        return list.isEmpty
    }

    /// Where a text that may be there ends.
    private func endOfText(_ list: UnsafeRawBufferPointer, from start: Int) -> Int? {
        var place = start + 1
        while place < list.count {
            switch list[place] {
            case UInt8(ascii: "\""):
                switch element {
                case .text: return place + 1
                case .form(let form):
                    return form.allows(UnsafeRawBufferPointer(rebasing: list[(start + 1)..<place])) ? place + 1 : nil
                default: return nil
                }
            case UInt8(ascii: "\\"):
                // What it stands for is looked at where the list is taken apart.
                guard case .text = element else { return nil }
                place += 2
            default: place += 1
            }
        }
        return nil
    }

    /// Where a number, true, false or null that may be there ends.
    private func endOfWord(_ list: UnsafeRawBufferPointer, from start: Int) -> Int? {
        var end = start
        while end < list.count, list[end] != UInt8(ascii: ",") { end += 1 }
        let word = UnsafeRawBufferPointer(rebasing: list[start..<end])
        let isAllowed =
            switch element {
            case .integer(let form): Self.integer(word).map(form.allows) ?? false
            case .real: Self.isNumber(word)
            case .boolean: word.elementsEqual("true".utf8) || word.elementsEqual("false".utf8)
            default: false
            }
        return isAllowed || mayHoldNull && word.elementsEqual("null".utf8) ? end : nil
    }

    /// An integer of up to eighteen digits.
    private static func integer(_ word: UnsafeRawBufferPointer) -> Int64? {
        let isNegative = word.first == UInt8(ascii: "-")
        let digits = word.dropFirst(isNegative ? 1 : 0)
        guard (1...18).contains(digits.count) else { return nil }
        var integer: Int64 = 0
        for byte in digits {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
            integer = integer * 10 + Int64(byte - UInt8(ascii: "0"))
        }
        return isNegative ? -integer : integer
    }

    /// JSON that begins as a number is one.
    private static func isNumber(_ word: UnsafeRawBufferPointer) -> Bool {
        guard let first = word.first else { return false }
        return first == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
    }
}
