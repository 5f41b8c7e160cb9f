import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import * as z from 'zod';
import { readJsonFile } from '../mistake.ts';
import { codeTools } from './code-tools.ts';

/** `items`: the items of a list with commas that match the pattern are handed over so (`$&`: the item). */
const Parameter = z.object({
  pattern: z.string(),
  default: z.string(),
  items: z.object({ pattern: z.string(), handed: z.string() }).optional(),
});

/**
 * Categories of Nmap that also have scripts which ask others than the target (`external`, `broadcast`) or try logins (`auth`). The
 * category `default` has none of the first two.
 */
const WIDE_CATEGORIES = {
  pattern: 'safe|discovery|intrusive|malware|version|vuln',
  handed: '$& and not (auth or broadcast or external)',
};

/**
 * The allow-list: the only commands that this scanner ever runs. A tool gets its arguments as a list, never through a
 * shell. `{target}` and `{parameter}` are placeholders for an argument or a part of an argument; their values are
 * checked first. `{target}` is an address, also for a host name. `{proxy}` is the address of a proxy that checks each
 * connection: a tool with a proxy gets names.
 */
export const Tool = z.strictObject({
  taskType: z.enum(['network', 'web', 'sast', 'dependencies', 'secrets', 'container', 'cloud', 'configuration', 'tls']),
  name: z.string(),
  command: z.string(),
  arguments: z.array(z.string()),
  /**
   * The arguments that make the tool leave out pages; `{exclusions}` is the list of pages with commas. A tool without
   * such arguments does not run on a target with excluded pages. The scanner itself keeps tools from addresses and
   * names.
   */
  excluding: z.array(z.string()).optional(),
  /** The format of the report on standard output. */
  format: z.string(),
  /** The allowed parameters of a task, each with a pattern for its whole value. */
  parameters: z.record(z.string(), Parameter).default({}),
  /** Variables of its environment, beside the few of this machine that every tool gets. */
  environment: z.record(z.string(), z.string()).default({}),
  /** The report of a tool that writes nothing when it finds nothing. Without this field, no output is a failure. */
  emptyReport: z.string().optional(),
  /**
   * The tool reads the files of a repository, which the scanner fetches for it: it runs in their directory, or outside of it and
   * gets its path as `{checkout}`.
   */
  checkout: z.enum(['inside', 'outside']).optional(),
  exitCodes: z.array(z.int()).default([0]),
  timeoutSeconds: z.int().positive().default(3600),
});
export type Tool = z.infer<typeof Tool>;

export const defaultTools: readonly Tool[] = [
  Tool.parse({
    taskType: 'network',
    name: 'nmap',
    command: 'nmap',
    arguments: ['-oX', '-', '-sV', '--version-light', '--script', '{scripts}', '-p', '{ports}', '{target}'],
    format: 'nmap',
    parameters: {
      ports: { pattern: '([TUS]:)?[0-9][0-9TUS:,-]*', default: '1-1024' },
      scripts: { pattern: '[a-z0-9][a-z0-9,-]*', default: 'default', items: WIDE_CATEGORIES },
    },
  }),
  Tool.parse({
    taskType: 'web',
    name: 'nuclei',
    command: 'nuclei',
    arguments: [
      '-jsonl',
      '-silent',
      '-disable-update-check',
      // without it, payloads make the target call a server of the tool's authors
      '-no-interactsh={noInteractsh}',
      '-proxy',
      '{proxy}',
      '-rate-limit',
      '{rateLimit}',
      '-u',
      '{target}',
    ],
    format: 'nuclei',
    parameters: {
      rateLimit: { pattern: '[1-9][0-9]{0,3}', default: '150' },
      noInteractsh: { pattern: 'true|false', default: 'true' },
    },
    emptyReport: '[]',
  }),
  ...codeTools.map((tool) => Tool.parse(tool)),
];

/** The default tools that are installed on this machine. */
export async function installedTools(): Promise<readonly Tool[]> {
  const found = await Promise.all(defaultTools.map(async (tool) => ((await isInstalled(tool)) ? [tool] : [])));
  return found.flat();
}

async function isInstalled({ command }: Tool): Promise<boolean> {
  const places = (process.env.PATH ?? '').split(delimiter).filter((directory) => directory !== '');
  const checks = places.map((directory) => access(join(directory, command), constants.X_OK));
  return (await Promise.allSettled(checks)).some(({ status }) => status === 'fulfilled');
}

/** Reads tools from a file (a JSON array) that replace the default ones. @throws when the file has no tool */
export async function loadTools(file: string | undefined): Promise<readonly Tool[]> {
  if (file === undefined) {
    const installed = await installedTools();
    if (installed.length > 0) return installed;
    throw new Error(
      `none of ${defaultTools.map(({ name }) => name).join(', ')} is installed: install one, or name tools`,
    );
  }
  return readJsonFile(file, z.array(Tool).min(1));
}

/** A safe target: no blanks, no control characters, and no text that a tool would take for an option. */
const safeTarget = /^[^\s\p{Cc}-][^\s\p{Cc}]{0,1999}$/u;

export type Run = {
  target: string;
  exclusions: readonly string[];
  parameters: Record<string, unknown>;
  proxy?: string;
  /** The directory with the files of a repository. */
  checkout?: string;
};

export const hasProxy = (tool: Tool): boolean => tool.arguments.some((argument) => argument.includes('{proxy}'));

/** The arguments of one run. @throws when the allow-list does not admit the target or a parameter */
export function argumentsOf(tool: Tool, run: Run): string[] {
  const { target, exclusions, parameters, proxy = '', checkout = '' } = run;
  for (const place of [target, ...exclusions])
    if (!safeTarget.test(place))
      throw new Error(`the target ${JSON.stringify(place)} is not safe to pass to ${tool.name}`);
  const values = new Map([
    ['target', target],
    ['exclusions', exclusions.join(',')],
    ['proxy', proxy],
    ['checkout', checkout],
  ]);
  for (const [name, { pattern, default: usual, items }] of Object.entries(tool.parameters)) {
    const value = String(parameters[name] ?? usual);
    if (!new RegExp(`^(?:${pattern})$`, 'u').test(value))
      throw new Error(`${tool.name}: the parameter ${name} may not be ${JSON.stringify(value)}`);
    values.set(name, items === undefined ? value : handedOver(value, items));
  }
  return [...tool.arguments, ...excludingOf(tool, exclusions)].map((argument) =>
    argument.replace(/\{(\w+)\}/g, (placeholder, name: string) => values.get(name) ?? placeholder),
  );
}

function handedOver(list: string, { pattern, handed }: { pattern: string; handed: string }): string {
  const whole = new RegExp(`^(?:${pattern})$`, 'u');
  return list
    .split(',')
    .map((item) => item.replace(whole, handed))
    .join(',');
}

function excludingOf({ name, excluding }: Tool, exclusions: readonly string[]): string[] {
  if (exclusions.length === 0) return [];
  if (!excluding) throw new Error(`${name} cannot be told to leave out ${exclusions.join(', ')}`);
  return excluding;
}
