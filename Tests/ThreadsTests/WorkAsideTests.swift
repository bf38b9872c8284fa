import Synchronization
import Testing

@testable import Threads

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

@Suite("Work aside")
struct WorkAsideTests {
    @Test("is done on a thread of its own, once, and its value is there whenever it is asked for")
    func isDoneOnce() {
        let count = Atomic(0)
        let here = UInt(bitPattern: pthread_self().hashValue)
        let work = WorkAside {
            count.add(1, ordering: .relaxed)
            return UInt(bitPattern: pthread_self().hashValue)
        }
        #expect(work.value != here)
        #expect(work.value == work.value)
        #expect(count.load(ordering: .relaxed) == 1)
    }

    @Test("that is not worth a thread is done when it is asked for")
    func isDoneLater() {
        let count = Atomic(0)
        let work = WorkAside(isWorthwhile: false) { count.add(1, ordering: .relaxed).newValue }
        #expect(count.load(ordering: .relaxed) == 0)
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
