import type { OpenReport } from '../report/report.ts';
import type { JsonObject } from './json.ts';
import { type JsonPath, parseValue, splitJson } from './json-stream.ts';

/**
 * The members of a JSON document's root that describe the report: all texts and numbers, and the `wanted` objects. Lists and
 * other objects, of any size, are passed over.
 */
export async function rootMembers(open: OpenReport, ...wanted: string[]): Promise<JsonObject> {
  const members: JsonObject = {};
  const isPassedOver = ([key, ...below]: JsonPath) => below.length < 3 && !wanted.includes(String(key));
  for await (const value of splitJson(open(), isPassedOver)) {
    const [key, ...below] = value.path;
    if (value.opens || typeof key !== 'string' || below.length > 0) continue;
    // the last value of a repeated key counts, as in JSON.parse
    Object.defineProperty(members, key, { value: parseValue(value), enumerable: true, configurable: true });
  }
  return members;
}
