import Testing

@testable import Script

@Suite("The time of a program")
struct RunDeadlineTests {
    private static let millisecond: Int64 = 1_000_000

    @Test("a program ends by what its thread has had, on a busy machine too")
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
        // The machine was busy: of 90 ms the thread has had 15.
        #expect(!isOver(90, has: 115) && asked == 2)
        #expect(!isOver(94, has: 119) && asked == 2)
        #expect(isOver(96, has: 121))
    }

    @Test("a program whose thread gets nothing ends too")
    func starved() {
        var deadline = RunDeadline(milliseconds: 20, at: 0)
        func isOver(_ passed: Int64) -> Bool {
            deadline.isOver(at: passed * Self.millisecond) { .init(thread: 1, nanoseconds: 0) }
        }
        for passed in 1...100 { #expect(!isOver(Int64(passed))) }
        #expect(isOver(101))
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
