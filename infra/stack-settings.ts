import { existsSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import { readSettings, type Settings } from '#shared/runtime/env.ts';
import { settingOutputs } from './outputs.ts';

/** The file that `cdk deploy --outputs-file` writes: the outputs of each stack. */
const Outputs = z.record(z.string(), z.record(z.string(), z.string()));

/** The options of every command for a deployed stack. */
export const stackOptions = {
  stack: { type: 'string' },
  outputs: { type: 'string', default: 'cdk-outputs.json' },
} as const;

/** The settings of a deployed stack, for a command on an operator's machine. Also sets the stack's region. */
export function readStackSettings({ outputs, stack }: { outputs: string; stack?: string }): Settings {
  if (!existsSync(outputs))
    throw new Error(`The file ${outputs} is missing. Run npx cdk deploy --outputs-file ${outputs} to write it.`);
  const stacks = Outputs.parse(JSON.parse(readFileSync(outputs, 'utf8')));
  const names = Object.keys(stacks);
  const name = stack ?? (names.length === 1 ? names[0] : undefined);
  if (name === undefined) throw new Error(`Name the stack with --stack: ${outputs} has ${names.join(', ') || 'none'}.`);
  const found = stacks[name];
  if (!found) throw new Error(`--stack must be one of ${names.join(', ') || 'none'}: ${outputs} has no ${name}.`);
  const values = Object.entries(settingOutputs).map(([output, setting]) => [setting, found[output]]);
  const settings = readSettings({ ...process.env, ...Object.fromEntries(values) });
  const region = /^https:\/\/sqs\.([a-z0-9-]+)\./.exec(settings.QUEUE_URL_PREFIX)?.[1];
  if (region !== undefined) process.env.AWS_REGION = region;
  return settings;
}
