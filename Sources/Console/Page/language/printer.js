// A document, laid out: two spaces, a field a line, arguments on one line where they fit. Comments stay.

const widthMax = 80;

const valueText = (value) => {
    switch (value.kind) {
    case "variable": return `$${value.name?.text ?? ""}`;
    case "list": return `[${value.items.map(valueText).join(", ")}]`;
    case "object": return value.fields.length ? `{ ${value.fields.map((field) => `${field.name.text}: ${valueText(field.value)}`).join(", ")} }` : "{}";
    case "missing": return "";
    default: return value.text;
    }
};

/** A value over several lines, for arguments that are too long for one. */
function valueLines(value, indent) {
    const text = valueText(value);
    if (indent.length + text.length <= widthMax || !["list", "object"].includes(value.kind)) return text;
    const deeper = `${indent}  `;
    if (value.kind === "list") return `[\n${value.items.map((item) => deeper + valueLines(item, deeper)).join("\n")}\n${indent}]`;
    return `{\n${value.fields.map((field) => `${deeper}${field.name.text}: ${valueLines(field.value, deeper)}`).join("\n")}\n${indent}}`;
}

function argsText(args, indent, before) {
    if (!args.length) return "";
    const line = `(${args.map((arg) => `${arg.name.text}: ${valueText(arg.value)}`).join(", ")})`;
    if (indent.length + before.length + line.length <= widthMax && !line.includes("\n")) return line;
    const deeper = `${indent}  `;
    return `(\n${args.map((arg) => `${deeper}${arg.name.text}: ${valueLines(arg.value, deeper)}`).join("\n")}\n${indent})`;
}

const directivesText = (directives) => directives.map((one) => ` @${one.name?.text ?? ""}${argsText(one.args, "", "")}`).join("");

/** The text of a tree that `parse` made. */
export function print(document) {
    const comments = [...(document.comments ?? [])];
    const lines = [];
    const commentsBefore = (place, indent) => {
        while (comments.length && comments[0].start < place) lines.push(indent + comments.shift().text.trimEnd());
    };
    const selections = (list, indent, end) => {
        for (const one of list) {
            commentsBefore(one.start ?? 0, indent);
            let head;
            if (one.kind === "spread") head = `...${one.name.text}${directivesText(one.directives)}`;
            else if (one.kind === "inline") head = `...${one.on ? ` on ${one.on.text}` : ""}${directivesText(one.directives)}`;
            else {
                const name = one.alias ? `${one.alias.text}: ${one.name.text}` : one.name.text;
                head = name + argsText(one.args, indent, name) + directivesText(one.directives);
            }
            if (!one.selections) {
                lines.push(indent + head);
                continue;
            }
            lines.push(`${indent}${head} {`);
            selections(one.selections, `${indent}  `, one.end);
            lines.push(`${indent}}`);
        }
        if (end !== undefined) commentsBefore(end, indent);
    };
    document.definitions.forEach((one, index) => {
        if (index) lines.push("");
        commentsBefore(one.start ?? 0, "");
        if (one.kind === "fragment") lines.push(`fragment ${one.name?.text ?? ""} on ${one.on?.text ?? ""}${directivesText(one.directives)} {`);
        else if (one.isShort && one.operation === "query" && !one.name && !one.variables.length) lines.push("{");
        else {
            const before = `${one.operation}${one.name ? ` ${one.name.text}` : ""}`;
            const each = one.variables.map((variable) => `$${variable.name?.text ?? ""}: ${variable.type}${variable.initial ? ` = ${valueText(variable.initial)}` : ""}${directivesText(variable.directives)}`);
            const line = each.length ? `(${each.join(", ")})` : "";
            const variables = before.length + line.length <= widthMax ? line : `(\n${each.map((text) => `  ${text}`).join("\n")}\n)`;
            lines.push(`${before}${variables}${directivesText(one.directives)} {`);
        }
        selections(one.selections, "  ", one.end);
        lines.push("}");
    });
    commentsBefore(Infinity, "");
    return `${lines.join("\n")}\n`;
}
