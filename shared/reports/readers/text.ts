import { TextDecoder } from 'node:util';

const CUT_MARK = ' [cut]';

/** Terminals and other programs take them for commands; a text needs only tab and the ends of lines. */
const CONTROLS = /[^\P{Cc}\t\n\r]/gu;

/**
 * At most `maxBytes` bytes of UTF-8, without control characters, never half a character; a cut text ends with a note
 * about it.
 */
export function bounded(given: string, maxBytes: number): string {
  const text = given.replace(CONTROLS, '');
  if (text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes) return text.toWellFormed();
  const bytes = Buffer.from(text.slice(0, maxBytes));
  let end = Math.min(bytes.length, maxBytes) - CUT_MARK.length;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end) + CUT_MARK;
}

/** One line: every run of white space becomes a blank. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** The existing texts without duplicates, with an empty line between them. */
export const paragraphs = (...texts: (string | undefined)[]): string =>
  [...new Set(texts)].filter((text) => text?.trim()).join('\n\n');

export function firstSentence(text: string): string {
  const line = oneLine(text);
  return /^.{20,}?[.!?](?= |$)/.exec(line)?.[0].replace(/\.$/, '') ?? line;
}

/** A path inside the scanned tree, spelled the same by each tool and on each system: `src/app.ts`. */
export function cleanPath(path: string): string {
  return path.replaceAll('\\', '/').replace(/^(\.\/+)+/, '');
}

/**
 * A path inside the scanned tree, from a tool that writes absolute paths: without the checkout directory of the usual
 * build machines. For another directory the beginning of the tree is unknown.
 */
export function pathInTree(path: string): string {
  const clean = cleanPath(path);
  const checkout = CHECKOUTS.find((directory) => directory.test(clean));
  return checkout ? clean.replace(checkout, '') : clean;
}

const CHECKOUTS = [
  /^\/github\/workspace\//,
  /^\/home\/runner\/work\/[^/]+\/[^/]+\//,
  /^[a-z]:\/a\/[^/]+\/[^/]+\//i,
  /^\/__w\/[^/]+\/[^/]+\//,
  /^\/builds\/[^/]+\/[^/]+\//,
  /^\/home\/vsts\/work\/\d{1,9}\/s\//,
  /^\/opt\/atlassian\/pipelines\/agent\/build\//,
  /^\/codebuild\/output\/src\d{1,20}\/src\//,
  /^\/home\/circleci\/project\//,
  /^\/var\/(?:lib\/jenkins|jenkins_home)\/workspace\/[^/]+\//,
  /^\/(?:root\/|home\/[^/]+\/)?go\/src\/[^/.]+\.[^/]+\/[^/]+\/[^/]+\//,
  /^\/(?:workspace|src|code|app|repo|path|pwd)\//,
];

/** CVE ids in any spelling, upper case, each once. CVE numbers have four digits or more. */
export function findCves(...texts: (string | undefined)[]): string[] {
  return uniqueMatches(texts, /\bCVE[-_]\d{4}[-_]\d{4,}\b/gi, (match) => match.toUpperCase().replaceAll('_', '-'));
}

/** CWE ids as `CWE-79`: from `cwe-079`, `CWE: 79`, `external/cwe/cwe-079`. */
export function findCwes(...texts: (string | undefined)[]): string[] {
  return uniqueMatches(texts, /\bCWE[-_: ]{0,2}\d{1,5}\b/gi, (match) => `CWE-${Number(/\d+/.exec(match)?.[0])}`);
}

/** Ids of GitHub's advisories, from themselves or from their pages: `GHSA-` in capitals, the rest small. */
export function findGhsas(...texts: (string | undefined)[]): string[] {
  return uniqueMatches(texts, /\bGHSA(?:-[a-z0-9]{4}){3}\b/gi, (match) => `GHSA${match.slice(4).toLowerCase()}`);
}

function uniqueMatches(texts: (string | undefined)[], pattern: RegExp, spell: (match: string) => string): string[] {
  const found = new Set<string>();
  for (const text of texts) for (const match of text?.match(pattern) ?? []) found.add(spell(match));
  return [...found];
}

/** Bytes as UTF-8 without a byte order mark. Windows shells redirect a tool's output as UTF-16, which is read too. */
export async function* toUtf8(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let decoder: TextDecoder | null | undefined;
  let head: Uint8Array = new Uint8Array(0);
  for await (const chunk of source) {
    let bytes = chunk;
    if (decoder === undefined) {
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
      if (head.length < 3) continue;
      decoder = utf16Decoder(head);
      bytes = withoutMark(head);
    }
    yield decoder ? Buffer.from(decoder.decode(bytes, { stream: true })) : bytes;
  }
  if (decoder === undefined && head.length > 0) yield head;
  if (decoder) yield Buffer.from(decoder.decode());
}

function utf16Decoder(head: Uint8Array): TextDecoder | null {
  if (head[0] === 0xff && head[1] === 0xfe) return new TextDecoder('utf-16le');
  if (head[0] === 0xfe && head[1] === 0xff) return new TextDecoder('utf-16be');
  return null;
}

function withoutMark(head: Uint8Array): Uint8Array {
  return head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? head.subarray(3) : head;
}

/** Texts under several names, each once; addresses of the machine itself are nobody's. */
export const knownTexts = (...all: readonly (string | undefined)[]): string[] =>
  [...new Set(all.flatMap((text) => (text?.trim() ? text.trim() : [])))].filter((text) => !LOCAL.test(text));

const LOCAL = /^(?:127\.|::1$|fe80:|0\.0\.0\.0$|00:00:00:00:00:00$)/i;
