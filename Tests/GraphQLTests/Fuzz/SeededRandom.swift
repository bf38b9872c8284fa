import TestSupport

extension SeededRandom {
    /// True once in so many times.
    mutating func chance(_ times: Int) -> Bool { Int.random(in: 0..<times, using: &self) == 0 }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &self)]
    }

    /// As many elements as chance gives, up to a limit.
    mutating func some<Element>(_ limit: Int, _ make: (inout SeededRandom) -> Element) -> [Element] {
        (0..<Int.random(in: 0...limit, using: &self)).map { _ in make(&self) }
    }
}
