import Functions
import TestSupport
import Testing

@testable import Server

@Suite("Files of variables and secrets")
struct VariableFileTests {
    @Test(
        "lines are names and values, as people keep them in .env",
        arguments: [
            ("A=1\nB = two \r\n", ["A=1", "B=two"]), ("# no\n\nexport C='x # y'\nnothing\n=no\n", ["C=x # y"]),
            (#"D="a\nb \"c\"""#, ["D=a\nb \"c\""]), (#"E='a\n'"#, [#"E=a\n"#]), ("F=", ["F="]), ("G==x=", ["G==x="]),
            (#"{"H": "1", "I": 2}"#, ["H=1"]), ("", []),
        ])
    func lines(text: String, expected: [String]) {
        #expect(VariableFile.variables(in: Array(text.utf8)).map { "\($0.name)=\($0.value)" } == expected)
    }

    @Test(
        "names in camel case are those of variables as Amplify writes them",
        arguments: [
            ("myReports", "MY_REPORTS"), ("photos", "PHOTOS"), ("my-files2", "MY_FILES_2"),
            ("userAPIFiles", "USER_API_FILES"),
        ])
    func names(text: String, expected: String) {
        #expect(VariableName.upper(text) == expected)
    }

    @Test(
        "an address of AWS is found by its line, whatever stands in it",
        arguments: [
            ("const u = 'https://a1b2.execute-api.eu-west-1.amazonaws.com/prod';", 1),
            ("\n\nfetch(`https://${id}.appsync-api.${region}.amazonaws.com/graphql`)", 3),
            ("x\n'https://abc.lambda-url.us-east-1.on.aws/'", 2), ("'bucket.s3.amazonaws.com'", 1),
            ("'https://s3-eu-west-1.amazonaws.com/b'", 1), ("'cognito-idp.us-east-1.amazonaws.com/pool'", nil),
            ("'https://example.com/execute-api'", nil), ("amazonaws.com", nil), ("", nil),
        ] as [(String, Int?)])
    func addresses(text: String, line: Int?) {
        #expect(CloudAddressNotices.line(in: Array(text.utf8)) == line)
    }

    @Test("an address in JSON that a function imports is told with its file")
    func importedAddresses() throws {
        let folder = TemporaryFolder()
        try folder.write("import out from '../../cloud.json'; export const handler = 1", to: "amplify/fn/handler.ts")
        try folder.write("{\n\"url\": \"https://a1.appsync-api.us-east-1.amazonaws.com/graphql\"}", to: "cloud.json")
        try folder.write("https://a1.appsync-api.us-east-1.amazonaws.com/graphql", to: "unused.json")
        let place = HandlerPlace(file: "\(folder.path)/amplify/fn/handler.ts", export: "handler", language: .node)
        #expect(CloudAddressNotices(of: [place]).places == ["\(folder.path)/cloud.json:2"])
    }

    @Test("functions that one command helps are told together")
    func missingPackages() throws {
        let folder = TemporaryFolder()
        try folder.write(#"{"dependencies": {"a": "1"}}"#, to: "package.json")
        var functions: [FunctionSettings] = []
        for name in ["one", "two"] {
            try folder.write("import 'a'", to: "\(name)/index.mjs")
            let place = HandlerPlace(file: "\(folder.path)/\(name)/index.mjs", export: "handler", language: .node)
            functions.append(FunctionSettings(name: name, .handler(place)))
        }
        #expect(
            MissingPackageNotices.warnings(of: functions, sdk: folder.path + "/sdk") == [
                "the functions one, two import a, which is not installed: npm install --prefix \(folder.path)"
            ])
        #expect(
            MissingPackageNotices.warnings(of: [functions[0]], sdk: folder.path + "/sdk") == [
                "the function one imports a, which is not installed: npm install --prefix \(folder.path)"
            ])
    }
}
