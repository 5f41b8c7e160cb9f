import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { createApiKey } from '#shared/credentials/issue.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { findingDraft } from '../support/findings.ts';
import { startSystem } from '../support/system.ts';
import { until } from '../support/wait.ts';

const system = startSystem();
const directory = mkdtempSync(join(tmpdir(), 'mirror-'));
afterAll(() => rmSync(directory, { recursive: true }));

const commands = [...readFileSync('docs/mirror.md', 'utf8').matchAll(/^```sh\n(.*?)^```/gms)].map(
  ([, text = '']) => text,
);
const tools = spawnSync('bash', ['-c', 'command -v curl && command -v jq']);

describe.skipIf(tools.status !== 0)('the commands of docs/mirror.md', () => {
  /** @returns the value of `next` after the commands */
  async function run(key: string, next: string, commands: readonly string[]): Promise<string> {
    const env = { PATH: process.env.PATH, url: system.baseUrl, key, next };
    const script = [...commands, 'echo "$next"'].join('\n');
    return (await promisify(execFile)('bash', ['-e', '-c', script], { cwd: directory, env })).stdout.trim();
  }

  const linesOf = (file: string) =>
    readFileSync(join(directory, file), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line): { id: string } => JSON.parse(line));

  test('copy what is there, and then each change with its record', async () => {
    const { table, admin } = await system.newOrganization();
    const { secret } = await createApiKey(table, {
      name: 'mirror',
      scopes: ['findings:read', 'assets:read', 'vulnerabilities:read'],
      expiresAt: null,
    });
    const { id } = await table.create(findings, findingDraft(new Date().toISOString()));
    await until(
      () => admin.ok('listChanges', { query: { entity: 'finding' } }),
      ({ data }) => data.length > 0,
    );
    const [begin = '', readAll = '', follow = '', again = ''] = commands;
    const next = await run(secret, '', [begin, readAll]);
    expect(linesOf('findings.jsonl')).toMatchObject([{ id }]);
    await admin.ok('updateFinding', { params: { id }, body: { tags: ['shop'] } });
    await until(
      () => admin.ok('listChanges', { query: { since: next, entity: 'finding' } }),
      ({ data }) => data.length > 0,
    );
    expect(await run(secret, next, [follow, again])).not.toBe(next);
    expect(linesOf('changed.jsonl')).toMatchObject([{ entity: 'finding', id, record: { id, tags: ['shop'] } }]);
    expect(JSON.parse(readFileSync(join(directory, 'again.json'), 'utf8'))).toMatchObject({ data: [{ id }] });
  });
});
