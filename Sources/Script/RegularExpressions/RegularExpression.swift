/// A regular expression of the language, ready to be matched as often as wanted: the object `RegExp` without its properties.
/// `lastIndex` and what `g` and `y` mean belong to that object.
package struct RegularExpression: Sendable {
    package let flags: RegularExpressionFlags
    package let groupCount: Int
    /// The names of groups, from left to right.
    package let groupNames: [(name: [UInt16], index: Int)]
    private let program: RegularExpressionProgram

    package init(pattern: [UInt16], flags: RegularExpressionFlags) throws(RegularExpressionSyntaxError) {
        var parser = RegularExpressionParser(pattern: pattern, flags: flags)
        let (node, references) = try parser.parse()
        guard
            let program = RegularExpressionCompiler.program(
                node, flags: flags, references: references, groupCount: parser.groupCount)
        else { throw parser.failure(.tooLarge) }
        self.flags = flags
        self.program = program
        groupCount = parser.groupCount
        groupNames = parser.groupNames
    }

    /// The match that begins at `index`: two offsets for the whole and for each group, -1 where a group took no part.
    package func match(
        _ units: UnsafeBufferPointer<UInt16>, at index: Int, steps: inout Int
    ) throws(RegularExpressionError) -> [Int]? {
        try search(units, from: index, isSticky: true, steps: &steps)
    }

    /// The first match that begins at `index` or behind it.
    package func firstMatch(
        in units: UnsafeBufferPointer<UInt16>, from index: Int, steps: inout Int
    ) throws(RegularExpressionError) -> [Int]? {
        try search(units, from: index, isSticky: false, steps: &steps)
    }

    private func search(
        _ units: UnsafeBufferPointer<UInt16>, from index: Int, isSticky: Bool, steps: inout Int
    ) throws(RegularExpressionError) -> [Int]? {
        guard index >= 0, index <= units.count else { return nil }
        guard units.count <= RegularExpressionLimits.textUnits else { throw .tooManySteps }
        return try program.instructions.withUnsafeBufferPointer { instructions throws(RegularExpressionError) in
            try program.memberships.withUnsafeBufferPointer { memberships throws(RegularExpressionError) in
                try program.bounds.withUnsafeBufferPointer { bounds throws(RegularExpressionError) in
                    var matcher = RegularExpressionMatcher(
                        units: units, instructions: instructions, memberships: memberships, bounds: bounds,
                        program: program, steps: steps)
                    defer {
                        steps = matcher.steps
                        matcher.release()
                    }
                    return try matcher.search(from: index, isSticky: isSticky)
                }
            }
        }
    }
}
