import { maskedSecret } from './masked.ts';
import type { ReportFinding, ReportLocation } from './report.ts';

type Quoting = Pick<ReportFinding, 'title' | 'ruleId' | 'location'> &
  Partial<Pick<ReportFinding, 'cves' | 'cwes' | 'component' | 'otherLocations'>> &
  Partial<Pick<ReportFinding, 'description' | 'remediation' | 'evidence' | 'secret'>>;

/** A password, a key or another credential that stands in code. */
const IN_CODE = new Set(['CWE-259', 'CWE-321', 'CWE-798']);
const WORDS = /hard[-_ ]?coded|secret|passw|credential|private[-_ ]?key|api[-_ ]?key|access[-_ ]?(?:key|token)/i;

/**
 * Whether a finding of a tool that looks at code says that a secret stands there. Such tools quote the line and do not tell which
 * part of it is the secret, so that nothing of such a report may be kept as it came.
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
    for (const value of valuesIn(snippet)) inCode.add(value);
  const told = (words: string): string => withoutQuotes(without(words, inCode));
  const place = (one: ReportLocation): ReportLocation => ({
    ...one,
    ...(one.snippet !== undefined && { snippet: maskedCode(one.snippet) }),
  });
  return {
    ...draft,
    title: told(draft.title),
    description: description && told(description),
    remediation: remediation && told(remediation),
    evidence: evidence?.map(({ kind, content }) => ({ kind, content: maskedCode(without(content, inCode)) })),
    location: place(location),
    otherLocations: otherLocations?.map(place),
  };
}

const LITERALS = /"[^"\n]*"|'[^'\n]*'|`[^`\n]*`/g;
/** `PASSWORD=abc`, `password: abc`, where the line has no quotes. */
const ASSIGNED = /^([^=:\n]{1,200}[=:])([^\n]*)$/;
const BETWEEN_TAGS = />[^<>\n]+</g;
/** A shorter value is a word that texts may have for other reasons. */
const TELLING = 4;

/** The literals and values of lines of code: any may be the secret. */
function valuesIn(code: string): string[] {
  const literals = code.match(LITERALS)?.map((one) => one.slice(1, -1)) ?? [];
  const assigned = code.split('\n').flatMap((line) => (hasQuote(line) ? [] : (ASSIGNED.exec(line)?.[2]?.trim() ?? [])));
  return [...literals, ...assigned].filter((value) => value.length >= TELLING);
}

const hasQuote = (line: string): boolean => /["'`]/.test(line);

const maskedCode = (code: string): string => withoutKeyBlock(code).split('\n').map(maskedLine).join('\n');

function maskedLine(line: string): string {
  if (hasQuote(line))
    return line.replace(LITERALS, (one) => `${one.slice(0, 1)}${maskedValue(one.slice(1, -1))}${one.slice(-1)}`);
  if (line.includes('<')) return line.replace(BETWEEN_TAGS, (one) => `>${maskedValue(one.slice(1, -1))}<`);
  return line.replace(
    ASSIGNED,
    (_, name: string, value: string) => `${name}${value.trim() && ` ${maskedValue(value)}`}`,
  );
}

const maskedValue = (value: string): string => (value.trim() === '' ? value : maskedSecret(value.trim()));

const BEGIN = '-----BEGIN ';

/** A key in PEM goes over many lines, of which a report may have the first ones only. */
function withoutKeyBlock(code: string): string {
  const from = code.indexOf(BEGIN);
  if (from < 0) return code;
  const end = code.indexOf('-----END ', from);
  return `${code.slice(0, from)}${BEGIN}**** ${end < 0 ? '' : code.slice(end)}`;
}

const QUOTED = /(^|[\s(:=,])(["'`])[^"'`\n]{1,300}\2(?=$|[\s).,;:])/g;

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
