extension Document {
    /// The document as text, ending in a line break.
    package var printed: String { String(decoding: printedBytes, as: UTF8.self) }

    /// The document as UTF-8 text, ending in a line break.
    package var printedBytes: [UInt8] {
        var printer = Printer()
        printer.print(self)
        return printer.buffer
    }
}

extension Definition {
    /// The definition as text.
    package var printed: String {
        var printer = Printer()
        printer.print(self)
        return String(decoding: printer.buffer, as: UTF8.self)
    }
}

extension Value {
    /// The value as a document writes it.
    package var printed: String {
        var printer = Printer()
        printer.print(self)
        return String(decoding: printer.buffer, as: UTF8.self)
    }
}

extension Sequence<SelectionSet> {
    /// All that is selected, as AppSync tells resolvers of it: one block of what stands there, with its fragments. Empty where
    /// nothing is.
    package var printed: String {
        let selections = flatMap { Array($0) }
        guard !selections.isEmpty else { return "" }
        var printer = Printer(isTight: true)
        printer.block(selections) { $0.print($1) }
        return String(decoding: printer.buffer, as: UTF8.self)
    }
}
