import Testing

@testable import Script

@Suite("Lists in order")
struct SortTests {
    /// Each was printed by V8.
    static let programs: [(String, [String])] = [
        (
            "const asked = []; const r = [3, 1, 2, 5, 4].sort((a, b) => (asked.push(a + '' + b), a - b)); console.log(r.join(), asked.join())",
            ["1,2,3,4,5 13,21,23,21,52,53,43,45"]
        ),
        (
            "const asked = []; [1, 2, 3].toSorted((a, b) => (asked.push(a + '' + b), a - b)); console.log(asked.join())",
            ["21,32"]
        ),
        (
            "const l = ['b1', 'a1', 'b2', 'a2', 'b3', 'a3'].sort((a, b) => a[0] < b[0] ? -1 : 1); console.log(l.join())",
            ["a1,a2,a3,b1,b2,b3"]
        ),
        (
            "console.log([2, 1, 3].sort(() => 1).join(), [2, 1, 3].sort(() => -1).join(), [2, 1, 3].sort(() => NaN).join())",
            ["2,1,3 3,1,2 2,1,3"]
        ),
        (
            "console.log([5, , undefined, 1].sort((a, b) => a - b).map(String).join(), [[2, 'a'], [1, 'b'], [2, 'c'], [1, 'd']].sort((a, b) => a[0] - b[0]).join())",
            ["1,5,undefined, 1,b,1,d,2,a,2,c"]
        ),
        (
            "const l = Array.from({ length: 200 }, (_, i) => [i * 37 % 10, i]).sort((a, b) => a[0] - b[0]); console.log(l.every((v, i) => !i || l[i - 1][0] < v[0] || l[i - 1][0] === v[0] && l[i - 1][1] < v[1]))",
            ["true"]
        ),
        (
            "console.log([undefined, Object.create(null)].toSorted().length, [Symbol.iterator].sort().length, [, Symbol.iterator].sort((a, b) => a - b).length)",
            ["2 1 2"]
        ),
    ]

    @Test("a comparison is asked what V8 asks it, and equal values stay as they were", arguments: programs)
    func prints(_ program: String, _ expected: [String]) {
        #expect(ProgramOutput.of(program) == expected)
    }
}
