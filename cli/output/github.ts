import { fileOf, pageOf, placeOf, type Reported, type Verdict } from './reported.ts';

const COMMANDS = { critical: 'error', high: 'error', medium: 'warning', low: 'notice', info: 'notice' } as const;

/**
 * Findings as annotations of GitHub Actions, a line each. Texts of reports could hold a command of their own: a line
 * break and the separators of a command are written as the runner reads them back (actions/toolkit, command.ts).
 */
export const annotationsOf = (findings: readonly Reported[]): string =>
  findings.map((finding) => `${annotationOf(finding)}\n`).join('');

function annotationOf(finding: Reported): string {
  const { severity, title, ruleId } = finding;
  const file = fileOf(finding);
  const properties = Object.entries({ file: file?.path, line: file?.line, title: `${severity}: ${ruleId}` })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${propertyOf(String(value))}`);
  return `::${COMMANDS[severity]} ${properties.join(',')}::${dataOf(file ? title : `${title} (${placeOf(finding)})`)}`;
}

const dataOf = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const propertyOf = (text: string): string => dataOf(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/**
 * The lines around a text for people in a log of GitHub Actions. The runner reads commands such as `##[stop-commands]` anywhere
 * in a line; between these lines it reads none until it meets the token, which no report knows.
 */
export const fenceOf = (token: string) => ({ begin: `::stop-commands::${token}\n`, end: `::${token}::\n` });

type Shown = { findings: readonly Reported[]; verdict: Verdict | undefined; baseUrl: string };

/** The summary of a step as Markdown, with as many findings as fit into `room` bytes. */
export function summaryOf({ findings, verdict, baseUrl }: Shown, room: number): string {
  const head = verdict ? headOf(verdict) : `### ${findings.length} findings\n\n`;
  if (findings.length === 0) return fitting(head, room);
  const table = '| severity | finding | rule | place |\n|---|---|---|---|\n';
  const rest = (count: number) => `\n${count} more findings are in the service.\n`;
  let text = head + table;
  let left = room - Buffer.byteLength(text) - Buffer.byteLength(rest(findings.length));
  for (const [index, finding] of findings.entries()) {
    const row = rowOf(finding, baseUrl);
    left -= Buffer.byteLength(row);
    if (left < 0) return fitting(text + rest(findings.length - index), room);
    text += row;
  }
  return text;
}

/** A summary that has no room for its head is left out: GitHub shows the former ones. */
const fitting = (text: string, room: number): string => (Buffer.byteLength(text) > room ? '' : text);

function headOf({ passed, reasons, baseRef }: Verdict): string {
  const compared = baseRef === null ? '' : `, compared with ${plain(baseRef)}`;
  const lines = reasons.map((reason) => `- ${plain(reason)}\n`).join('');
  return `### Exposure gate ${passed ? 'passed' : 'did not pass'}${compared}\n\n${lines}${lines && '\n'}`;
}

const rowOf = (finding: Reported, baseUrl: string): string =>
  `| ${[
    finding.severity + (finding.isNew ? ' (new)' : ''),
    `[${plain(finding.title)}](${pageOf(baseUrl, finding.id)})`,
    plain(finding.ruleId),
    plain(placeOf(finding)),
  ].join(' | ')} |\n`;

/** A text as it is: Markdown takes a backslash before any sign (CommonMark 2.4), and a line break ends a row. */
const plain = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[!-/:-@[-`{-~]/g, '\\$&');
