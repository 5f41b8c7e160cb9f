import { DAY_MS, inSeconds, now, nowMs } from '../runtime/clock.ts';
import type { Dynamo } from '../runtime/dynamo.ts';
import { Overtaken } from '../runtime/errors.ts';
import { shortId } from '../runtime/ids.ts';
import { log } from '../runtime/log.ts';
import type { Actor, Author } from '../table/actor.ts';
import { entryWrite, type FeedEvent } from '../table/changes.ts';
import { commit, type Write } from '../table/io/commit.ts';
import { defineRow, putWrite } from '../table/io/row.ts';
import { type Credential, isExpired } from './credential.ts';

/** A caller that repeats the same request all day leaves one entry a minute and function instance. */
const EVERY_SECONDS = 60;
const KEPT = 10_000;
const lastWritten = new Map<string, number>();

type Who = { organizationId: string; author: Author };

/** Reports a sign-in or a refusal to the audit log. A failure here does not fail the request. */
export async function tellEvent(dynamo: Dynamo, who: Who, event: FeedEvent): Promise<void> {
  const { id, cause } = who.author;
  const { kind, reason } = event;
  // a sign-in with a reason is not the same as the one before it
  const about = kind === 'signed_in' ? `${kind} ${reason}` : kind;
  if (isNews([who.organizationId, id, cause?.operation, about])) await tell(dynamo, who, event);
}

function isNews(about: readonly (string | undefined)[]): boolean {
  const key = about.join();
  if ((lastWritten.get(key) ?? 0) > nowMs() - EVERY_SECONDS * 1000) return false;
  if (lastWritten.size >= KEPT) lastWritten.clear();
  lastWritten.set(key, nowMs());
  return true;
}

async function tell(dynamo: Dynamo, { organizationId, author }: Who, event: FeedEvent, also: Write[] = []) {
  const entry = entryWrite(shortId(organizationId), author, { changes: [], event });
  await commit(dynamo, [...also, entry], new Map()).catch((error: unknown) => {
    if (!(error instanceof Overtaken)) log.error('event not reported', { organizationId, kind: event.kind, error });
  });
}

type Refusal = { credentialId: string; at: string };

export const refusals = defineRow<Refusal, Pick<Refusal, 'credentialId'>>({
  name: 'change-refusal',
  about: 'when a refused sign-in with a credential was last reported',
  key: ({ credentialId }) => [credentialId],
  expiresAt: ({ at }) => new Date(Date.parse(at) + DAY_MS).toISOString(),
});

/**
 * Reports a refused sign-in to the audit log. Anybody can cause refusals, on any number of function instances at once
 * and with any operation: a row per credential limits the reports to one a minute in total. An unknown credential
 * leaves no trace.
 */
export async function tellRefusedSignIn(dynamo: Dynamo, who: Who, reason: string): Promise<void> {
  const { organizationId, author } = who;
  if (!isNews([organizationId, author.id])) return;
  const row = { credentialId: author.id, at: now() };
  const mark = putWrite(shortId(organizationId), refusals, { row, fail: () => new Overtaken() });
  const condition = {
    ConditionExpression: 'attribute_not_exists(#at) OR #at <= :before',
    ExpressionAttributeNames: { '#at': 'at' },
    ExpressionAttributeValues: { ':before': inSeconds(-EVERY_SECONDS) },
  };
  await tell(dynamo, who, { kind: 'refused', reason }, [{ ...mark, condition } as Write]);
}

/** The holder of a credential, in the form of the audit log. */
export const actorBehind = ({ id, kind, name }: Pick<Credential, 'id' | 'kind' | 'name'>): Actor => ({
  kind: kind === 'api_key' || kind === 'machine' || kind === 'user' ? kind : 'system',
  id,
  name,
});

/** Why a credential that exists did not open. */
export const reasonOf = (credential: Credential): string =>
  isExpired(credential) ? 'The credential has expired.' : 'The secret was wrong.';
