/// Numbers for names, given in the order in which they are first met. Parsing fills it, and running goes on with it,
/// because programs make names too (`object[text]`). It belongs to one thread at a time.
package final class NameTable {
    private var spellings: [[UInt16]] = []
    private var numbers: [[UInt16]: Int32] = [:]

    package init() {
        for spelling in WellKnownName.allCases {
            _ = name(of: Array(spelling.rawValue.utf16))
        }
    }

    /// The name that is spelled like this; a new one where there was none.
    package func name(of units: [UInt16]) -> Name {
        if let number = numbers[units] { return Name(number: number) }
        let number = Int32(truncatingIfNeeded: spellings.count)
        spellings.append(units)
        numbers[units] = number
        return Name(number: number)
    }

    package func name(of text: String) -> Name {
        name(of: Array(text.utf16))
    }

    /// How a name is spelled. A name of another table spells nothing.
    package func units(of name: Name) -> [UInt16] {
        let index = Int(name.number)
        return spellings.indices.contains(index) ? spellings[index] : []
    }

    package func text(of name: Name) -> String {
        String(decoding: units(of: name), as: UTF16.self)
    }
}
