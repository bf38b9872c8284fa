import TestSupport
import Testing

@testable import Access

@Suite("What is remembered of callers, at random")
struct GenerationCacheFuzzTests {
    @Test("is what was said last, until it ends and never after")
    func againstADictionary() {
        var random = SeededRandom(test: "GenerationCacheFuzzTests")
        var kept = 0
        for _ in 0..<Fuzz.rounds(ordinarily: 100) {
            let countMax = Int.random(in: 1...12, using: &random)
            var cache = GenerationCache<Int>(countMax: countMax)
            var said: [String: (value: Int, expires: Int64)] = [:]
            var now: Int64 = 0
            for step in 0..<300 {
                let key = "\(Int.random(in: 0..<2 * countMax, using: &random))"
                switch Int.random(in: 0..<8, using: &random) {
                case 0: now += Int64.random(in: 0...5, using: &random)
                case 1...3:
                    let expires = now + Int64.random(in: -1...8, using: &random)
                    cache.insert(step, for: key, expires: expires)
                    said[key] = (step, expires)
                default:
                    // It may have forgotten anything, but knows nothing that has ended or was replaced.
                    guard let value = cache.value(of: key, now: now) else { continue }
                    kept += 1
                    #expect(value == said[key]?.value)
                    #expect(now < said[key]?.expires ?? .min)
                }
                #expect(cache.count <= max(countMax, 2))
            }
        }
        #expect(kept > 0)
    }

    @Test("ends on its day in either generation")
    func ends() {
        for others in 0...5 {
            var cache = GenerationCache<Int>(countMax: 10)
            cache.insert(1, for: "a", expires: 10)
            for other in 0..<others { cache.insert(other, for: "other \(other)", expires: 100) }
            #expect(cache.value(of: "a", now: 9) == 1, "\(others)")
            var copy = cache
            for other in 0..<others { copy.insert(other, for: "another \(other)", expires: 100) }
            #expect(copy.value(of: "a", now: 10) == nil, "\(others)")
            #expect(cache.value(of: "a", now: 10) == nil, "\(others)")
            cache.insert(2, for: "a", expires: 20)
            #expect(cache.value(of: "a", now: 10) == 2)
        }
    }
}
