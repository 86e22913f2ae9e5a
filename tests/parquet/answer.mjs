// Answers statements of SQL, one a line of JSON on standard input, with a line of JSON each: `rows`,
// or `error`. Whole numbers come as texts.
import { createInterface } from "node:readline";
import { query } from "./readers.mjs";

const text = (_, value) => (typeof value === "bigint" ? value.toString() : value);
for await (const line of createInterface({ input: process.stdin })) {
  let answer;
  try {
    answer = { rows: await query(JSON.parse(line)) };
  } catch (error) {
    answer = { error: error.message };
  }
  process.stdout.write(`${JSON.stringify(answer, text)}\n`);
}
