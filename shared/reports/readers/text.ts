import { TextDecoder } from 'node:util';
import { decoded } from '#shared/platform/runtime/texts.ts';

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
 * A path inside the scanned tree, from a tool that writes absolute paths or `file:` URIs: without the checkout directory
 * of the usual build machines. For another directory the beginning of the tree is unknown.
 */
export function pathInTree(path: string): string {
  const clean = cleanPath(/^file:/i.test(path) ? pathOfFileUri(path) : path);
  const checkout = CHECKOUTS.find((directory) => directory.test(clean));
  return checkout ? cleanPath(clean.replace(checkout, '')) : clean;
}

/** `/etc/x.conf` of `file:///etc/x.conf`, `D:/a/x.cs` of `file:///D:/a/x.cs` (RFC 8089). */
export function pathOfFileUri(uri: string): string {
  return decoded(uri.replace(/^file:(?:\/\/[^/]*)?/i, '')).replace(/^\/(?=[a-z]:(?:\/|$))/i, '');
}

/** The directory into which each build service puts the repository, by its documentation. */
const CHECKOUTS = [
  // GitHub Actions, Azure Pipelines: hosted, in a container, on an agent of one's own
  /^\/github\/workspace\//,
  /^\/(?:home|Users)\/runner\/work\/[^/]+\/[^/]+\//,
  /^\/home\/vsts\/work\/\d{1,9}\/s\//,
  /^[a-z]:\/a\/[^/]+\/[^/]+\//i,
  /^\/__w\/[^/]+\/[^/]+\//,
  /^(?:[a-z]:)?\/(?:[^/]+\/){0,6}_work\/[^/]+\/[^/]+\//i,
  // GitLab: with a runner of one's own the directory names runner and job before group and project
  /^(?:[a-z]:\/GitLab-Runner|\/home\/gitlab-runner)?\/builds\/[\w-]{8,}\/\d{1,3}\/[^/]+\/[^/]+\//i,
  /^(?:[a-z]:\/GitLab-Runner)?\/builds\/[^/]+\/[^/]+\//i,
  // Jenkins, TeamCity, Bamboo, Buildkite
  /^(?:[a-z]:)?\/(?:[^/]+\/){0,4}\.?jenkins(?:_home)?\/(?:agent\/)?workspace\/[^/]+\//i,
  /^(?:[a-z]:)?\/(?:[^/]+\/){0,3}build-?agent\d{0,3}\/work\/[0-9a-f]{8,40}\//i,
  /^(?:[a-z]:)?\/(?:[^/]+\/){0,6}xml-data\/build-dir\/[^/]+\//i,
  /^\/var\/lib\/buildkite-agent\/builds\/[^/]+\/[^/]+\/[^/]+\//,
  // Bitbucket, CodeBuild, CircleCI, Travis, AppVeyor, Drone, Woodpecker, Semaphore, Bitrise, Codespaces
  /^\/opt\/atlassian\/pipelines\/agent\/build\//,
  /^\/codebuild\/output\/src\d{1,20}\/src\/(?:(?:github\.com|bitbucket\.org|gitlab\.com)\/[^/]+\/[^/]+\/|git-codecommit\.[^/]+\/v1\/repos\/[^/]+\/)?/,
  /^\/(?:home\/circleci|root|Users\/distiller)\/project\//,
  /^\/(?:home|Users)\/travis\/build\/[^/]+\/[^/]+\//,
  /^[a-z]:\/projects\/[^/]+\//i,
  /^\/woodpecker\/src\/[^/]+\/[^/]+\/[^/]+\//,
  /^\/(?:drone|bitrise)\/src\//,
  /^\/home\/semaphore\/[^/]+\//,
  /^\/workspaces\/[^/]+\//,
  // GOPATH
  /^\/(?:root\/|home\/[^/]+\/)?go\/src\/[^/.]+\.[^/]+\/[^/]+\/[^/]+\//,
  // the volume that images of scanners document
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

/**
 * Bytes as UTF-8 without a byte order mark. Windows shells redirect a tool's output as UTF-16, which is read too. The
 * mark decides, so the encoding that an XML declaration behind the mark names is taken out.
 */
export async function* toUtf8(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let utf8: ((chunk?: Uint8Array) => Uint8Array) | undefined;
  let head = Buffer.alloc(0);
  for await (const chunk of source) {
    if (utf8) {
      yield utf8(chunk);
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < (markOf(head) ? HEAD_BYTES : LONGEST_MARK)) continue;
    utf8 = toUtf8Of(markOf(head));
    yield utf8(head);
  }
  if (!utf8 && head.length > 0) {
    utf8 = toUtf8Of(markOf(head));
    yield utf8(head);
  }
  if (utf8) yield utf8();
}

const LONGEST_MARK = 3;
/** More than an XML declaration takes, in UTF-16. */
const HEAD_BYTES = 1024;

type Mark = { bytes: readonly number[]; encoding: string };
const MARKS: Mark[] = [
  { bytes: [0xff, 0xfe], encoding: 'utf-16le' },
  { bytes: [0xfe, 0xff], encoding: 'utf-16be' },
  { bytes: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
];

const markOf = (head: Uint8Array): Mark | undefined =>
  MARKS.find(({ bytes }) => bytes.every((byte, at) => head[at] === byte));

/** Turns chunks into UTF-8, and no chunk into the end. Without a mark they stay: a declaration may name their encoding. */
function toUtf8Of(mark: Mark | undefined): (chunk?: Uint8Array) => Uint8Array {
  if (!mark) return (chunk = new Uint8Array(0)) => chunk;
  const decoder = new TextDecoder(mark.encoding);
  let isFirst = true;
  return (chunk) => {
    const text = decoder.decode(chunk, { stream: chunk !== undefined });
    const plain = isFirst ? text.replace(DECLARED_ENCODING, '$1') : text;
    isFirst = false;
    return Buffer.from(plain);
  };
}

const DECLARED_ENCODING = /^(\s{0,200}<\?xml[^>]{0,200}?)\s{1,50}encoding=(["'])[\w.:-]{1,50}\2/;

/** Texts under several names, each once; addresses of the machine itself are nobody's. */
export const knownTexts = (...all: readonly (string | undefined)[]): string[] =>
  [...new Set(all.flatMap((text) => (text?.trim() ? text.trim() : [])))].filter((text) => !LOCAL.test(text));

const LOCAL = /^(?:127\.|::1$|fe80:|0\.0\.0\.0$|00:00:00:00:00:00$)/i;
