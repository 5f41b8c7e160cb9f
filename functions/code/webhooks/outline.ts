import type { JsonObject } from '#shared/reports/readers/json.ts';

/** A sender's account is in an object of an object of the event. */
const LEVELS = 3;
/** A name, an account or an address is shorter. */
const MAX_BYTES = 1_000;
/** The events of the code hosts have some hundreds of names and texts in their outer levels. */
const MAX_TEXTS = 20_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * The short texts in the three outer levels of objects of a JSON document. Nobody has proven the document: this reads
 * it once, and uses memory only for the texts it keeps. For bytes that are no JSON the outline is arbitrary.
 */
export function outlineOf(bytes: Uint8Array): JsonObject {
  const whole: JsonObject = Object.create(null);
  const open: (JsonObject | undefined)[] = [];
  let [depth, name, isName, texts] = [0, '', false, 0];
  for (let at = 0; at < bytes.length && texts < MAX_TEXTS; at += 1) {
    const byte = bytes[at];
    const object = depth > LEVELS ? undefined : open[depth];
    if (byte === QUOTE) {
      const end = endOfText(bytes, at);
      if (object) {
        const text = textIn(bytes, at, end);
        if (isName) name = text;
        else object[name] = text;
        texts += 1;
      }
      at = end;
    } else if (byte === COMMA) isName = true;
    else if (byte === COLON) isName = false;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth -= 1;
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      depth += 1;
      if (depth > LEVELS) continue;
      open[depth] = undefined;
      if (byte === OPEN_ARRAY || (depth > 1 && !object)) continue;
      const inner: JsonObject = depth === 1 ? whole : Object.create(null);
      open[depth] = inner;
      if (object) object[name] = inner;
      isName = true;
    }
  }
  return whole;
}

/** The place of the quote that ends a text. */
function endOfText(bytes: Uint8Array, begin: number): number {
  let at = begin + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

/** Empty where it is too long for a name, or no text of JSON. */
function textIn(bytes: Uint8Array, begin: number, end: number): string {
  if (end - begin > MAX_BYTES) return '';
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + begin, end + 1 - begin).toString();
  if (!text.includes('\\')) return text.slice(1, -1);
  try {
    return String(JSON.parse(text));
  } catch {
    return '';
  }
}
