import { Mistake } from '#local/mistake.ts';
import { readSettings, type Settings } from '#shared/platform/runtime/env.ts';
import { findOutputs } from './cloudformation.ts';
import { settingOutputs } from './outputs.ts';

/** The options of every command for a deployed stack. */
export const stackOptions = { stack: { type: 'string' }, region: { type: 'string' } } as const;

/**
 * The settings of a running stack, from its outputs, for a command on an operator's machine. Also sets the stack's
 * region for the command.
 */
export async function readStackSettings({ stack, region }: { stack?: string; region?: string }): Promise<Settings> {
  if (stack === undefined) throw new Mistake('Name the stack with --stack, such as exposure-acme-production.');
  if (region !== undefined) process.env.AWS_REGION = region;
  const outputs = await findOutputs({ name: stack, region });
  if (!outputs)
    throw new Mistake(
      `There is no stack ${stack} in this account and region: see --stack, and --region, such as eu-central-1.`,
    );
  const values = Object.entries(settingOutputs).map(([output, setting]) => [setting, outputs[output]]);
  return readSettings({ ...process.env, ...Object.fromEntries(values) });
}
