import { nowMs } from '../runtime/clock.ts';
import type { Dynamo } from '../runtime/dynamo.ts';
import { shortId } from '../runtime/ids.ts';
import { log } from '../runtime/log.ts';
import type { Author } from '../table/actor.ts';
import { entryWrite, type FeedEvent } from '../table/changes.ts';
import { commit } from '../table/io/commit.ts';

/** A caller that repeats the same request all day leaves one entry a minute and function instance. */
const EVERY_MS = 60_000;
const KEPT = 10_000;
const told = new Map<string, number>();

type Who = { organizationId: string; author: Author };

/** Tells the audit log of a sign-in or a refusal. A request does not fail because this fails. */
export async function tellEvent(dynamo: Dynamo, { organizationId, author }: Who, event: FeedEvent): Promise<void> {
  const key = [organizationId, author.id, author.cause?.operation, event.kind].join();
  if ((told.get(key) ?? 0) > nowMs() - EVERY_MS) return;
  if (told.size >= KEPT) told.clear();
  told.set(key, nowMs());
  const write = entryWrite(shortId(organizationId), author, { changes: [], event });
  await commit(dynamo, [write], new Map()).catch((error: unknown) => {
    log.error('event not told', { organizationId, kind: event.kind, error: error as Error });
  });
}
