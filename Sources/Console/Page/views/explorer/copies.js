// The query as others would send it: curl, Swift and TypeScript with Amplify. Credentials are left out unless they were asked for.

const modes = {
    apiKey: { header: ["x-api-key", "$API_KEY"], swift: ".apiKey", script: "apiKey" },
    user: { header: ["authorization", "$TOKEN"], swift: ".amazonCognitoUserPools", script: "userPool" },
    made: { header: ["authorization", "$TOKEN"], swift: ".amazonCognitoUserPools", script: "userPool" },
    token: { header: ["authorization", "$TOKEN"], swift: ".amazonCognitoUserPools", script: "userPool" },
    guest: { swift: ".awsIAM", script: "identityPool" },
    iam: { swift: ".awsIAM", script: "identityPool" },
    admin: { header: ["authorization", "$TOKEN"], swift: null, script: null },
};
const kinds = { query: ["query", "query"], mutation: ["mutate", "mutate"], subscription: ["subscribe", "subscribe"] };

/** A text in single quotes of a shell. */
const shell = (text) => `'${text.replaceAll("'", "'\\''")}'`;

const modeOf = (as) => (as.kind === "made" && as.provider === "oidc" ? { ...modes.made, swift: ".openIDConnect", script: "oidc" } : modes[as.kind] ?? modes.admin);

export function curl({ url, query, variables, operationName, headers, as, isStream, withCredentials }) {
    const mode = modeOf(as);
    const body = JSON.stringify({ query, ...(operationName && { operationName }), ...(Object.keys(variables).length && { variables }) });
    const lines = [`curl ${isStream ? "-N " : ""}${shell(url)}`, "-H 'content-type: application/json'"];
    if (isStream) lines.push("-H 'accept: text/event-stream'");
    if (mode.header) {
        const [name, value] = mode.header;
        lines.push(withCredentials && as.kind === "token" ? `-H ${shell(`${name}: ${as.token}`)}` : `-H "${name}: ${value}"`);
    } else lines.push("--aws-sigv4 'aws:amz:us-east-1:appsync' --user \"$AWS_ACCESS_KEY_ID:$AWS_SECRET_ACCESS_KEY\"");
    for (const [name, value] of Object.entries(headers)) lines.push(`-H ${shell(`${name}: ${value}`)}`);
    lines.push(`-d ${shell(body)}`);
    return `${lines.join(" \\\n  ")}\n`;
}

function swiftValue(value, indent) {
    const deeper = `${indent}    `;
    if (value === null) return "nil as String?";
    if (Array.isArray(value)) return value.length ? `[${value.map((each) => swiftValue(each, indent)).join(", ")}]` : "[] as [String]";
    if (typeof value === "object") {
        const entries = Object.entries(value);
        return entries.length ? `[\n${entries.map(([name, each]) => `${deeper}${swiftText(name)}: ${swiftValue(each, deeper)}`).join(",\n")}\n${indent}] as [String: Any]` : "[:] as [String: Any]";
    }
    return typeof value === "string" ? swiftText(value) : String(value);
}
const swiftText = (text) => `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n").replaceAll("\r", "\\r").replaceAll("\t", "\\t")}"`;
const indented = (text, indent) => text.trimEnd().split("\n").map((line) => (line ? indent + line : line)).join("\n");

export function swift({ query, variables, operation, as }) {
    const mode = modeOf(as);
    const [call] = kinds[operation] ?? kinds.query;
    const parts = [
        `document: #"""\n${indented(query, "    ")}\n    """#`,
        ...(Object.keys(variables).length ? [`variables: ${swiftValue(variables, "    ")}`] : []),
        "responseType: JSONValue.self",
        ...(mode.swift ? [`authMode: AWSAuthorizationType${mode.swift}`] : []),
    ];
    const request = `let request = GraphQLRequest<JSONValue>(\n    ${parts.join(",\n    ")}\n)`;
    const use = operation === "subscription"
        ? "let events = Amplify.API.subscribe(request: request)\nfor try await event in events {\n    print(event)\n}"
        : `let result = try await Amplify.API.${call}(request: request)\nprint(try result.get())`;
    return `import Amplify\nimport AWSPluginsCore\n\n${request}\n${use}\n`;
}

export function typescript({ query, variables, operation, as }) {
    const mode = modeOf(as);
    const text = query.trimEnd().replaceAll("\\", "\\\\").replaceAll("`", "\\`").replaceAll("${", "\\${");
    const parts = [
        `query: /* GraphQL */ \`\n${indented(text, "    ")}\n  \``,
        ...(Object.keys(variables).length ? [`variables: ${indented(JSON.stringify(variables, null, 2), "  ").trimStart()}`] : []),
        ...(mode.script ? [`authMode: "${mode.script}"`] : []),
    ];
    const call = `client.graphql({\n  ${parts.join(",\n  ")},\n})`;
    const use = operation === "subscription"
        ? `const subscription = ${call}.subscribe({\n  next: ({ data }) => console.log(data),\n  error: (error) => console.error(error),\n});`
        : `const { data, errors } = await ${call};\nconsole.log(data, errors);`;
    return `import { generateClient } from "aws-amplify/api";\n\nconst client = generateClient();\n${use}\n`;
}
