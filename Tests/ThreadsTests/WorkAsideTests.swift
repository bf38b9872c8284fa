import Synchronization
import Testing

@testable import Threads

@Suite("Work aside")
struct WorkAsideTests {
    @Test("is done once, and its value is there whenever it is asked for")
    func isDoneOnce() {
        let count = Atomic(0)
        let work = WorkAside { count.add(1, ordering: .relaxed).newValue }
        #expect(work.value == work.value)
        let times = count.load(ordering: .relaxed)
        #expect(times == 1)
    }

    @Test("that is not worth a thread is done when it is asked for")
    func isDoneLater() {
        let count = Atomic(0)
        let work = WorkAside(isWorthwhile: false) { count.add(1, ordering: .relaxed).newValue }
        let early = count.load(ordering: .relaxed)
        #expect(early == 0)
        #expect(work.value == 1)
        #expect(work.value == 1)
    }

    @Test("has the memory of its thread, many times over")
    func allocates() {
        for round in 0..<50 {
            let work = (0..<4).map { part in
                WorkAside { (0..<200).map { [UInt8](repeating: UInt8(part), count: $0) } }
            }
            for (part, work) in work.enumerated() {
                #expect(work.value.count == 200 && work.value.last?.first == UInt8(part), "round \(round)")
            }
        }
    }
}
