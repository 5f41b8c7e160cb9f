import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const demo = fileURLToPath(new URL('../../local/demo.ts', import.meta.url));

/** The demo as on a machine without Nmap: on its search path is only what starting an engine needs. */
async function runDemo() {
  const PATH = mkdtempSync(join(tmpdir(), 'path-'));
  onTestFinished(() => rmSync(PATH, { recursive: true }));
  symlinkSync('/bin/cat', join(PATH, 'cat'));
  const child = spawn(process.execPath, [demo], { env: { PATH } });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => {
      output += text;
    });
  const [code] = await once(child, 'close');
  return { code, output };
}

/** The state of the vulnerability in each findings table that was printed. */
const states = (output: string) => [...output.matchAll(/^ +(\w+) +(\w+) .*CVE-2011-3192/gm)].map((row) => row.slice(1));
const counts = (output: string) => output.match(/\d+ findings, \d+ open/g);

test('the demo shows a vulnerability found, counted, and closed by the next scan, also without Nmap', async () => {
  const { code, output } = await runDemo();
  expect(output).toContain('Nmap is not installed: recorded reports');
  expect(states(output)).toEqual([
    ['high', 'open'],
    ['high', 'fixed'],
  ]);
  expect(counts(output)).toEqual(['2 findings, 2 open', '2 findings, 1 open']);
  expect(output.trimEnd()).toMatch(/stopped; nothing is left running$/);
  expect(code).toBe(0);
});
