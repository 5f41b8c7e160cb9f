import type { ReportFinding, ReportLocation } from '../report/report.ts';
import { maskedSecret } from './masked.ts';
import { oneLine } from './text.ts';

type Quoting = Pick<ReportFinding, 'title' | 'ruleId' | 'location'> &
  Partial<Pick<ReportFinding, 'cves' | 'cwes' | 'component' | 'otherLocations'>> &
  Partial<Pick<ReportFinding, 'description' | 'remediation' | 'evidence' | 'secret'>>;

/** A password, a key or another credential in code. */
const IN_CODE = new Set(['CWE-259', 'CWE-321', 'CWE-798']);
const WORDS = /hard[-_ ]?coded|secret|passw|credential|private[-_ ]?key|api[-_ ]?key|access[-_ ]?(?:key|token)/i;

/**
 * Whether a code tool's finding reports a secret in its place. Such tools quote the line and do not mark the secret in
 * it, so that nothing of such a report may be stored unchanged.
 */
export function quotesSecret({ title, ruleId, location, cves = [], cwes = [], ...finding }: Quoting): boolean {
  if (finding.secret || finding.component || cves.length > 0) return false;
  if (location.path === undefined) return false;
  return cwes.some((cwe) => IN_CODE.has(cwe)) || WORDS.test(ruleId) || WORDS.test(title);
}

/** The finding without the values that its quoted code has, where one of them may be a secret. */
export function withoutQuotedSecret<D extends Quoting>(draft: D): D {
  if (!quotesSecret(draft)) return draft;
  const { location, otherLocations, evidence, description, remediation } = draft;
  const inCode = new Set<string>();
  for (const { snippet = '' } of [location, ...(otherLocations ?? [])])
    for (const value of valuesIn(snippet)) inCode.add(value).add(oneLine(value));
  const cleaned = (words: string): string => withoutQuotes(withoutKeyBlocks(without(words, inCode)));
  const place = (one: ReportLocation): ReportLocation => ({
    ...one,
    ...(one.snippet !== undefined && { snippet: maskedCode(one.snippet) }),
  });
  return {
    ...draft,
    title: cleaned(draft.title),
    description: description && cleaned(description),
    remediation: remediation && cleaned(remediation),
    evidence: evidence?.map(({ kind, content }) => ({ kind, content: maskedCode(without(content, inCode)) })),
    location: place(location),
    otherLocations: otherLocations?.map(place),
  };
}

/** The literals of a line; the last one may end on another line. */
const LITERALS = /(["'`])([\s\S]*?)(\1|$)/g;
/** Literals over several lines; an excerpt may have only their first lines. */
const LONG_LITERALS = /("""|'''|`)([\s\S]*?)(\1|$)/g;
/** A line of a key or a certificate, which has neither a name nor quotes. */
const ENCODED = /^\s*[\w+/-]{20,}={0,2}["'`,;)\s]*$/;
/** `PASSWORD=abc`, `password: abc`, where the line has no quotes. */
const ASSIGNED = /^([^=:\n]{1,200}[=:])([^\n]*)$/;
const BETWEEN_TAGS = />[^<>\n]+</g;
/** A shorter value is a word that texts may have for other reasons. */
const TELLING = 4;

/** Each is looked for in the words beside the code. */
const MAX_VALUES = 200;

/** The literals and values of lines of code: any may be the secret. */
function valuesIn(code: string): string[] {
  const long = [...code.matchAll(LONG_LITERALS)].map(([, , value = '']) => value.trim());
  const inLines = code
    .split('\n')
    .flatMap((line) =>
      hasQuote(line)
        ? [...line.matchAll(LITERALS)].map(([, , value = '']) => value)
        : (ASSIGNED.exec(line)?.[2]?.trim() ?? []),
    );
  return [...long, ...inLines].filter((value) => value.length >= TELLING).slice(0, MAX_VALUES);
}

const hasQuote = (line: string): boolean => /["'`]/.test(line);

const maskedCode = (code: string): string =>
  withoutKeyBlocks(code)
    .replace(LONG_LITERALS, (literal, open: string, value: string, end: string) =>
      value.includes('\n') ? `${open}${maskedValue(value)}${end}` : literal,
    )
    .split('\n')
    .map(maskedLine)
    .join('\n');

function maskedLine(line: string): string {
  if (ENCODED.test(line)) return maskedValue(line);
  if (hasQuote(line))
    return line.replace(
      LITERALS,
      (_, open: string, value: string, end: string) => `${open}${maskedValue(value)}${end}`,
    );
  if (line.includes('<')) return line.replace(BETWEEN_TAGS, (one) => `>${maskedValue(one.slice(1, -1))}<`);
  return line.replace(
    ASSIGNED,
    (_, name: string, value: string) => `${name}${value.trim() && ` ${maskedValue(value)}`}`,
  );
}

const maskedValue = (value: string): string => (value.trim() === '' ? value : maskedSecret(value.trim()));

/** A key in PEM has many lines, and a report may have only the first ones. */
const KEY_BLOCK = /-----BEGIN [\s\S]*?(?=-----END |$)/g;
const withoutKeyBlocks = (text: string): string => text.replace(KEY_BLOCK, '-----BEGIN **** ');

const QUOTED = /(^|[\s(:=,])(["'`])[^"'`]+\2(?=$|[\s).,;:])/g;

/** `"password" detected here` quotes the name of the variable. */
const NAME =
  /^(?:pass(?:word|wd|phrase)?|pwd|secret|token|credentials?|(?:api|access|private|secret)[-_ ]?(?:key|token))$/i;

/** A message such as `Possible hardcoded password: 'abc'`. */
const withoutQuotes = (words: string): string =>
  words.replace(QUOTED, (quoted, before: string, quote: string) =>
    NAME.test(quoted.slice(before.length + 1, -1)) ? quoted : `${before}${quote}****${quote}`,
  );

function without(words: string, values: ReadonlySet<string>): string {
  let left = words;
  for (const value of values) left = left.replaceAll(value, '****');
  return left;
}
