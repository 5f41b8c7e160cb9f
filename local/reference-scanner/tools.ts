import { readFile } from 'node:fs/promises';
import * as z from 'zod';

/**
 * The allow-list: the only commands that this scanner ever runs. A tool gets its arguments as a list, never through a
 * shell; `{target}` and `{parameter}` stand for whole arguments or parts of one and are checked before they are used.
 */
export const Tool = z.strictObject({
  taskType: z.enum(['network', 'web', 'sast', 'dependencies', 'secrets', 'container', 'cloud', 'configuration', 'tls']),
  name: z.string(),
  command: z.string(),
  arguments: z.array(z.string()),
  /**
   * What is added where something within the target must be left alone, `{exclusions}` (with commas between) in it.
   * Without it the tool is not run on such a target.
   */
  excluding: z.array(z.string()).optional(),
  /** The report format that it writes to its standard output. */
  format: z.string(),
  /** Parameters of the task that may be used, each with the pattern that its value must match as a whole. */
  parameters: z.record(z.string(), z.object({ pattern: z.string(), default: z.string() })).default({}),
  /** The report to send when the tool wrote nothing because it found nothing; without it that is a failure. */
  emptyReport: z.string().optional(),
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
    excluding: ['--exclude', '{exclusions}'],
    format: 'nmap',
    parameters: {
      ports: { pattern: '(T:|U:)?[0-9][0-9,-]*', default: '1-1024' },
      scripts: { pattern: '[a-z0-9][a-z0-9,-]*', default: 'default' },
    },
  }),
  Tool.parse({
    taskType: 'web',
    name: 'nuclei',
    command: 'nuclei',
    arguments: ['-jsonl', '-silent', '-disable-update-check', '-u', '{target}'],
    format: 'nuclei',
    emptyReport: '[]',
  }),
];

/** Tools from a file (a JSON array), in place of the default ones. */
export async function loadTools(file: string | undefined): Promise<readonly Tool[]> {
  if (file === undefined) return defaultTools;
  return z
    .array(Tool)
    .min(1)
    .parse(JSON.parse(await readFile(file, 'utf8')));
}

/** What the service may send as a target: no blanks, no control characters, and nothing that a tool takes for an option. */
const safeTarget = /^[^\s\p{Cc}-][^\s\p{Cc}]{0,1999}$/u;

export type Run = { target: string; exclusions: readonly string[]; parameters: Record<string, unknown> };

/** The arguments of one run. @throws when the target or a parameter is not what the allow-list admits */
export function argumentsOf(tool: Tool, { target, exclusions, parameters }: Run): string[] {
  for (const place of [target, ...exclusions])
    if (!safeTarget.test(place))
      throw new Error(`the target ${JSON.stringify(place)} is not safe to pass to ${tool.name}`);
  const values = new Map([
    ['target', target],
    ['exclusions', exclusions.join(',')],
  ]);
  for (const [name, { pattern, default: usual }] of Object.entries(tool.parameters)) {
    const value = String(parameters[name] ?? usual);
    if (!new RegExp(`^(?:${pattern})$`, 'u').test(value))
      throw new Error(`${tool.name}: the parameter ${name} may not be ${JSON.stringify(value)}`);
    values.set(name, value);
  }
  return [...tool.arguments, ...excludingOf(tool, exclusions)].map((argument) =>
    argument.replace(/\{(\w+)\}/g, (placeholder, name: string) => values.get(name) ?? placeholder),
  );
}

function excludingOf({ name, excluding }: Tool, exclusions: readonly string[]): string[] {
  if (exclusions.length === 0) return [];
  if (!excluding) throw new Error(`${name} cannot be told to leave out ${exclusions.join(', ')}`);
  return excluding;
}
