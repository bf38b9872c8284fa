extension Lexer {
    /// A sign of the language: the longest that the text has here.
    mutating func scanSign(_ first: UInt16) throws(SyntaxRefusal) {
        let second = unit(at: position + 1)
        switch first {
        case 0x7B: take(.openBrace, 1)
        case 0x7D: take(.closeBrace, 1)
        case 0x28: take(.openParenthesis, 1)
        case 0x29: take(.closeParenthesis, 1)
        case 0x5B: take(.openBracket, 1)
        case 0x5D: take(.closeBracket, 1)
        case 0x3B: take(.semicolon, 1)
        case 0x2C: take(.comma, 1)
        case 0x3A: take(.colon, 1)
        case 0x7E: take(.complement, 1)
        case 0x40: take(.at, 1)
        case 0x60: take(.backquote, 1)
        case 0x2E:
            if second >= 0x30 && second <= 0x39 {
                try scanNumber()
            } else if second == 0x2E && unit(at: position + 2) == 0x2E {
                take(.ellipsis, 3)
            } else {
                take(.dot, 1)
            }
        case 0x3F:
            if second == 0x3F {
                unit(at: position + 2) == 0x3D ? take(.coalesceAssign, 3) : take(.coalesce, 2)
            } else if second == 0x2E, !(0x30...0x39).contains(unit(at: position + 2)) {
                take(.optionalDot, 2)
            } else {
                take(.question, 1)
            }
        case 0x3D:
            if second == 0x3D {
                unit(at: position + 2) == 0x3D ? take(.same, 3) : take(.equal, 2)
            } else {
                second == 0x3E ? take(.arrow, 2) : take(.assign, 1)
            }
        case 0x21:
            if second == 0x3D {
                unit(at: position + 2) == 0x3D ? take(.notSame, 3) : take(.notEqual, 2)
            } else {
                take(.not, 1)
            }
        case 0x2B: second == 0x2B ? take(.increment, 2) : takeOrAssign(.add, .addAssign, 1)
        case 0x2D: second == 0x2D ? take(.decrement, 2) : takeOrAssign(.subtract, .subtractAssign, 1)
        case 0x2A:
            second == 0x2A ? takeOrAssign(.power, .powerAssign, 2) : takeOrAssign(.multiply, .multiplyAssign, 1)
        case 0x2F: takeOrAssign(.divide, .divideAssign, 1)
        case 0x25: takeOrAssign(.remainder, .remainderAssign, 1)
        case 0x5E: takeOrAssign(.xor, .xorAssign, 1)
        case 0x26:
            second == 0x26 ? takeOrAssign(.logicalAnd, .logicalAndAssign, 2) : takeOrAssign(.and, .andAssign, 1)
        case 0x7C:
            second == 0x7C ? takeOrAssign(.logicalOr, .logicalOrAssign, 2) : takeOrAssign(.or, .orAssign, 1)
        case 0x3C:
            second == 0x3C ? takeOrAssign(.shiftLeft, .shiftLeftAssign, 2) : takeOrAssign(.less, .lessOrEqual, 1)
        case 0x3E:
            if second != 0x3E {
                takeOrAssign(.greater, .greaterOrEqual, 1)
            } else if unit(at: position + 2) == 0x3E {
                takeOrAssign(.shiftRightUnsigned, .shiftRightUnsignedAssign, 3)
            } else {
                takeOrAssign(.shiftRight, .shiftRightAssign, 2)
            }
        case 0x23:
            let start = position
            position += 1
            let spelling = try scanName(from: start)
            token.name = names.name(of: [0x23] + spelling)
            token.kind = .privateName
        default:
            throw invalidToken(at: position)
        }
    }

    private mutating func take(_ kind: TokenKind, _ length: Int) {
        token.kind = kind
        position += length
    }

    /// The sign, or the assignment that it makes with a `=` behind it.
    private mutating func takeOrAssign(_ kind: TokenKind, _ assignment: TokenKind, _ length: Int) {
        if unit(at: position + length) == 0x3D {
            take(assignment, length + 1)
        } else {
            take(kind, length)
        }
    }
}
