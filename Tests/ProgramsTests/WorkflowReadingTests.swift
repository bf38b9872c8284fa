import GraphQL
import JSON
import Testing

@testable import Blueprint
@testable import Programs
@testable import Project

@Suite("State machines of a project")
struct WorkflowReadingTests {
    private static func read(_ lines: String) -> Project {
        reading(
            """
            import { defineBackend, defineFunction } from '@aws-amplify/backend';
            import { Duration } from 'aws-cdk-lib';
            import * as sfn from 'aws-cdk-lib/aws-stepfunctions';
            import { StateMachine, DefinitionBody, Activity } from 'aws-cdk-lib/aws-stepfunctions';
            import * as tasks from 'aws-cdk-lib/aws-stepfunctions-tasks';
            import { Queue } from 'aws-cdk-lib/aws-sqs';
            import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
            import { SfnStateMachine } from 'aws-cdk-lib/aws-events-targets';
            import { data } from 'elsewhere'; const backend = defineBackend({ data, say: defineFunction({ name: 'say' }) });
            const stack = backend.createStack('s');
            const fn = backend.say.resources.lambda;
            \(lines)
            """)
    }

    private static func reading(_ backend: String) -> Project {
        let files = ["amplify/backend.ts": backend]
        return Project.read("amplify", in: ProgramSurroundings(files))
    }

    private static func definition(_ machine: StateMachineResource?) throws -> JSONValue {
        let text = machine?.definition { value in
            if case .deployed(let origin) = value { return origin }
            if case .text(let text) = value { return text }
            return nil
        }?.text
        return try JSONReader.value(of: try #require(text))
    }

    @Test("chains, choices, branches and rules for errors become a definition")
    func chains() throws {
        let reading = Self.read(
            """
            const pay = new tasks.LambdaInvoke(stack, 'Pay', { lambdaFunction: fn, outputPath: '$.Payload', retryOnServiceExceptions: false });
            const note = new tasks.LambdaInvoke(stack, 'Note', {
              lambdaFunction: fn, payloadResponseOnly: true, payload: sfn.TaskInput.fromObject({ id: sfn.JsonPath.stringAt('$.id'), kind: 'x' }),
              retryOnServiceExceptions: false });
            const failed = new sfn.Fail(stack, 'Failed', { error: 'E', cause: 'c' });
            pay.addRetry({ errors: ['Busy'], interval: Duration.seconds(2), maxAttempts: 4, backoffRate: 1.5 });
            pay.addCatch(failed, { errors: ['States.ALL'], resultPath: '$.error' });
            const wait = new sfn.Wait(stack, 'Wait', { time: sfn.WaitTime.duration(Duration.hours(1)) });
            const map = new sfn.Map(stack, 'Each', { itemsPath: sfn.JsonPath.stringAt('$.items'), maxConcurrency: 3 });
            map.itemProcessor(new sfn.Pass(stack, 'One', { result: sfn.Result.fromObject({ ok: true }) }));
            const both = new sfn.Parallel(stack, 'Both', { resultPath: sfn.JsonPath.DISCARD }).branch(note, map);
            const choice = new sfn.Choice(stack, 'Large?')
              .when(sfn.Condition.and(sfn.Condition.numberGreaterThan('$.total', 10), sfn.Condition.isPresent('$.id')), wait.next(both))
              .otherwise(both);
            const chain = sfn.Chain.start(pay).next(choice.afterwards()).next(new sfn.Succeed(stack, 'Done'));
            const machine = new StateMachine(stack, 'Order', {
              definitionBody: DefinitionBody.fromChainable(chain), timeout: Duration.minutes(5), stateMachineType: sfn.StateMachineType.EXPRESS });
            machine.grantStartExecution(fn);
            backend.say.addEnvironment('MACHINE', machine.stateMachineArn);
            backend.say.addEnvironment('NAME', machine.stateMachineName);
            """)
        #expect(reading.diagnostics.isEmpty, "\(reading.diagnostics)")
        let machine = try #require(reading.stateMachines.first)
        #expect(machine.name == "Order" && machine.isExpress)
        let definition = try Self.definition(machine)
        let arn = "backend.say.resources.lambda.functionArn"
        let expected = try JSONReader.value(
            of: """
                {"StartAt": "Pay", "TimeoutSeconds": 300, "States": {
                  "Pay": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "Parameters": {"FunctionName": "\(arn)", "Payload.$": "$"},
                    "OutputPath": "$.Payload", "Retry": [{"ErrorEquals": ["Busy"], "IntervalSeconds": 2, "MaxAttempts": 4, "BackoffRate": 1.5}],
                    "Catch": [{"ErrorEquals": ["States.ALL"], "Next": "Failed", "ResultPath": "$.error"}], "Next": "Large?"},
                  "Failed": {"Type": "Fail", "Error": "E", "Cause": "c"},
                  "Large?": {"Type": "Choice", "Default": "Both", "Choices": [{"Next": "Wait", "And": [
                    {"Variable": "$.total", "NumericGreaterThan": 10}, {"Variable": "$.id", "IsPresent": true}]}]},
                  "Wait": {"Type": "Wait", "Seconds": 3600, "Next": "Both"},
                  "Both": {"Type": "Parallel", "ResultPath": null, "Next": "Done", "Branches": [
                    {"StartAt": "Note", "States": {"Note": {"Type": "Task", "Resource": "\(arn)", "Parameters": {"id.$": "$.id", "kind": "x"}, "End": true}}},
                    {"StartAt": "Each", "States": {"Each": {"Type": "Map", "ItemsPath": "$.items", "MaxConcurrency": 3, "End": true,
                      "ItemProcessor": {"ProcessorConfig": {"Mode": "INLINE"}, "StartAt": "One",
                        "States": {"One": {"Type": "Pass", "Result": {"ok": true}, "End": true}}}}}}]},
                  "Done": {"Type": "Succeed"}}}
                """)
        #expect(definition == expected, "\(JSONWriter.text(of: definition, pretty: true))")
        #expect(
            reading.functions.first?.environment == [
                .init(name: "MACHINE", value: .deployed("stateMachines/Order.stateMachineArn")),
                .init(name: "NAME", value: .text("Order")),
            ])
    }

