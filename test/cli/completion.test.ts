import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { forBash, readLine } from '../../cli/completion/line.ts';
import { keyOf, startCli } from '../support/cli.ts';
import { startSystem } from '../support/system.ts';

const system = startSystem();
const cli = startCli();
let env: Record<string, string | undefined>;

beforeAll(async () => {
  const organization = await system.newOrganization();
  env = await keyOf(system, organization, ['findings:read']);
  const folder = join(cli.home, 'bin');
  mkdirSync(folder);
  writeFileSync(join(folder, 'exposure'), `#!/bin/sh\nexec '${process.execPath}' '${cli.bundle}' "$@"\n`, {
    mode: 0o755,
  });
});

test.each([
  ['exposure findings li', ['exposure', 'findings'], 'li', undefined],
  ["exposure gate --filter 'severity:high tool:", ['exposure', 'gate', '--filter'], 'severity:high tool:', "'"],
  ['exposure gate --filter "tag:a\\"b', ['exposure', 'gate', '--filter'], 'tag:a"b', '"'],
  ['exposure a\\ b ', ['exposure', 'a b'], '', undefined],
])('the line %j is read as a shell reads it', (line, words, text, quote) => {
  expect(readLine(line)).toMatchObject({ words, typed: { text, quote } });
});

test.each([
  ['severity:high', 'severity:h', 'high'],
  ['severity:high', "'severity:h", 'severity:high'],
  ['--filter=severity:high', "--filter='sev", 'severity:high'],
  ['tag:$(reboot)', 'tag:', '\\$\\(reboot\\)'],
  ['tag:"a b"', 'tag:', '\\"a\\ b\\"'],
  ['tag:`x`', '"tag:', 'tag:\\`x\\`'],
  ["tag:it's", "'tag:", undefined],
])('bash gets %j behind %j so that it stays a text', (word, line, expected) => {
  expect(forBash(word, readLine(line).typed)).toBe(expected);
});

/** The words that bash offers for a line. */
function completed(line: string, more: Record<string, string | undefined> = env): string[] {
  const script = `
    source <(exposure completion bash)
    COMP_LINE=$1 COMP_POINT=\${#1} COMP_WORDS=($2) COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 ))
    _exposure 2>/dev/null
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const PATH = `${join(cli.home, 'bin')}:${process.env.PATH}`;
  const words = line.replaceAll(/['"]/g, '');
  const { stdout, stderr } = spawnSync('bash', ['-c', script, 'bash', line, words], {
    env: { ...more, PATH, HOME: cli.home },
    cwd: cli.home,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return stdout.trim().split('\n');
}

test('bash completes commands, options, choices and files from the program itself', () => {
  expect(completed('exposure det')).toEqual(['detections']);
  expect(completed('exposure detections ')).toEqual(expect.arrayContaining(['lint', 'push', 'test']));
  expect(completed('exposure detections push --d')).toEqual(['--dry-run', '--disabled']);
  expect(completed('exposure link-token create --kind sc')).toEqual(['scanner']);
  expect(completed('exposure completion ')).toEqual(['bash', 'zsh', 'fish']);
  writeFileSync(join(cli.home, 'rule.yml'), '');
  expect(completed('exposure detections lint ru')).toEqual(['rule.yml']);
  expect(completed('exposure comp')).toEqual(['completion']);
});

test('bash completes fields and values of filters from the service, and nothing without a sign-in', () => {
  expect(completed("exposure findings list --filter 'severity:crit")).toEqual(['severity:critical']);
  expect(completed("exposure findings list --filter 'kev:true -sev")).toEqual(
    ['critical', 'high', 'medium', 'low', 'info'].map((value) => `kev:true -severity:${value}`),
  );
  expect(completed('exposure findings list --filter severity:high,cri')).toEqual(['high,critical']);
  expect(completed("exposure findings list --filter 'asset.c")).toEqual(
    expect.arrayContaining([expect.stringMatching(/^asset\.crit/)]),
  );
  expect(completed("exposure findings list --filter 'sev", {})).toEqual(['']);
});

test.each(['zsh', 'fish'])('%s gets each word with what it means', async (shell) => {
  const { code, stdout } = await cli.run(['complete', shell, 'exposure detections pu']);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: 'words\npush\tcreate and change the rules of the organization\n',
  });
  const script = await cli.run(['completion', shell]);
  expect(script).toMatchObject({ code: 0, stdout: expect.stringContaining(`exposure complete ${shell} `) });
});
