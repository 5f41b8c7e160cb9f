import type { Request } from '@middy/core';
import { describe, expect, test } from 'vitest';
import { checkTarget } from '#shared/assets/targets/canonical.ts';
import { refName, repositoryName } from '#shared/assets/targets/repository.ts';
import { TARGET_TYPES, type TargetType } from '#shared/assets/targets/scan-target.ts';
import { scopeCheck } from '#shared/assets/targets/scope-check.ts';
import { bodyParser } from '#shared/platform/http/body.ts';
import type { Incoming } from '#shared/platform/http/incoming.ts';
import type { Route } from '#shared/platform/http/route.ts';
import { makeRouter } from '#shared/platform/http/router.ts';
import { cvssScoreOf } from '#shared/reports/readers/cvss.ts';
import { completeFinding } from '#shared/reports/readers/finding.ts';
import { cleanPath, findCves, findCwes, firstSentence, oneLine } from '#shared/reports/readers/text.ts';
import { codeOf, eventsOf, findingsOf } from './reading.ts';

/*
 * Every parser of outside text, on inputs that were made to be slow. Processor time is compared with a bound that a
 * linear parser stays far below, and that one which compares each part with each other passes many times over.
 */
const MAX_SECONDS = 5;

async function secondsOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage().user;
  await work();
  return (process.cpuUsage().user - before) / 1e6;
}

const list = <T>(length: number, entry: (n: number) => T): T[] => Array.from({ length }, (_, n) => entry(n));

const sarif = (results: unknown[], tool: object = {}) =>
  JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: { name: 'x' }, ...tool }, results }] });
const saying = (message: object) => sarif([{ ruleId: 'r', message }]);
const periodic = `${'a'.repeat(8000)}b${'a'.repeat(7999)}`;
const ruleOf = { id: 'r', fullDescription: { text: periodic }, messageStrings: { m: { text: 'a'.repeat(64_000) } } };
const nmap = (inside: string) =>
  `<nmaprun><host><status state="up"/><address addr="10.0.0.7" addrtype="ipv4"/><ports><port protocol="tcp" portid="80">` +
  `<state state="open"/>${inside}</port></ports></host><runstats><finished exit="success"/></runstats></nmaprun>`;
const table = (n: number) =>
  `<table key="v${n}"><elem key="title">t${n}</elem><elem key="state">VULNERABLE</elem></table>`;
const vulns = `<script id="x" output="${'y '.repeat(1_000_000)}">${list(20_000, table).join('')}</script>`;
const name = (n: number) => `${'n'.repeat(100_000)}${n}`;
const nested = `${list(60, (n) => `<${name(n)}>`).join('')}${'<a/>'.repeat(20_000)}`;
const matched = (at: string) => JSON.stringify([{ 'template-id': 't', 'matched-at': at, host: at }]);
const titled = (title: string) => JSON.stringify([{ externalId: 'e', title, description: title, cves: [title] }]);
const gosec = (issue: object) =>
  JSON.stringify({ 'Golang errors': {}, Issues: [{ rule_id: 'G1', file: 'a.go', ...issue }], Stats: {} });
const dependency = { package: { name: 'p' }, version: '1' };
const gitlab = (vulnerability: object) =>
  JSON.stringify({ vulnerabilities: [{ name: 'n', location: { dependency }, ...vulnerability }], remediations: [] });

