import Testing

@testable import Script

@Suite("The time of a program")
struct RunDeadlineTests {
    private static let millisecond: Int64 = 1_000_000

    @Test("a program ends by what its thread has had, however much time passes")
    func busy() {
        var deadline = RunDeadline(milliseconds: 20, at: 0)
        var asked = 0
        func isOver(_ passed: Int64, has had: Int64, on thread: UInt = 1) -> Bool {
            deadline.isOver(at: passed * Self.millisecond) {
                asked += 1
                return .init(thread: thread, nanoseconds: had * Self.millisecond)
            }
        }
        #expect(!isOver(1, has: 100))
        // As long as less has passed than it may take, nobody asks.
        for passed in 2...20 { #expect(!isOver(Int64(passed), has: 120)) }
        #expect(asked == 1)
        // The machine was busy: of a minute the thread has had 15 ms.
        #expect(!isOver(60_000, has: 115) && asked == 2)
        #expect(!isOver(60_004, has: 119) && asked == 2)
        #expect(isOver(60_006, has: 121))
    }

    @Test("where another thread goes on, what the first has had counts")
    func threads() {
        var deadline = RunDeadline(milliseconds: 20, at: 0)
        func isOver(_ passed: Int64, has had: Int64, on thread: UInt) -> Bool {
            deadline.isOver(at: passed * Self.millisecond) {
                .init(thread: thread, nanoseconds: had * Self.millisecond)
            }
        }
        #expect(!isOver(1, has: 0, on: 1))
        #expect(!isOver(25, has: 12, on: 1))
        #expect(!isOver(40, has: 9_000, on: 2))
        #expect(!isOver(50, has: 9_007, on: 2))
        #expect(isOver(60, has: 9_009, on: 2))
    }
}
