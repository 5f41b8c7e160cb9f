import { PART_BYTES } from '#shared/platform/runtime/bucket-file.ts';
import { nowMs } from '#shared/platform/runtime/clock.ts';
import type { Page, Place } from './file.ts';
import type { Checkpoint, Session } from './session.ts';

/** The next bytes of the file, and the checkpoint after them. `isShort`: too few for a part, because the time was up. */
export type Part = { body: Uint8Array; reached: Checkpoint; isLast: boolean; isShort: boolean };

/** Records that are read at once; the longest findings have 150 KB. */
const AT_ONCE = 100;

/** Reads records until they fill a part, none is left, or the time is up. */
export async function nextPart(session: Session, untilMs: number): Promise<Part> {
  const { source, checkpoint, rest } = session;
  const reached = { ...checkpoint, place: { ...checkpoint.place } };
  const parts = [rest, Buffer.from(checkpoint.next === 0 && rest.length === 0 ? source.head : '')];
  let [size, isLast] = [rest.length, false];
  do {
    const { texts, done, total, isLast: isEnd } = await nextPage(session, reached);
    const text = Buffer.from(texts.join(''));
    parts.push(text);
    size += text.length;
    isLast = isEnd;
    Object.assign(reached, { next: done, total, findings: reached.findings + texts.length });
  } while (!isLast && size < PART_BYTES && nowMs() < untilMs);
  if (isLast) parts.push(Buffer.from(source.foot(reached.place)));
  const body = Buffer.concat(parts);
  reached.sizeBytes += body.length - rest.length;
  return { body, reached, isLast, isShort: !isLast && size < PART_BYTES };
}

type Reached = { next: number; place: Place };

async function nextPage({ source, ordinals }: Session, { next, place }: Reached): Promise<Page> {
  if ('page' in source) return source.page(place);
  const some = ordinals.slice(next, next + AT_ONCE);
  const done = next + some.length;
  const total = ordinals.length;
  return { texts: some.length > 0 ? await source.texts(place, some) : [], done, total, isLast: done >= total };
}
