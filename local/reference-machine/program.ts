import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { withoutTrailing } from '#shared/platform/runtime/texts.ts';
import { sentenceOf } from '../mistake.ts';
import { Refused } from './service.ts';

/**
 * Reads the options of every machine and the options of one kind; each option has a name for its value in the usage
 * text. `usage` prints the usage text and ends the program.
 */
export function readOptions<const Own extends string>(command: string, own: Record<Own, string>) {
  const usage = (): never => {
    const all = {
      'link-token-file': 'FILE',
      'link-token': 'TOKEN',
      'state-dir': 'DIR',
      name: 'NAME',
      zone: 'ZONE',
      ...own,
    };
    const optional = Object.entries(all).map(([name, value]) => `[--${name} ${value}]`);
    console.error(`usage: npm run ${command} -- --url URL ${optional.join(' ')}`);
    console.error('The link token may also be in the environment variable LINK_TOKEN. Other users see arguments.');
    process.exit(64);
  };
  const names = ['url', 'link-token', 'link-token-file', 'state-dir', 'name', 'zone', ...Object.keys(own)];
  const values = read(names) ?? usage();
  const { url, 'state-dir': directory = `.local/${command}`, name, zone } = values;
  if (!url) return usage();
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    console.error(`--url must be an address such as https://api.acme.example, not ${url}`);
    return usage();
  }
  const stateDirectory = resolve(directory);
  const linkToken = linkTokenIn(values);
  return { installation: { url: withoutTrailing('/', url), linkToken, stateDirectory, name, zone }, values, usage };
}

/** The link token of an argument, a file or the environment. A machine that is linked needs none. */
function linkTokenIn({ 'link-token': given, 'link-token-file': file }: Record<string, string | undefined>) {
  return given ?? (file === undefined ? process.env.LINK_TOKEN : readFileSync(file, 'utf8').trim());
}

/** Undefined for an unknown option, or an option without its value. */
function read(names: string[]): Record<string, string | undefined> | undefined {
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
  try {
    return { ...parseArgs({ options }).values };
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return undefined;
  }
}

/** @returns undefined unless the text is a whole number from 1 to `most` */
export function capacityOf(text: string | undefined, most: number): number | undefined {
  const capacity = Number(text ?? 2);
  return Number.isInteger(capacity) && capacity >= 1 && capacity <= most ? capacity : undefined;
}

/** Runs a machine until a signal stops it. If the machine cannot go on, the exit code is 1. */
export async function untilStopped(run: (stopping: AbortSignal) => Promise<void>): Promise<void> {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  try {
    await run(stopping.signal);
  } catch (error) {
    console.error(sentenceOf(error) ?? (error instanceof Error ? error.message : error));
    if (error instanceof Refused && error.status === 401 && error.code !== 'invalid_link_token')
      console.error(
        'It was removed, or its credential was revoked. To link it again, start it with another --state-dir.',
      );
    process.exitCode = 1;
  }
}
