import Testing

@testable import Script

@Suite("Lists")
struct ArrayTests {
    /// A list-like object that writes down which indices are read.
    private static let watched =
        "const read = []; const w = (...v) => { const o = { length: v.length }; v.forEach((x, i) => Object.defineProperty(o, i, { get() { read.push(i); return x }, set() { }, configurable: true })); return o }; "

    static let programs: [(String, [String])] = [
        ("[].toReversed.call(w(1, 2, 3)); console.log(read.join())", ["2,1,0"]),
        ("console.log([].with.call(w(1, 2, 3), 1, 9).join(), read.join())", ["1,9,3 0,2"]),
        ("console.log([].with.call(w(1, 2, 3), -1, 9).join(), read.join())", ["1,2,9 0,1"]),
        ("console.log([].toSpliced.call(w(1, 2, 3, 4), 1, 2, 'x').join(), read.join())", ["1,x,4 0,3"]),
        (
            "const o = { length: 2 ** 53 + 9, [2 ** 53 - 2]: 'z' }; console.log([].toSpliced.call(o, 0, 2 ** 53 - 2).join())",
            ["z"]
        ),
        ("[].copyWithin.call(w(1, 2, 3), 0, 0); console.log(read.join())", ["0,1,2"]),
        ("[].copyWithin.call(w(1, 2, 3, 4), 2, 0, 2); console.log(read.join())", ["0,1"]),
        ("[].copyWithin.call(w(1, 2, 3, 4), 1, 0); console.log(read.join())", ["2,1,0"]),
        (
            "console.log([1, 2, 3, 4, 5].copyWithin(1, 0, 3).join(), [1, 2, 3, 4, 5].copyWithin(0, 2).join())",
            ["1,1,2,3,5 3,4,5,4,5"]
        ),
        ("[].splice.call(w(1, 2, 3), 0, 1, 'x'); console.log(read.join())", ["0"]),
        (
            "console.log([].toString.call(true), [].toString.call({}), [].toString.call({ join: 1, [Symbol.toStringTag]: 'T' }), [].toString.call(() => 1))",
            ["[object Boolean] [object Object] [object T] [object Function]"]
        ),
    ]

    @Test("their methods read what the language says, in its order", arguments: programs)
    func prints(_ program: String, _ expected: [String]) {
        #expect(ProgramOutput.of(Self.watched + program) == expected)
    }
}
