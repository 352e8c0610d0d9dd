// Answers each JSON document on standard input, one a line, with a JSON list of its two canonical
// forms: compact, and indented by two spaces. JSON.stringify writes every scalar; only the order of
// the keys is decided here, because an object of JavaScript does not keep integer-like ones in place.
import { createInterface } from 'node:readline';

const pad = (n) => '  '.repeat(n);

function write(value, pretty, depth = 0) {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const list = Array.isArray(value);
  const parts = list
    ? value.map((item) => write(item, pretty, depth + 1))
    : Object.keys(value)
        .sort() // by UTF-16 code units
        .map((key) => JSON.stringify(key) + (pretty ? ': ' : ':') + write(value[key], pretty, depth + 1));
  const [open, close] = list ? '[]' : '{}';
  if (parts.length === 0) return open + close;
  if (!pretty) return open + parts.join(',') + close;
  return `${open}\n${pad(depth + 1)}${parts.join(`,\n${pad(depth + 1)}`)}\n${pad(depth)}${close}`;
}

// Where the keys are in order already, the layout must be JSON.stringify's own.
function inOrder(value) {
  if (value === null || typeof value !== 'object') return true;
  if (Array.isArray(value)) return value.every(inOrder);
  const keys = Object.keys(value);
  return keys.every((key, i) => i === 0 || keys[i - 1] < key) && keys.every((key) => inOrder(value[key]));
}

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const value = JSON.parse(line);
  const answer = [write(value, false), write(value, true)];
  if (inOrder(value) && (answer[0] !== JSON.stringify(value) || answer[1] !== JSON.stringify(value, null, 2))) {
    throw new Error(`this script's layout is not JSON.stringify's: ${line}`);
  }
  process.stdout.write(JSON.stringify(answer) + '\n');
}
