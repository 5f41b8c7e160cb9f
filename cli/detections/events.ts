import { contentOf } from '../api/request.ts';
import type { Schemas } from '../client.ts';
import { reasonOf, usage } from '../errors.ts';

/** The events of a file: a JSON list, or a JSON object a line. @throws Failure for other texts */
export async function readEvents(file: string): Promise<Schemas['DetectionTest']['events']> {
  const text = (await contentOf(file)).trim();
  try {
    const read: unknown = JSON.parse(
      text.startsWith('[') ? text : `[${text.split(/\r?\n/).filter(Boolean).join(',')}]`,
    );
    if (Array.isArray(read)) return read;
  } catch (error) {
    throw usage(`${file} has no events: ${reasonOf(error)}.`, 'Write a JSON list, or a JSON object a line.');
  }
  throw usage(`${file} has no list of events.`);
}
