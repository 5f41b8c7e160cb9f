import { randomUUID } from 'node:crypto';
import { appendFile, stat, writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { EXIT, Failure } from '../errors.ts';
import { annotationsOf, fenceOf, summaryOf } from './github.ts';
import { codeQualityOf } from './gitlab.ts';
import { junitOf } from './junit.ts';
import type { Reported, Verdict } from './reported.ts';
import { sarifOf } from './sarif.ts';

/** GitHub shows no summary of a step that is larger. */
const MAX_SUMMARY_BYTES = 1024 * 1024;

export type OutputOptions = { sarif?: string; junit?: string; gitlab?: string; github?: boolean };

/** Gives a command the options of the files for other programs. */
export const withOutputs = (command: Command): Command =>
  command
    .option('--sarif <file>', 'write the findings as SARIF 2.1.0')
    .option('--junit <file>', 'write the findings as JUnit XML')
    .option('--gitlab <file>', "write the findings as a report of GitLab's code quality")
    .option('--github', 'print annotations of GitHub Actions, and write the summary of the step');

export const wantsOutputs = ({ sarif, junit, gitlab, github }: OutputOptions): boolean =>
  [sarif, junit, gitlab, github].some(Boolean);

/** Prints a text for people; in a log of GitHub without the commands that texts of reports could hold. */
export async function withoutCommands(
  context: Context,
  { github }: OutputOptions,
  print: () => unknown,
): Promise<void> {
  const { begin, end } = github ? fenceOf(randomUUID()) : { begin: '', end: '' };
  await context.write(begin);
  try {
    await print();
  } finally {
    await context.write(end);
  }
}

type Outcome = { findings: readonly Reported[]; verdict?: Verdict };

/** Writes what the options ask for. @throws Failure for a file that cannot be written: a missing report never passes */
export async function writeOutputs(
  context: Context,
  options: OutputOptions,
  { findings, verdict }: Outcome,
): Promise<void> {
  const { url: baseUrl } = await context.access();
  const { sarif, junit, gitlab, github } = options;
  if (sarif !== undefined) await write(sarif, jsonOf(sarifOf(findings, baseUrl)));
  if (junit !== undefined) await write(junit, junitOf(findings, { verdict, baseUrl }));
  if (gitlab !== undefined) await write(gitlab, jsonOf(codeQualityOf(findings)));
  if (!github) return;
  await context.write(annotationsOf(findings));
  const file = context.env.GITHUB_STEP_SUMMARY;
  if (!file) return;
  const { size } = await stat(file).catch(() => ({ size: 0 }));
  const summary = summaryOf({ findings, verdict, baseUrl }, MAX_SUMMARY_BYTES - size);
  await appendFile(file, summary).catch(unwritten(file));
}

const jsonOf = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const write = (file: string, text: string): Promise<void> => writeFile(file, text).catch(unwritten(file));

const unwritten =
  (file: string) =>
  (error: NodeJS.ErrnoException): never => {
    throw new Failure(
      EXIT.incomplete,
      `${file} cannot be written: ${error.code}.`,
      'Name a file in a folder that exists.',
    );
  };
