// Calls Bedrock's runtime as @aws-sdk/client-bedrock-runtime does: by HTTP/2 with prior knowledge, signed over `:authority`.
//
//     node Tests/Clients/bedrock-http2.mjs http://127.0.0.1:20002 ACCESS_KEY SECRET
//
// Prints what fails and how many checks there were; ends with 0 when all pass. It needs no packages.

import { createHash, createHmac } from "node:crypto";
import http2 from "node:http2";

const [origin, accessKey, secret] = process.argv.slice(2);
const host = new URL(origin).host;
const region = "us-east-1";
let checks = 0;
let failures = 0;

function check(name, isGood, found = "") {
    checks += 1;
    if (isGood) return;
    failures += 1;
    console.log(`bedrock by HTTP/2: FAILED: ${name} ${found}`);
}

const digest = (data) => createHash("sha256").update(data).digest("hex");
const code = (key, data) => createHmac("sha256", key).update(data).digest();

/** The fields of a request with its signature. The SDK signs a path once more encoded than it sends it. */
function signed(path, body, { signing = secret, authority = host } = {}) {
    const stamp = new Date().toISOString().replace(/[-:]|\.\d{3}/g, "");
    const fields = { ":authority": authority, "content-type": "application/json", "x-amz-content-sha256": digest(body), "x-amz-date": stamp };
    const names = Object.keys(fields).sort().join(";");
    const lines = Object.keys(fields).sort().map((name) => `${name}:${fields[name]}\n`).join("");
    const canonical = ["POST", path.split("/").map(encodeURIComponent).join("/"), "", lines, names, digest(body)].join("\n");
    const scope = [stamp.slice(0, 8), region, "bedrock", "aws4_request"];
    const key = scope.reduce(code, `AWS4${signing}`);
    const signature = code(key, ["AWS4-HMAC-SHA256", stamp, scope.join("/"), digest(canonical)].join("\n")).toString("hex");
    return { ...fields, authorization: `AWS4-HMAC-SHA256 Credential=${accessKey}/${scope.join("/")}, SignedHeaders=${names}, Signature=${signature}` };
}

const session = http2.connect(origin);
session.on("error", (error) => { check("the connection lasts", false, error.message); finish(); });

function call(path, body, options) {
    const text = JSON.stringify(body);
    return new Promise((done, fail) => {
        const request = session.request({ ":method": "POST", ":path": path, ...signed(path, text, options), ":authority": host, "content-length": Buffer.byteLength(text) });
        const pieces = [];
        let head;
        request.on("response", (fields) => { head = fields; });
        request.on("data", (piece) => pieces.push(piece));
        request.on("end", () => done({ status: head[":status"], head, body: Buffer.concat(pieces) }));
        request.on("error", fail);
        request.end(text);
    });
}

/** The messages of an event stream: the type of each with its payload. */
function messages(bytes) {
    const found = [];
    for (let at = 0; at < bytes.length; at += bytes.readUInt32BE(at)) {
        const [total, headers] = [bytes.readUInt32BE(at), bytes.readUInt32BE(at + 4)];
        let type = "";
        for (let place = at + 12; place < at + 12 + headers;) {
            const name = bytes.toString("utf8", place + 1, place + 1 + bytes[place]);
            const start = place + 1 + bytes[place] + 3;
            const end = start + bytes.readUInt16BE(start - 2);
            if (name === ":event-type") type = bytes.toString("utf8", start, end);
            place = end;
        }
        found.push([type, JSON.parse(bytes.toString("utf8", at + 12 + headers, at + total - 4))]);
    }
    return found;
}

function finish() {
    session.close();
    console.log(`bedrock by HTTP/2: ${checks} checks, ${failures} failed`);
    process.exitCode = failures ? 1 : 0;
}

const model = "/model/maker.model-v1%3A0";
const hi = { messages: [{ role: "user", content: [{ text: "hi" }] }] };

// The SDK sends all calls of a client over one connection, also at once.
const [invoked, said, streamed, wrong, elsewhere] = await Promise.all([
    call(`${model}/invoke`, { anthropic_version: "x", max_tokens: 1, messages: [{ role: "user", content: "hi" }] }),
    call(`${model}/converse`, hi),
    call(`${model}/converse-stream`, hi),
    call(`${model}/converse`, hi, { signing: "another" }),
    call(`${model}/converse`, hi, { authority: "elsewhere.example" }),
]);
check("InvokeModel", invoked.status === 200 && JSON.parse(invoked.body).type === "message", `${invoked.status} ${invoked.body}`);
check("Converse", said.status === 200 && JSON.parse(said.body).stopReason === "end_turn", `${said.status} ${said.body}`);
check("ConverseStream is an event stream", streamed.head["content-type"] === "application/vnd.amazon.eventstream", streamed.head["content-type"]);
const events = messages(streamed.body);
const types = events.map(([type]) => type);
check("ConverseStream begins and ends", types[0] === "messageStart" && types.includes("messageStop") && types.at(-1) === "metadata", types.join());
check("ConverseStream says something", events.some(([type, event]) => type === "contentBlockDelta" && event.delta.text), streamed.body);
check("a wrong secret is refused", wrong.status === 403, wrong.status);
check("a signature over another host is refused", elsewhere.status === 403, elsewhere.status);
finish();
