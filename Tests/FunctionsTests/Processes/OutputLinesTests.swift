import Network
import Testing

@testable import Functions

@Suite("Lines of output")
struct OutputLinesTests {
    private static func lines(_ lines: inout OutputLines, _ text: String, second: Int = 1) -> [String] {
        Array(text.utf8).withUnsafeBytes {
            lines.append($0, now: MonotonicTime(nanoseconds: 0).advanced(byMilliseconds: second * 1_000))
        }
    }

    @Test("lines come when they are complete, however they are cut")
    func cuts() {
        let text = "one\r\ntwo\n\nthree é\nfour"
        for size in 1...text.utf8.count {
            var output = OutputLines()
            var said: [String] = []
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                said += Array(rest.prefix(size)).withUnsafeBytes { output.append($0, now: .now) }
                rest = rest.dropFirst(size)
            }
            #expect(said + output.finish() == ["one", "two", "three é", "four"])
        }
    }

    @Test("a long line comes in pieces")
    func long() {
        var output = OutputLines()
        let said = Self.lines(&output, String(repeating: "x", count: 2 * RuntimeLimits.lineBytesMax + 1) + "\n")
        #expect(said.map(\.utf8.count) == [RuntimeLimits.lineBytesMax, RuntimeLimits.lineBytesMax, 1])
    }

    @Test("a second has its share, and what is more is counted")
    func floods() {
        var output = OutputLines()
        let line = String(repeating: "x", count: 1_023) + "\n"
        let flood = String(repeating: line, count: RuntimeLimits.outputBytesPerSecond / 1_023 + 10)
        let said = Self.lines(&output, flood)
        #expect(said.reduce(0) { $0 + $1.utf8.count } == RuntimeLimits.outputBytesPerSecond)
        let next = Self.lines(&output, "on\n", second: 2)
        #expect(next.count == 2 && next[0].contains("bytes of output were left out") && next[1] == "on")
    }
}
