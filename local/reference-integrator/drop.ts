import { mkdir, readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { endsMachine, Refused, type Service } from '#local/reference-machine/service.ts';

const Answer = z.object({
  results: z.array(
    z.object({ index: z.number(), accepted: z.boolean(), code: z.string().optional(), message: z.string().optional() }),
  ),
});

/** Alerts of a batch. */
const MOST = 500;

/**
 * Sends the files of a directory: `*.alerts.jsonl` has an alert a line, `*.inventory.json` is a batch of an inventory. A file that
 * was taken moves to `sent`, another one to `refused`. A file that is sent twice counts once: alerts by their
 * `externalId`, a batch by its `batchId`.
 */
export async function sendDropped(service: Service, directory: string, until: AbortSignal): Promise<void> {
  for (const name of (await readdir(directory)).toSorted()) {
    const send = name.endsWith('.alerts.jsonl')
      ? sendAlerts
      : name.endsWith('.inventory.json')
        ? sendInventory
        : undefined;
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

async function sendAlerts(service: Service, content: unknown, until: AbortSignal): Promise<undefined> {
  const alerts = z.array(z.unknown()).parse(content);
  for (let from = 0; from < alerts.length; from += MOST)
    await tell(service, 'alerts', { alerts: alerts.slice(from, from + MOST) }, until);
}

const sendInventory = (service: Service, content: unknown, until: AbortSignal): Promise<undefined> =>
  tell(service, 'inventory', content, until);

async function tell(service: Service, path: string, body: unknown, until: AbortSignal): Promise<undefined> {
  const { results } = Answer.parse(await service.post(`/api/v1/integrator_communication/${path}`, body, until));
  for (const { index, accepted, code, message } of results)
    if (!accepted) console.error(`${path} ${index} was refused: ${code}: ${message}`);
}

async function moveTo(directory: string, name: string, folder: 'sent' | 'refused'): Promise<void> {
  await mkdir(join(directory, folder), { recursive: true });
  await rename(join(directory, name), join(directory, folder, name));
}
