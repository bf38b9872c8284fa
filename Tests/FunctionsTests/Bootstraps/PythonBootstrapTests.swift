import JSON
import TestSupport
import Testing

@testable import Functions

@Suite("Our runtime for Python", .enabled(if: Interpreter.python.path != nil, "there is no python3 on this machine"))
struct PythonBootstrapTests {
    @Test(
        "a handler is called and answers",
        arguments: [
            ("def handler(event, context):\n    return {'got': event['a'], 'é': None}", ["got": 1, "é": nil]),
            (
                "from decimal import Decimal\ndef handler(event, context):\n    return [Decimal('1'), Decimal('1.5')]",
                [1, 1.5]
            ),
            ("def handler(event, context):\n    return {'bytes': 'é'.encode('utf-8')}", ["bytes": "é"]),
            (
                """
                import os
                def handler(event, context):
                    return [context.function_name, context.memory_limit_in_mb, context.invoked_function_arn[-4:],
                            len(context.aws_request_id), context.get_remaining_time_in_millis() > 0, context.client_context,
                            os.environ['_X_AMZN_TRACE_ID'][:7]]
                """, ["test", "512", "test", 36, true, nil, "Root=1-"]
            ),
        ] as [(String, JSONValue)])
    func answers(source: String, result: JSONValue) async throws {
        let files = try HandlerFiles("index.handler", in: ["index.py": source])
        for _ in 0..<2 { #expect(await files.value(["a": 1]) == result) }
    }

    @Test(
        "what is set aside before the first event and not written to is no memory that a function has, and the rest is held"
    )
    func reservedMemory() async throws {
        let source = """
            import mmap
            kept = [mmap.mmap(-1, 512 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) for _ in range(2)]
            def handler(event, context):
                try: return len(bytearray(event << 20)) >> 20
                except MemoryError: return 'none'
            """
        let files = try HandlerFiles("index.handler", in: ["index.py": source]) { $0.memoryMegabytes = 128 }
        #expect(await files.value(64) == 64)
        #expect(await files.value(700) == "none")
    }

    @Test("a module finds those beside it, and its handler may have another name")
    func modules() async throws {
        let files = try HandlerFiles(
            "app.py:answer", in: ["app.py": "import beside\ndef answer(e, c): return beside.x", "beside.py": "x = 5"])
        #expect(await files.value() == 5)
    }

    @Test(
        "what fails says what",
        arguments: [
            ("def handler(event, context):\n    raise ValueError('no')", "ValueError", "no"),
            (
                "def handler(event, context):\n    return object()", "Runtime.MarshalError",
                "Unable to marshal response: "
            ),
            ("def other(): pass", "Runtime.HandlerNotFound", "Handler 'handler' missing on module 'index'"),
            ("def handler(:", "Runtime.UserCodeSyntaxError", "Syntax error in module 'index'"),
            ("import nothing_there", "Runtime.ImportModuleError", "Unable to import module 'index': No module named"),
            ("raise KeyError('early')", "KeyError", "early"),
        ])
    func fails(source: String, type: String, message: String) async throws {
        let files = try HandlerFiles("index.handler", in: ["index.py": source])
        for _ in 0..<2 {
            let error = await files.value()
            #expect(error["errorType"]?.string == type)
            #expect(error["errorMessage"]?.string?.contains(message) == true, "\(error)")
            #expect(error["stackTrace"]?.array != nil)
        }
    }

    @Test("the SDK is there without being declared, in the function's folder before all and in ours behind all")
    func sdk() async throws {
        let files = try HandlerFiles(
            "index.handler",
            in: ["index.py": "import sdk_of_test\ndef handler(event, context): return sdk_of_test.name"])
        try files.test.folder.write("name = 'ours'", to: "runtimes/sdk/python/sdk_of_test.py")
        #expect(await files.value() == "ours")
        try files.folder.write("name = 'own'", to: "sdk_of_test.py")
        files.test.functions.renew()
        #expect(await files.value() == "own")
    }

    @Test("a process that its own code ends is told, and lines of the log have Lambda's form")
    func exits() async throws {
        let files = try HandlerFiles(
            "index.handler",
            in: [
                "index.py": """
                import logging, os
                def handler(event, context):
                    logging.warning('careful')
                    if event.get('end'): os._exit(9)
                    return 1
                """
            ])
        let answer = await files.test.answer([:])
        #expect(files.test.lines.contains { $0.hasPrefix("[WARNING]\t") && $0.hasSuffix("Z\t\(answer.id)\tcareful") })
        #expect(await files.value(["end": true])["errorType"] == "Runtime.ExitError")
        #expect(await files.value() == 1)
    }

    @Test("a handler that is edited is called as it is now, and one that is not stays warm")
    func edited() async throws {
        let files = try HandlerFiles("index.handler", in: ["index.py": Self.counting("a")])
        #expect(await files.value() == ["a", 1])
        #expect(await files.value() == ["a", 2])
        try files.folder.write(Self.counting("other"), to: "index.py")
        #expect(await files.value() == ["other", 1])
        #expect(await files.value() == ["other", 2])
        // What the file imports is told by who watches.
        files.test.functions.renew()
        #expect(await files.value() == ["other", 1])
    }

    private static func counting(_ name: String) -> String {
        """
        calls = 0
        def handler(event, context):
            global calls
            calls += 1
            return ['\(name)', calls]
        """
    }
}
