import { mkdir, readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { endsMachine, Refused, type Service } from '../reference-machine/service.ts';

const Answer = z.object({
  results: z.array(
    z.object({ index: z.number(), accepted: z.boolean(), code: z.string().optional(), message: z.string().optional() }),
  ),
});

/** Kinds of files with an item a line, and how many items the service takes in one request. */
const LINES: Readonly<Record<string, number>> = { alerts: 500, breaches: 200, identities: 200 };

/**
 * Sends the files of a directory: `*.alerts.jsonl`, `*.breaches.jsonl` and `*.identities.jsonl` have an item a line,
 * `*.inventory.json` is a batch of an inventory. A file whose items were all accepted moves to `sent`, another file to
 * `refused`. A file that is sent twice, for example after a correction, counts once: items by their `externalId`, a
 * batch by its `batchId`.
 */
export async function sendDropped(service: Service, directory: string, until: AbortSignal): Promise<void> {
  for (const name of (await readdir(directory)).toSorted()) {
    const send = senderOf(name);
    if (!send) continue;
    const content = parsed(await readFile(join(directory, name), 'utf8'), name.endsWith('.jsonl'));
    const problem = content === undefined ? 'it is no JSON' : await send(service, content, until).catch(refusalOf);
    if (problem !== undefined) console.error(`${name} is not taken: ${problem}`);
    await moveTo(directory, name, problem === undefined ? 'sent' : 'refused');
  }
}

/** A file that the service refuses would be refused again. */
function refusalOf(error: unknown): string {
  if (error instanceof Refused && !endsMachine(error)) return error.message;
  throw error;
}

/** Undefined for a file that is no JSON. */
function parsed(text: string, isLines: boolean): unknown {
  try {
    if (!isLines) return JSON.parse(text);
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    return lines.map((line) => JSON.parse(line));
  } catch {
    return undefined;
  }
}

/** @returns why something of the file was not taken */
type Send = (service: Service, content: unknown, until: AbortSignal) => Promise<string | undefined>;

/** Undefined for a file that is not to be sent. */
function senderOf(name: string): Send | undefined {
  if (name.endsWith('.inventory.json')) return (service, content, until) => tell(service, 'inventory', content, until);
  const kind = Object.keys(LINES).find((one) => name.endsWith(`.${one}.jsonl`));
  return kind === undefined ? undefined : (service, content, until) => sendLines(service, { kind, content }, until);
}

type Lines = { kind: string; content: unknown };

async function sendLines(service: Service, { kind, content }: Lines, until: AbortSignal): Promise<string | undefined> {
  const items = z.array(z.unknown()).parse(content);
  const most = LINES[kind] ?? 1;
  let problem: string | undefined;
  for (let from = 0; from < items.length; from += most) {
    const refused = await tell(service, kind, { [kind]: items.slice(from, from + most) }, until);
    problem ??= refused;
  }
  return problem;
}

async function tell(service: Service, path: string, body: unknown, until: AbortSignal): Promise<string | undefined> {
  const { results } = Answer.parse(await service.post(`/api/v1/integrator_communication/${path}`, body, until));
  for (const { index, accepted, code, message } of results)
    if (!accepted) console.error(`${path} ${index} was refused: ${code}: ${message}`);
  const refused = results.filter(({ accepted }) => !accepted).length;
  return refused > 0 ? `${refused} of ${results.length} items were refused` : undefined;
}

async function moveTo(directory: string, name: string, folder: 'sent' | 'refused'): Promise<void> {
  await mkdir(join(directory, folder), { recursive: true });
  await rename(join(directory, name), join(directory, folder, name));
}
