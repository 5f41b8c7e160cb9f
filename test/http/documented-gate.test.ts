import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createApiKey } from '#shared/credentials/issue.ts';
import { toolReport } from '../support/shop.ts';
import { startSystem } from '../support/system.ts';

const system = startSystem();
const directory = mkdtempSync(join(tmpdir(), 'gate-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** The commands of a section of docs/branches.md: of `curl` each block, of the others what their runner gives to the shell. */
function commandsIn(section: string): string[] {
  const [, text = ''] = readFileSync('docs/branches.md', 'utf8').split(`### ${section}\n`);
  const [shown = ''] = text.split(/^(?:###|docs\/)/m);
  const blocks = shown.split(/^(?! {4}|$).*$/m).filter((block) => block.trim() !== '');
  if (section === 'curl') return blocks;
  const [, ...steps] = blocks.join('').split(/^ *- (?:run: )?/m);
  return [steps.map((step) => step.replace(/^\|\n/, '').split(/^ {6}env:/m)[0]).join('\n')];
}

type Job = { rules: string[]; ref: string; environment?: object };

/** Runs the commands as a CI job does that ends at the first failure. @returns the exit code of the shell */
async function run(commands: string, key: string, { rules, ref, environment }: Job): Promise<number> {
  for (const name of ['report.sarif', 'gl-sast-report.json']) writeFileSync(join(directory, name), toolReport(rules));
  const forge = {
    GITHUB_REPOSITORY: 'acme/shop',
    GITHUB_SHA: 'abc',
    GITHUB_REF: 'refs/pull/7/merge',
    GITHUB_HEAD_REF: ref,
    GITHUB_BASE_REF: ref === 'main' ? '' : 'main',
    CI_PROJECT_URL: 'https://gitlab.example.com/acme/shop',
    CI_COMMIT_SHA: 'abc',
    CI_COMMIT_REF_NAME: ref,
  };
  const env = { PATH: process.env.PATH, EXPOSURE_URL: system.baseUrl, EXPOSURE_KEY: key, ...forge, ...environment };
  const named = commands.replaceAll(/(ref=|ref: ")feature/g, `$1${ref}`);
  return new Promise((resolve) => {
    const shell = execFile('bash', ['-e', '-c', named], { cwd: directory, env }, () => resolve(shell.exitCode ?? -1));
  });
}

const tools = spawnSync('bash', ['-c', 'command -v curl && command -v jq']);

describe.skipIf(tools.status !== 0)('the commands that the documentation shows', () => {
  test.each(['curl', 'GitHub Actions', 'GitLab CI'])(
    'fail a CI job of %s for what a branch adds, and only for that',
    async (section) => {
      const commands = commandsIn(section);
      expect(commands.length).toBeGreaterThan(0);
      for (const command of commands) {
        const { table } = await system.newOrganization();
        const { secret } = await createApiKey(table, {
          name: 'ci',
          scopes: ['findings:write', 'findings:read'],
          expiresAt: null,
        });
        const exit = (job: Job) => run(command, secret, job);
        expect(await exit({ ref: 'main', rules: ['a'] })).toBe(1);
        expect(await exit({ ref: 'main', rules: ['a'] })).toBe(1);
        const later = { GITHUB_SHA: 'def', CI_COMMIT_SHA: 'def' };
        expect(await exit({ ref: 'main', rules: ['a'], environment: later })).toBe(section === 'curl' ? 1 : 0);
        expect(await exit({ ref: 'feature', rules: ['a'] })).toBe(0);
        expect(await exit({ ref: 'feature', rules: ['a', 'b'] })).toBe(1);
        const away = { EXPOSURE_URL: 'http://127.0.0.1:9' };
        expect(await exit({ ref: 'feature', rules: ['a'], environment: away })).not.toBe(0);
        expect(await exit({ ref: 'feature', rules: ['a'], environment: { EXPOSURE_KEY: 'wrong' } })).not.toBe(0);
      }
    },
  );
});
