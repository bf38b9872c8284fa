extension String {
    /// The least text that is greater than every text which begins with this one, in the order of bytes; nil where there is none.
    package var endOfPrefix: String? {
        var scalars = Array(unicodeScalars)
        while let last = scalars.popLast() {
            // Behind the last scalar before the surrogates comes the first one behind them.
            guard let next = Unicode.Scalar(last.value == 0xD7FF ? 0xE000 : last.value + 1) else { continue }
            var end = String.UnicodeScalarView()
            end.append(contentsOf: scalars)
            end.append(next)
            return String(end)
        }
        return nil
    }
}
