/// A number and what it counts, as a person writes it.
enum Counted {
    static func text(_ count: Int, _ noun: String) -> String {
        count == 1 ? "1 \(noun)" : "\(ProgressBar.grouped(count)) \(noun)s"
    }
}
