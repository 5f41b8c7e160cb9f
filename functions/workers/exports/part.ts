import { PART_BYTES } from '#shared/platform/runtime/bucket-file.ts';
import type { Checkpoint, Session } from './session.ts';

/** The next bytes of the file, and the checkpoint after them. */
export type Part = { body: Uint8Array; reached: Checkpoint; isLast: boolean };

/** Records that are read at once; the longest findings have 150 KB. */
const AT_ONCE = 100;

/** Reads records until they fill a part, or none is left. */
export async function nextPart(session: Session): Promise<Part> {
  const { source, checkpoint, ordinals } = session;
  const reached = { ...checkpoint, place: { ...checkpoint.place } };
  const parts = [Buffer.from(checkpoint.next === 0 ? source.head : '')];
  let size = 0;
  while (reached.next < ordinals.length && size < PART_BYTES) {
    const some = ordinals.slice(reached.next, reached.next + AT_ONCE);
    const texts = await source.texts(reached.place, some);
    const text = Buffer.from(texts.join(''));
    parts.push(text);
    size += text.length;
    reached.next += some.length;
    reached.findings += texts.length;
  }
  const isLast = reached.next >= ordinals.length;
  if (isLast) parts.push(Buffer.from(source.foot(reached.place)));
  const body = Buffer.concat(parts);
  reached.sizeBytes += body.length;
  return { body, reached, isLast };
}
