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
