/// An expression of the text whose value is called, constructed, taken apart or gone through, for the message where that fails.
struct Callee {
    enum Use {
        case value
        /// Its elements are taken: by a loop, a list or a pattern.
        case iterated
        /// The last argument of a call, spread.
        case spread
    }

    let expression: Expression
    let use: Use
}