const reports: [string, string, string][] = [
  ['sarif', 'a link that never ends', saying({ text: `[${'\\['.repeat(100_000)}` })],
  ['sarif', 'a long text in place of each placeholder', saying({ text: '{0}'.repeat(27_000), arguments: [periodic] })],
  [
    'sarif',
    'results whose message is searched for a long text',
    sarif(
      list(500, () => ({ ruleId: 'r', message: { id: 'm' } })),
      { driver: { name: 'x', rules: [ruleOf] } },
    ),
  ],
  ['sarif', 'a schema that names itself', JSON.stringify({ $schema: 'sarif'.repeat(40_000), runs: [] })],
  [
    'sarif',
    'results of a tool with endless extensions',
    sarif(
      list(10_000, () => ({ ruleId: 'r', rule: { toolComponent: { name: 'z' } }, message: { text: 'm' } })),
      { extensions: list(20_000, (n) => ({ name: `e${n}` })) },
    ),
  ],
  ['nmap', 'a script of many vulnerabilities with a long output', nmap(vulns)],
  ['nmap', 'elements in elements with endless names', `<nmaprun>${nested}`],
  ['nuclei', 'a place of colons', matched(`${':1'.repeat(100_000)}x`)],
  ['nuclei', 'a place of dots', matched(`${'a.'.repeat(100_000)}oast`)],
  ['apex', 'a title of blanks', titled(`x${' '.repeat(200_000)}x`)],
  ['apex', 'a title of beginnings of ids', titled('CVE-2021-'.repeat(20_000))],
  [
    'trufflehog',
    'a commit of endless strings',
    JSON.stringify([{ reason: 'r', path: 'p', diff: '', stringsFound: list(50_000, (n) => `s${n}`) }]),
  ],
  ['sonarqube', 'rows that never end', `<title>SonarQube Vulnerability Report</title>${'<tr><td>'.repeat(400_000)}`],
  ['gosec', 'code of one line without end', gosec({ code: `${'1'.repeat(400_000)}: x`, line: '1' })],
  ['gosec', 'code of endless lines', gosec({ code: '7: x\n'.repeat(400_000), line: '7-400000' })],
  ['gitlab', 'a solution of beginnings', gitlab({ solution: `Upgrade ${'to '.repeat(400_000)}` })],
  ['spdx', 'lines without end', `SPDXVersion: SPDX-2.3\n${'\n'.repeat(20_000_000)}${'a\n'.repeat(10_000_000)}`],
  ['wapiti', 'members without end', `{${'"k":1,'.repeat(8_000_000)}"z":1}`],
  ['nuclei', 'lines of a letter behind an entry', `${matched('x')}\n${'a\n'.repeat(10_000_000)}`],
  ['nuclei', 'entries of nothing', `[${'{},'.repeat(10_000_000)}0]`],
  ['kubescape', 'resources of nothing', `{"resources":[${'{},'.repeat(10_000_000)}0]}`],
  ['govulncheck', 'documents of nothing', `{"config":{}}\n${'{}\n'.repeat(10_000_000)}`],
  ['sarif', 'results that say nothing', sarif(list(300_000, () => ({ guid: 'x'.repeat(60) })))],
  [
    'nessus',
    'blanks without end',
    `Plugin ID,CVE,CVSS,Risk,Host,Protocol,Port,Name,Plugin Output\n1,${' '.repeat(40_000_000)},`,
  ],
  ['openvas', 'rows of a letter behind a row', `IP,Hostname,Port\n1.2.3.4,a,1\n${'a\n'.repeat(25_000_000)}`],
  ['openvas', 'empty lines without end', `IP,Hostname,Port\n${'\n'.repeat(40_000_000)}`],
  [
    'openvas',
    'rows without a value between others',
    `IP,Hostname,Port\n${`${',\n'.repeat(500_000)}1.2.3.4,a,1\n`.repeat(20)}`,
  ],
  ['testssl', 'a row of quotes without end', '"'.repeat(15_000_000)],
  ['gitleaks', 'rows of one cell before a header that never comes', `RuleID,Commit\n${'a\n'.repeat(7_000_000)}`],
  [
    'semgrep',
    'a path of parts',
    JSON.stringify({ results: [{ check_id: 'r', path: './'.repeat(400_000), extra: {} }] }),
  ],
];

test.each(reports)('a report of %s with %s keeps no worker busy', async (format, _, content) => {
  expect(await secondsOf(() => codeOf(eventsOf(format, content)))).toBeLessThan(MAX_SECONDS);
});

test('a text in place of a placeholder makes no finding larger than others', async () => {
  const text = saying({ text: '{0}'.repeat(27_000), arguments: [periodic] });
  const [finding] = findingsOf(await eventsOf('sarif', text));
  expect(finding?.description?.length).toBeLessThan(17 * 1024);
});

const route: Route = {
  method: 'POST',
  path: '/a/{id}/b',
  summary: '-',
  access: { role: 'viewer' },
  form: true,
  response: { contentType: '-' },
};
const parse = (sent: string, type: string) => {
  const event = {
    headers: { 'content-type': type },
    isBase64Encoded: false,
    match: { name: 'a', route, params: {} },
    sent,
  };
  bodyParser.before?.({ event: { ...event, body: sent } } as unknown as Request<Incoming>);
};
const find = makeRouter({ a: route });
const target = (type: TargetType, value: string) => ({ type, value, zone: null });
const draft = { severity: 'low' as const, ruleId: 'r', asset: null, location: {}, identity: ['i'] };

const texts = [
  '/',
  '.',
  ' ',
  'a',
  '@a',
  ':',
  'a.',
  '-',
  './',
  '[',
  '\\[',
  'CWE-',
  '1',
  '(',
  'a:',
  '%2f',
  '\ud83d\ude00',
];

const parsers: [string, (text: string) => unknown][] = [
  ['the router', (text) => find('POST', `/a${text}`)],
  ...TARGET_TYPES.map((type): [string, (text: string) => unknown] => [
    `a target of type ${type}`,
    (text) => checkTarget(target(type, text)),
  ]),
  ['the name of a repository', repositoryName],
  ['the name of a branch', refName],
  ['a scope', (text) => scopeCheck({ targets: [target('repository', text)], exclusions: [] })],
  ['a CVSS vector', (text) => cvssScoreOf(`CVSS:3.1/${text}`)],
  ['the texts of a finding', (text) => completeFinding({ ...draft, title: text, description: text })],
  ['a title', (text) => [firstSentence(text), oneLine(text), cleanPath(text), findCves(text), findCwes(text)]],
];

test.each(parsers)('%s takes time that grows with the text and no faster', async (_, work) => {
  const all = () => Promise.all(texts.map((text) => work(`x${text.repeat(200_000 / text.length)}\u0000`)));
  expect(await secondsOf(all)).toBeLessThan(MAX_SECONDS);
});

describe('a body of the largest size is parsed in time that grows with it', () => {
  test.each<[string, string, string]>([
    ['a form of many fields', 'application/x-www-form-urlencoded', list(300_000, (n) => `a${n}=1`).join('&')],
    ['an object of many fields', 'application/json', `{${list(250_000, (n) => `"a${n}":1`).join(',')}}`],
    ['a list of many objects', 'application/json', `[${'{"a":[1]},'.repeat(300_000)}1]`],
  ])('%s', async (_, type, sent) => {
    expect(await secondsOf(() => parse(sent, type))).toBeLessThan(MAX_SECONDS);
  });
});
