import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defaultTools, Tool } from '../reference-scanner/tools.ts';

const nmap = defaultTools.filter(({ name }) => name === 'nmap');

type DemoTools = { recorded: boolean; tools: readonly Tool[]; mend(): void };

const recordedScan = (name: string) => fileURLToPath(new URL(`../../events/reports/nmap-${name}.xml`, import.meta.url));

/** Prints the first report or, once the marker file exists, the second. */
const replay =
  'const { existsSync, readFileSync } = require("node:fs");' +
  'const [weak, mended, marker] = process.argv.slice(1);' +
  'process.stdout.write(readFileSync(existsSync(marker) ? mended : weak));';

/** Nmap if it is installed, otherwise a command that prints recorded reports of real scans of the same server. */
export function demoTools(directory: string): DemoTools {
  if (spawnSync('nmap', ['--version']).status === 0) return { recorded: false, tools: nmap, mend() {} };
  const marker = join(directory, 'mended');
  const replayed = Tool.parse({
    taskType: 'network',
    name: 'nmap',
    command: process.execPath,
    arguments: ['--eval', replay, recordedScan('weak-server'), recordedScan('mended-server'), marker],
    format: 'nmap',
  });
  return { recorded: true, tools: [replayed], mend: () => writeFileSync(marker, '') };
}
