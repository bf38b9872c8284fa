/// Cuts a template into tokens, the longest one at each place, in the states of Velocity's grammar.
///
/// What a piece of a template is depends on where it stands, and the states stand on a stack: `$a.b("$c")#end` goes through five of
/// them. The parser takes tokens one by one and changes the state when it has found a directive, so nothing is cut before it is asked for.
struct TemplateLexer {
    enum State: UInt8 {
        case text
        /// Behind `$` and a name; behind a dot; within a method's parentheses; within an index.
        case reference, member, arguments, index
        /// Behind `#`; within a directive's parentheses.
        case mark, directive
        case lineComment, documentComment, comment, unparsed
    }

    private struct Frame {
        let state: State
        let opened: Int
        let closed: Int
    }

    let bytes: [UInt8]
    /// What stands next.
    var place = 0
    /// `#set` has begun; the parser says where it ends.
    var isInSet = false
    private(set) var state = State.text
    private var frames: [Frame] = []
    /// Parentheses of this state.
    private var opened = 0
    private var closed = 0
    private var isInComment = false

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The next token.
    mutating func next() throws(TemplateFault) -> TemplateToken {
        var marks: [UInt8] = []
        var start = place
        while true {
            guard place < bytes.count else {
                // A mark as the last thing of a template begins something that does not come.
                guard start == place else { throw TemplateFault("The template ends behind a mark.", at: start) }
                return TemplateToken(kind: .end, start: place, end: place, marks: marks)
            }
            guard var match = longestMatch() else {
                throw TemplateFault(
                    "Encountered \(Self.described(bytes[place])), which stands for nothing here.", at: place)
            }
            place += match.length
            act(on: &match)
            switch match.kind {
            case .more: continue
            case .skipped:
                start = place
            case .terminator:
                marks += Self.marks(of: bytes[start..<min(place + 1, bytes.count)])
                start = place
            case .dot:
                // A mark right before a dot is lost.
                return TemplateToken(kind: .dot, start: place - 1, end: place, marks: marks)
            default:
                return TemplateToken(kind: match.kind, start: start, end: place, marks: marks)
            }
        }
    }

    /// The parser knows the word behind `#`, and that parentheses may follow.
    mutating func enterDirective() {
        state = .directive
    }

    mutating func leaveDirective() {
        pop()
    }

    /// Whether a parenthesis opens here, behind blanks.
    var standsBeforeParenthesis: Bool {
        var index = place
        while index < bytes.count, Self.isSpace(bytes[index]) { index += 1 }
        return index < bytes.count && bytes[index] == UInt8(ascii: "(")
    }

    // MARK: - The stack

    private mutating func push(_ next: State) {
        frames.append(Frame(state: state, opened: opened, closed: closed))
        opened = 0
        state = next
    }

    @discardableResult
    private mutating func pop() -> Bool {
        guard let frame = frames.popLast() else {
            opened = 0
            state = .text
            return false
        }
        (state, opened, closed) = (frame.state, frame.opened, frame.closed)
        return true
    }

    /// A parenthesis closes the state that opened one.
    private mutating func closeParenthesis() {
        guard !isInComment else { return }
        while opened == 0 {
            guard pop() else { return }
        }
        if opened == closed + 1 { pop() } else { closed += 1 }
    }

    // MARK: - What tokens do

    private mutating func act(on match: inout Match) {
        switch match.action {
        case .none: break
        case .dollar:
            guard !isInComment else { return }
            if state == .reference { pop() }
            push(.reference)
        case .hash:
            guard !isInComment else { return }
            if state == .reference || state == .member { pop() }
            push(.mark)
        case .lineComment:
            guard !isInComment else { return }
            if state == .reference { pop() }
            begin(.lineComment)
        case .documentComment:
            guard !isInComment else { return }
            place -= 1
            begin(.documentComment)
        case .comment: if !isInComment { begin(.comment) }
        case .unparsed: if !isInComment { begin(.unparsed) }
        case .commentEnd:
            isInComment = false
            pop()
        case .set:
            guard !isInComment else { return }
            push(.directive)
            isInSet = true
            opened += 1
        case .openIndex: push(.index)
        case .pop: pop()
        case .open:
            if !isInComment { opened += 1 }
            if state == .member { state = .arguments }
        case .close: closeParenthesis()
        case .endArguments: state = .reference
        case .enterDirective: state = .directive
        case .literal:
            if state == .directive, !isInSet, opened == 0 { pop() }
        case .number:
            if match.endsInDots { place -= 2 }
            if opened == 0, !isInSet, state != .arguments, state != .index { pop() }
        case .dot:
            place -= 1
            state = .member
        case .terminator:
            place -= 1
            pop()
        }
    }

    private mutating func begin(_ comment: State) {
        push(comment)
        isInComment = true
    }

    // MARK: - Words for people

    private static func described(_ byte: UInt8) -> String {
        (0x21...0x7E).contains(byte) ? "\"\(Character(UnicodeScalar(byte)))\"" : "the byte \(byte)"
    }

    /// Of something that was none after all, the marks `#` and `$`, and backslashes before a `$`, are text.
    private static func marks(of image: ArraySlice<UInt8>) -> [UInt8] {
        var marks: [UInt8] = []
        var index = image.startIndex
        while index < image.endIndex {
            switch image[index] {
            case UInt8(ascii: "#"), UInt8(ascii: "$"): marks.append(image[index])
            case UInt8(ascii: "\\"):
                let end = image[index...].firstIndex { $0 != UInt8(ascii: "\\") } ?? image.endIndex
                if end < image.endIndex, image[end] == UInt8(ascii: "$") {
                    marks += image[index...end]
                    index = end + 1
                }
            default: break
            }
            index += 1
        }
        return marks
    }
}
