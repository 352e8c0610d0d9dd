// Reads one case a line, its parts in base64 between commas, and writes each case's key.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const namespace = Buffer.from("a70d5bff-e713-4322-b2ea-9d5c4926a861".replaceAll("-", ""), "hex");
const keys = readFileSync(0, "utf8").split("\n").slice(0, -1).map((line) => {
  const parts = line.split(",").map((part) => Buffer.from(part, "base64").toString("utf8"));
  const id = createHash("sha1").update(namespace).update(JSON.stringify(parts), "utf8").digest().subarray(0, 16);
  id[6] = (id[6] & 0x0f) | 0x50;
  id[8] = (id[8] & 0x3f) | 0x80;
  return id.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
});
process.stdout.write(keys.join("\n") + "\n");