    @Test("tasks of services become their resources")
    func services() throws {
        let reading = Self.read(
            """
            const jobs = new Queue(stack, 'Jobs');
            const send = new tasks.SqsSendMessage(stack, 'Send', {
              queue: jobs, messageBody: sfn.TaskInput.fromObject({ token: sfn.JsonPath.taskToken }),
              integrationPattern: sfn.IntegrationPattern.WAIT_FOR_TASK_TOKEN, heartbeatTimeout: sfn.Timeout.duration(Duration.minutes(1)) });
            const put = new tasks.DynamoPutItem(stack, 'Put', { table: backend.data.resources.tables.Todo, item: {
              id: tasks.DynamoAttributeValue.fromString(sfn.JsonPath.stringAt('$.id')), n: tasks.DynamoAttributeValue.fromNumber(1) } });
            const tell = new tasks.EventBridgePutEvents(stack, 'Tell', { entries: [
              { detail: sfn.TaskInput.fromJsonPathAt('$'), detailType: 'Done', source: 'shop' }] });
            new sfn.StateMachine(stack, 'All', { definition: send.next(put).next(tell) });
            """)
        let states = try Self.definition(reading.stateMachines.first)["States"]
        #expect(states?["Send"]?["Resource"] == "arn:aws:states:::sqs:sendMessage.waitForTaskToken")
        #expect(states?["Send"]?["Parameters"]?["MessageBody"] == ["token.$": "$$.Task.Token"])
        #expect(states?["Send"]?["HeartbeatSeconds"] == 60)
        #expect(states?["Put"]?["Parameters"]?["Item"] == ["id": ["S.$": "$.id"], "n": ["N": "1"]])
        #expect(
            states?["Tell"]?["Parameters"]?["Entries"] == [["Detail.$": "$", "DetailType": "Done", "Source": "shop"]])
    }

    @Test(
        "states in JSONata say so unless their machine does, and give arguments, outputs and variables",
        arguments: [true, false])
    func query(isOfMachine: Bool) throws {
        let reading = Self.read(
            """
            const pay = tasks.LambdaInvoke.jsonata(stack, 'Pay', {
              lambdaFunction: fn, outputs: '{% $states.result.Payload %}', assign: { total: '{% $states.input.total %}' },
              taskTimeout: sfn.Timeout.jsonata('{% $limit %}'), retryOnServiceExceptions: false });
            const plain = tasks.LambdaInvoke.jsonata(stack, 'Plain', {
              lambdaFunction: fn, payloadResponseOnly: true, payload: sfn.TaskInput.fromObject({ id: '{% $states.input.id %}' }),
              retryOnServiceExceptions: false });
            const failed = sfn.Fail.jsonata(stack, 'Failed', { error: '{% $states.input.Error %}', cause: 'c' });
            pay.addCatch(failed, { outputs: { e: '{% $states.errorOutput %}' }, assign: { bad: true } });
            const wait = sfn.Wait.jsonata(stack, 'Wait', { time: sfn.WaitTime.seconds('{% $n %}') });
            const each = sfn.Map.jsonata(stack, 'Each', {
              items: sfn.ProvideItems.jsonata('{% $states.input.all %}'), jsonataItemSelector: '{% $states.context %}', maxConcurrency: 2 });
            each.itemProcessor(sfn.Pass.jsonata(stack, 'One', { outputs: { ok: true } }));
            const both = sfn.Parallel.jsonata(stack, 'Both', { arguments: { a: 1 } }).branch(plain, each);
            const choice = sfn.Choice.jsonata(stack, 'Large?', { outputs: 'none' })
              .when(sfn.Condition.jsonata('{% $total > 10 %}'), wait, { assign: { isLarge: true }, outputs: '{% $total %}' })
              .otherwise(both);
            new StateMachine(stack, 'Order', {
              \(isOfMachine ? "queryLanguage: sfn.QueryLanguage.JSONATA, " : "")definition: pay.next(choice) });
            """)
        #expect(reading.diagnostics.isEmpty, "\(reading.diagnostics)")
        let arn = "backend.say.resources.lambda.functionArn"
        let own = isOfMachine ? "" : #""QueryLanguage": "JSONata","#
        let expected = try JSONReader.value(
            of: """
                {\(isOfMachine ? own + #""QueryLanguage": "JSONata","# : "") "StartAt": "Pay", "States": {
                  "Pay": {"Type": "Task", \(own) "TimeoutSeconds": "{% $limit %}", "Resource": "arn:aws:states:::lambda:invoke",
                    "Arguments": {"FunctionName": "\(arn)", "Payload": "{% $states.input %}"}, "Assign": {"total": "{% $states.input.total %}"},
                    "Output": "{% $states.result.Payload %}", "Next": "Large?",
                    "Catch": [{"ErrorEquals": ["States.ALL"], "Next": "Failed", "Assign": {"bad": true}, "Output": {"e": "{% $states.errorOutput %}"}}]},
                  "Failed": {"Type": "Fail", \(own) "Error": "{% $states.input.Error %}", "Cause": "c"},
                  "Large?": {"Type": "Choice", \(own) "Default": "Both", "Output": "none", "Choices": [{"Condition": "{% $total > 10 %}",
                    "Assign": {"isLarge": true}, "Output": "{% $total %}", "Next": "Wait"}]},
                  "Wait": {"Type": "Wait", \(own) "Seconds": "{% $n %}", "End": true},
                  "Both": {"Type": "Parallel", \(own) "Arguments": {"a": 1}, "End": true, "Branches": [
                    {"StartAt": "Plain", "States": {"Plain": {"Type": "Task", \(own) "Resource": "\(arn)",
                      "Arguments": {"id": "{% $states.input.id %}"}, "End": true}}},
                    {"StartAt": "Each", "States": {"Each": {"Type": "Map", \(own) "Items": "{% $states.input.all %}", "MaxConcurrency": 2,
                      "ItemSelector": "{% $states.context %}", "End": true, "ItemProcessor": {"ProcessorConfig": {"Mode": "INLINE"},
                        "StartAt": "One", "States": {"One": {"Type": "Pass", \(own) "Output": {"ok": true}, "End": true}}}}}}]}}}
                """)
        let definition = try Self.definition(reading.stateMachines.first)
        #expect(definition == expected, "\(JSONWriter.text(of: definition, pretty: true))")
    }

    @Test("a distributed map reads and writes buckets, and any action of a service is a resource")
    func distributed() throws {
        let reading = Self.read(
            """
            const bucket = { bucketName: 'files' };
            const rows = new sfn.DistributedMap(stack, 'Rows', {
              itemReader: new sfn.S3CsvItemReader({ bucket, key: sfn.JsonPath.stringAt('$.key'), csvHeaders: sfn.CsvHeaders.use(['a', 'b']),
                csvDelimiter: sfn.CsvDelimiter.TAB, maxItems: 5 }),
              itemBatcher: new sfn.ItemBatcher({ maxItemsPerBatch: 10, batchInput: { x: 1 } }),
              resultWriterV2: new sfn.ResultWriterV2({ bucket, prefix: 'out',
                writerConfig: new sfn.WriterConfig({ outputType: sfn.OutputType.JSONL, transformation: sfn.Transformation.FLATTEN }) }),
              toleratedFailurePercentage: 5, toleratedFailureCountPath: '$.n', label: 'rows', mapExecutionType: sfn.StateMachineType.EXPRESS });
            rows.itemProcessor(tasks.CallAwsService.jsonata(stack, 'Get', {
              service: 'dynamoDB', action: 'query', parameters: { TableName: 'T' }, iamResources: ['*'] }));
            const keys = sfn.DistributedMap.jsonata(stack, 'Keys', { itemReader: new sfn.S3ObjectsItemReader({ bucket, prefix: 'in/' }) });
            keys.itemProcessor(new sfn.Pass(stack, 'P'));
            new StateMachine(stack, 'All', { definition: rows.next(keys) });
            """)
        #expect(reading.diagnostics.isEmpty, "\(reading.diagnostics)")
        let states = try Self.definition(reading.stateMachines.first)["States"]
        let expected: JSONValue = [
            "ItemReader": [
                "Resource": "arn:aws:states:::s3:getObject", "Parameters": ["Bucket": "files", "Key.$": "$.key"],
                "ReaderConfig": [
                    "InputType": "CSV", "MaxItems": 5, "CSVDelimiter": "TAB", "CSVHeaderLocation": "GIVEN",
                    "CSVHeaders": ["a", "b"],
                ],
            ],
            "ItemBatcher": ["MaxItemsPerBatch": 10, "BatchInput": ["x": 1]],
            "ResultWriter": [
                "Resource": "arn:aws:states:::s3:putObject", "Parameters": ["Bucket": "files", "Prefix": "out"],
                "WriterConfig": ["OutputType": "JSONL", "Transformation": "FLATTEN"],
            ],
            "ToleratedFailurePercentage": 5, "ToleratedFailureCountPath": "$.n", "Label": "rows",
        ]
        for member in expected.object?.members ?? [] {
            #expect(states?["Rows"]?[member.key] == member.value, "\(member.key)")
        }
        let inner = states?["Rows"]?["ItemProcessor"]
        #expect(inner?["ProcessorConfig"] == ["Mode": "DISTRIBUTED", "ExecutionType": "EXPRESS"])
        #expect(inner?["States"]?["Get"]?["Resource"] == "arn:aws:states:::aws-sdk:dynamodb:query")
        #expect(inner?["States"]?["Get"]?["Arguments"] == ["TableName": "T"])
        #expect(
            states?["Keys"]?["ItemReader"]
                == [
                    "Resource": "arn:aws:states:::s3:listObjectsV2", "Arguments": ["Bucket": "files", "Prefix": "in/"],
                ])
    }

    @Test("texts and files are definitions too, and rules start machines")
    func others() throws {
        let reading = Self.read(
            """
            const text = new sfn.StateMachine(stack, 'Text', {
              definitionBody: DefinitionBody.fromString(`{"Resource": "${fn.functionArn}"}`) });
            const file = new StateMachine(stack, 'File', {
              definitionBody: DefinitionBody.fromFile('flow.asl.json'), definitionSubstitutions: { FN: fn.functionArn } });
            new sfn.CfnStateMachine(stack, 'Cfn', { stateMachineName: 'plain', definitionString: '{}', roleArn: 'r' });
            new sfn.CfnStateMachine(stack, 'Cfn', { definition: { StartAt: 'a', States: {} }, roleArn: 'r' });
            new Rule(stack, 'R', { eventPattern: { source: ['shop'] }, targets: [new SfnStateMachine(text)] });
            new Rule(stack, 'S', { schedule: Schedule.rate(Duration.minutes(5)), targets: [new SfnStateMachine(file)] });
            """)
        #expect(reading.stateMachines.map(\.name) == ["Text", "File", "plain", "Cfn"])
        #expect(
            reading.stateMachines.first?.content
                == .text(
                    .joined([
                        .text(#"{"Resource": ""#), .deployed("backend.say.resources.lambda.functionArn"), .text(#""}"#),
                    ])))
        let file = reading.stateMachines.dropFirst().first
        #expect(file?.substitutions.map(\.name) == ["FN"] && file?.schedules.map(\.text) == ["rate(5 minutes)"])
        if case .file(let path)? = file?.content {
            #expect(path.hasSuffix("flow.asl.json"))
        } else {
            Issue.record("no file")
        }
        #expect(reading.rules.first?.targets.map(\.stateMachine) == ["Text"])
        #expect(reading.diagnostics.isEmpty, "\(reading.diagnostics)")
    }

    @Test(
        "modules of the CDK are the same as members of the whole",
        arguments: [
            "import { Duration, aws_stepfunctions as sfn, aws_stepfunctions_tasks as tasks, aws_sqs as sqs, aws_events as events, aws_events_targets as targets, aws_lambda as lambda, aws_dynamodb as dynamodb, aws_iam as iam } from 'aws-cdk-lib';",
            "import * as cdk from 'aws-cdk-lib';\nconst { Duration, aws_stepfunctions: sfn, aws_stepfunctions_tasks: tasks, aws_sqs: sqs, aws_events: events } = cdk;\nconst targets = cdk.aws_events_targets, lambda = cdk.aws_lambda, dynamodb = cdk.aws_dynamodb, iam = cdk.aws_iam;",
            "import { Duration } from 'aws-cdk-lib';\nimport * as sfn from 'aws-cdk-lib/aws-stepfunctions';\nimport * as tasks from 'aws-cdk-lib/aws-stepfunctions-tasks';\nimport * as sqs from 'aws-cdk-lib/aws-sqs';\nimport * as events from 'aws-cdk-lib/aws-events';\nimport * as targets from 'aws-cdk-lib/aws-events-targets';\nimport * as lambda from 'aws-cdk-lib/aws-lambda';\nimport * as dynamodb from 'aws-cdk-lib/aws-dynamodb';\nimport * as iam from 'aws-cdk-lib/aws-iam';",
        ])
    func barrel(imports: String) throws {
        let reading = Self.reading(
            """
            import { defineBackend, defineFunction } from '@aws-amplify/backend';
            \(imports)
            const backend = defineBackend({ say: defineFunction({ name: 'say' }) });
            const stack = backend.createStack('s');
            const fn = backend.say.resources.lambda;
            const queue = new sqs.Queue(stack, 'Jobs', { visibilityTimeout: Duration.minutes(2) });
            const call = new tasks.LambdaInvoke(stack, 'Call', { lambdaFunction: fn, retryOnServiceExceptions: false });
            const machine = new sfn.StateMachine(stack, 'Flow', { definition: call.next(new sfn.Succeed(stack, 'Done')) });
            new events.Rule(stack, 'R', { eventPattern: { source: ['shop'] }, targets: [new targets.SfnStateMachine(machine)] });
            new lambda.EventSourceMapping(stack, 'M', { target: fn, eventSourceArn: queue.queueArn });
            new dynamodb.Table(stack, 'Things', { tableName: 'Things', partitionKey: { name: 'id', type: dynamodb.AttributeType.STRING } });
            fn.addToRolePolicy(new iam.PolicyStatement({ actions: ['ses:SendEmail'], resources: ['*'] }));
            """)
        #expect(reading.diagnostics.isEmpty, "\(reading.diagnostics)")
        let machine = try #require(reading.stateMachines.first)
        #expect(machine.name == "Flow")
        #expect(try Self.definition(machine)["States"]?["Call"]?["Next"] == "Done")
        #expect(reading.queues.map(\.name) == ["Jobs"] && reading.queues.first?.visibilitySeconds == 120)
        #expect(reading.rules.first?.targets.map(\.stateMachine) == ["Flow"])
        #expect(reading.functions.first?.grants.statements.count == 1, "\(reading.functions)")
    }
}
