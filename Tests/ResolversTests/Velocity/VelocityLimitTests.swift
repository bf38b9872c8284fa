import JSON
import Testing

@testable import Resolvers

@Suite("Limits of mapping templates")
struct VelocityLimitTests {
    private func failure(_ template: String, _ change: (inout ResolverLimits) -> Void = { _ in }) -> String? {
        var limits = ResolverLimits()
        change(&limits)
        guard let code = try? ResolverCode(template: template, response: nil) else { return "refused" }
        guard case .failed(let error) = code.run(.request, ResolverContext(), limits: limits).end else { return nil }
        #expect(error.isFault)
        #expect(error.type == "MappingTemplate")
        return error.message
    }

    @Test("a template has at most 64 KB")
    func bytes() {
        #expect(throws: Never.self) {
            try ResolverCode(template: String(repeating: " ", count: 64 << 10), response: nil)
        }
        #expect(throws: ResolverCodeError.self) {
            try ResolverCode(template: nil, response: String(repeating: " ", count: 64 << 10 | 1))
        }
    }

    @Test("blocks and arguments are nested at most so deep")
    func syntaxNesting() {
        func nested(_ count: Int) -> String {
            String(repeating: "#if(true)", count: count) + String(repeating: "#end", count: count)
        }
        #expect(failure(nested(100)) == nil)
        #expect(failure(nested(1_000)) == "refused")
        for (open, close) in [("[", "]"), ("(", ")"), ("!", ""), ("$a.b([$c.d(", "1)])"), ("{1:", "}")] {
            let text = String(repeating: open, count: 3_000) + "1" + String(repeating: close, count: 3_000)
            #expect(failure("#set($x = \(text))") == "refused", "\(open)")
        }
    }

    @Test("a loop takes at most 1,000 turns")
    func turns() {
        #expect(failure("#foreach($x in [1..1000])#end") == nil)
        #expect(failure("#foreach($x in [1..1001])#end")?.hasPrefix("A loop has taken more than 1000 turns") == true)
    }

    @Test("a template takes at most so many steps")
    func steps() {
        let template = "#foreach($x in [1..100])#foreach($y in [1..100])#set($z = $x + $y)#end#end"
        #expect(failure(template) == nil)
        #expect(
            failure(template) { $0.stepsMax = 10_000 }?.hasPrefix("The template has taken more than 10000 steps")
                == true)
    }

    @Test("a template runs at most so long")
    func time() {
        let template = "#foreach($x in [1..1000])#foreach($y in [1..1000])#set($z = $x + $y)#end#end"
        let message = failure(template) {
            $0.milliseconds = 20
            $0.stepsMax = .max / 2
        }
        #expect(message?.hasPrefix("The template has run for more than 20 milliseconds") == true)
    }

    @Test("values hold at most so much")
    func memory() {
        let doubled = "#set($s = 'aaaaaaaa')#foreach($x in [1..40])#set($s = \"$s$s\")#end"
        #expect(failure(doubled) != nil)
        let list = "#set($l = [1])#foreach($x in [1..40])#set($q = $l.addAll($l))#end"
        #expect(failure(list)?.hasPrefix("The template's values hold more than") == true)
        #expect(failure("#set($s = 'a')$s.repeat(2147483647)") != nil)
        #expect(failure("#foreach($x in [1..2147483647])#end") != nil)
        #expect(failure("#set($r = [-2147483648..2147483647])") != nil)
    }

    @Test("what is printed, answered and stashed has at most so many bytes")
    func resultBytes() {
        let printed = "\"#foreach($x in [1..1000])aaaaaaaaaa#end\""
        #expect(failure(printed) == nil)
        #expect(failure(printed) { $0.resultBytesMax = 10_000 }?.hasPrefix("The template prints more than") == true)
        let whole = "#set($l = [1..1000])$util.toJson($l)"
        #expect(failure(whole) { $0.resultBytesMax = 100 } != nil)
        #expect(failure("$util.toJson([1..1000])") { $0.resultBytesMax = 100 } != nil)
        #expect(failure("#return([1..1000])") { $0.resultBytesMax = 100 } != nil)
        #expect(failure("$util.qr($ctx.stash.put('l', [1..1000])){}") { $0.resultBytesMax = 100 } != nil)
    }

    @Test("values are nested at most so deep")
    func nesting() {
        let chain = "#set($l = [])#foreach($x in [1..200])#set($l = [$l])#end"
        #expect(failure(chain) == nil)
        for use in [
            "$l", "$util.toJson($l)", "$l.hashCode()", "$util.dynamodb.toDynamoDBJson($l)",
        ] {
            #expect(failure(chain + use) != nil, "\(use)")
        }
        let json = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
        #expect(failure(json)?.hasPrefix("Unable to parse the JSON document") == true)
        #expect(failure("$util.isNull($util.parseJson('\(json)'))") == nil)
    }

    @Test("a list in itself is a fault, and is released")
    func cycles() {
        for use in ["$l", "$util.toJson($l)", "$l.hashCode()", "#return($l)"] {
            #expect(failure("#set($l = [1])$util.qr($l.add($l))" + use) != nil, "\(use)")
        }
        #expect(failure("$util.qr($ctx.stash.put('s', $ctx.stash)){}") != nil)
        #expect(failure("#define($d)$d#end$d")?.hasPrefix("The template goes more than") == true)
    }

    @Test("a long chain of lists is released without a deep stack")
    func chains() {
        let template = """
            #set($l = [])#set($first = $l)
            #foreach($x in [1..1000])#foreach($y in [1..200])#set($n = [])#set($q = $l.add($n))#set($l = $n)#end#end
            """
        #expect(failure(template) { $0.milliseconds = 60_000 } == nil)
    }

    @Test("the log has at most so many lines and bytes")
    func logs() throws {
        let code = try ResolverCode(
            template: "#foreach($x in [1..1000])$util.log.info('line {}', $x)#end{}", response: nil)
        var limits = ResolverLimits()
        limits.logLinesMax = 10
        #expect(code.run(.request, ResolverContext(), limits: limits).logs.count == 10)
        limits.logBytesMax = 40
        let logs = code.run(.request, ResolverContext(), limits: limits).logs
        #expect(logs == ["INFO - line 1", "INFO - line 2", "INFO - line 3"])
    }

    @Test("a field appends at most so many errors")
    func errors() {
        let template = "#foreach($x in [1..20])$util.appendError('x')#end{}"
        #expect(failure(template) { $0.outErrorsMax = 20 } == nil)
        #expect(failure(template) { $0.outErrorsMax = 19 } != nil)
    }

    @Test("numbers end at 128 bits")
    func numbers() {
        #expect(failure("#set($n = 2)#foreach($x in [1..7])#set($n = $n * $n)#end") != nil)
        #expect(failure("#set($n = 170141183460469231731687303715884105728)") == "refused")
    }
}
