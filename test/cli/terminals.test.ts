import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { commands } from '../../cli/commands.ts';
import { hasTerminals, keyOf, startCli } from '../support/cli.ts';
import { sarifReport } from '../support/sarif.ts';
import { startSystem } from '../support/system.ts';

/** Each command, in a pipe and in a terminal: the same work and the same exit code. */
const system = startSystem();
const cli = startCli();
const at = ['--repository', 'https://git.example.com/acme/shop', '--ref', 'main', '--base', 'main', '--build-id', '1'];
let env: Record<string, string | undefined>;
let taskId = '';

beforeAll(async () => {
  const organization = await system.newOrganization();
  const scopes = ['findings:read', 'findings:write', 'vulnerabilities:read', 'assets:read', 'soc:read'] as const;
  env = await keyOf(system, organization, [...scopes, 'scans:trigger', 'reports:read', 'reports:write']);
  writeFileSync(join(cli.home, 'a.sarif'), sarifReport({ count: 2 }));
  writeFileSync(join(cli.home, 'key.txt'), env.EXPOSURE_KEY ?? '');
  const { stdout } = await cli.run(['import', 'a.sarif', ...at, '--json'], { env });
  taskId = JSON.parse(stdout).imports[0].taskId;
});

type Row = { args: string[]; code: number; shows: RegExp; answers?: [string, string][] };
const there = ['--url', 'URL', '--profile', 'here'];

/** The pattern `shows` fits one of the two outputs of a pipe, and the screen of a terminal. */
const ROWS: Record<string, Row> = {
  import: { args: ['import', 'a.sarif', ...at], code: 0, shows: /✓ a\.sarif: 2 unchanged/ },
  gate: { args: ['gate', ...at], code: 1, shows: /The gate failed/ },
  branch: { args: ['branch', 'end', ...at.slice(0, 2), '--ref', 'none'], code: 0, shows: /none was not scanned/ },
  findings: { args: ['findings', 'list'], code: 0, shows: /SEVERITY.*SQL built/s },
  vulnerabilities: { args: ['vulnerabilities', 'count'], code: 0, shows: /0/ },
  assets: { args: ['assets', 'list'], code: 0, shows: /repository\s+https:\/\/git\.example\.com/ },
  alerts: { args: ['alerts', 'count'], code: 0, shows: /0/ },
  tasks: { args: ['tasks', 'list'], code: 0, shows: /OPERATION.*ingest_report\s+succeeded\s+2 findings/s },
  triage: {
    args: ['triage', '--filter', 'severity:high', '--assign', 'none', '--dry-run'],
    code: 0,
    shows: /2 findings/,
  },
  export: { args: ['export', 'findings'], code: 0, shows: /SQL built/ },
  report: { args: ['report', 'create', 'technical', '--format', 'json'], code: 0, shows: /[\da-f-]{36}/ },
  scan: { args: ['scan', 'start', 'https://shop.example.com', '--type', 'web'], code: 0, shows: /[\da-f-]{36}/ },
  task: { args: ['task', 'wait', 'TASK'], code: 0, shows: /ingest_report succeeded/ },
  login: { args: ['login', ...there, '--key-file', 'key.txt'], code: 0, shows: /Signed in to .* as ci \(api key\)/ },
  whoami: { args: ['whoami', '--profile', 'here'], code: 0, shows: /scopes\s+findings:read, .*reports:write/s },
  logout: { args: ['logout', '--profile', 'here'], code: 0, shows: /here/ },
  'ci-token': { args: ['ci-token', '--organization', 'none'], code: 3, shows: /no identity token/ },
  detections: { args: ['detections', 'lint', 'a.sarif'], code: 1, shows: /a\.sarif: / },
  'link-token': { args: ['link-token', 'list'], code: 3, shows: /whoami/ },
  events: { args: ['events', 'tail', '--once', '--since', '0', '--entity', 'asset'], code: 0, shows: /asset/ },
  webhooks: { args: ['webhooks', 'listen', '--forward', 'https://hooks.example.com/'], code: 2, shows: /this machine/ },
  deliveries: { args: ['deliveries', 'list'], code: 3, shows: /whoami/ },
  logs: { args: ['logs', 'values', '--field', 'host'], code: 0, shows: /0 values in 0 events/ },
  notifications: { args: ['notifications', 'list'], code: 3, shows: /A key has no inbox.*exposure login/s },
  api: { args: ['api', 'GET', 'findings', '-f', 'paginateSize=1'], code: 0, shows: /"totalCount": ?2/ },
  mcp: { args: ['mcp'], code: 0, shows: /\d+ tools for .*only read/, answers: [['tools for', '\u0004']] },
  completion: { args: ['completion', 'bash'], code: 0, shows: /complete/ },
  complete: { args: ['complete', 'bash', 'exposure find'], code: 0, shows: /findings/ },
};

test('no command is without a row', () => {
  expect(Object.keys(ROWS).sort()).toEqual(commands.map(({ name }) => name).sort());
});

test.each(Object.entries(ROWS))('%s', async (_, { args, code, shows, answers }) => {
  const words = args.map((word) => word.replace('URL', system.baseUrl).replace('TASK', taskId));
  const piped = await cli.run(words, { env });
  expect({ code: piped.code, shown: piped.stdout + piped.stderr }).toEqual({
    code,
    shown: expect.stringMatching(shows),
  });
  expect(piped.stdout + piped.stderr).not.toContain(env.EXPOSURE_KEY);
  expect(piped.stdout + piped.stderr).not.toContain('\u001b');
  if (!hasTerminals) return;
  if (args[0] === 'logout')
    await cli.run(['login', '--url', system.baseUrl, '--profile', 'here', '--key-file', 'key.txt']);
  const { code: ended, screen } = await cli.inTerminal(words, { env, columns: 100, ...(answers && { answers }) });
  expect({ ended, screen: stripVTControlCharacters(screen) }).toEqual({
    ended: code,
    screen: expect.stringMatching(shows),
  });
  expect(screen).not.toContain(env.EXPOSURE_KEY);
});
