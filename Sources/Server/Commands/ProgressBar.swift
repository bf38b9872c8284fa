import Glibc
import Network

/// A line on the terminal that says how far a command is, written over and over. Elsewhere than on a terminal it says
/// nothing.
final class ProgressBar {
    private let isShown: Bool
    private let noun: String
    private let started = MonotonicTime.now
    private var drawn: MonotonicTime?

    private static let barWidth = 24
    private static let intervalMilliseconds = 100

    /// `noun` is what is counted.
    init(_ noun: String) {
        self.noun = noun
        isShown = isatty(2) == 1
    }

    /// Draws it, unless it was drawn a moment ago.
    func show(count: Int, part: Double?) {
        guard isShown else { return }
        let now = MonotonicTime.now
        if let drawn, now.nanoseconds(since: drawn) < UInt64(Self.intervalMilliseconds) * 1_000_000 { return }
        drawn = now
        let seconds = Double(now.nanoseconds(since: started)) / 1e9
        Self.write("\r\(Self.text(count: count, noun: noun, part: part, seconds: seconds))\u{1B}[K")
    }

    /// Takes it away, so that what follows starts a line.
    func clear() {
        if isShown, drawn != nil { Self.write("\r\u{1B}[K") }
    }

    /// `[████████                ]  33 %  1,200,000 records  98,000/s  24 s left`, without what is not known.
    static func text(count: Int, noun: String, part: Double?, seconds: Double) -> String {
        var words: [String] = []
        if let part {
            let known = min(max(part, 0), 1)
            let full = Int(known * Double(barWidth))
            let percent = String(Int(known * 100))
            words.append(
                "[" + String(repeating: "█", count: full) + String(repeating: " ", count: barWidth - full) + "]")
            words.append(String(repeating: " ", count: 3 - percent.count) + percent + " %")
        }
        words.append("\(grouped(count)) \(noun)")
        if seconds >= 0.5 {
            words.append("\(grouped(Int(Double(count) / seconds)))/s")
            if let part, part > 0.01, part < 1 { words.append(duration(seconds * (1 - part) / part) + " left") }
        }
        return words.joined(separator: "  ")
    }

    /// A number with a comma between thousands.
    static func grouped(_ number: Int) -> String {
        let digits = Array(String(number).utf8)
        var text: [UInt8] = []
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text.append(UInt8(ascii: ",")) }
            text.append(digit)
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func duration(_ seconds: Double) -> String {
        let whole = Int(min(seconds, 1e9).rounded(.up))
        if whole < 60 { return "\(whole) s" }
        if whole < 3600 { return "\(whole / 60) min" }
        return "\(whole / 3600) h \(whole / 60 % 60) min"
    }

    private static func write(_ text: String) {
        Array(text.utf8).withUnsafeBytes { bytes in _ = Glibc.write(2, bytes.baseAddress, bytes.count) }
    }
}
