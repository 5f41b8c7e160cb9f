import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type BreachRecord, breachRecords } from '../entities/breach-record.ts';
import type { FoundSecret } from '../entities/found-secret.ts';
import type { ReportSecret } from '../reports/report.ts';
import { maskedSecret } from '../reports/secret.ts';
import { chunksOf, eachAtOnce } from '../runtime/chunks.ts';
import { now } from '../runtime/clock.ts';
import type { Connections } from '../runtime/connections.ts';
import { retry } from '../runtime/retry.ts';
import type { Table } from '../table/table.ts';
import { readTargets } from '../views/targets.ts';
import { foundSecret } from './digest.ts';

/** A record of a breach as its source tells it, with the text of the secret. */
type ToldBreach = Pick<ReportSecret, 'kind' | 'account' | 'verified'> & {
  externalId: string;
  breach: string;
  text: string | undefined;
  location: string | undefined;
  leakedAt: string | undefined;
};

type Fields = Omit<BreachRecord, 'id' | 'version' | 'createdAt' | 'updatedAt' | 'createdBy'>;
export type Taken = { recordId: string; outcome: 'created' | 'updated' | 'unchanged' };
type Place = { connections: Connections; table: Table; integratorId: string };

/** Records of a transaction: each is four rows at most. */
const AT_ONCE = 20;

/**
 * Keeps records of breaches. One that is sent again is the same record; of several with one id in a call the last counts.
 * @returns what became of each, by `externalId`
 */
export async function takeBreaches(place: Place, told: readonly ToldBreach[]): Promise<Map<string, Taken>> {
  const last = [...new Map(told.map((one) => [one.externalId, one])).values()];
  const fields = await eachAtOnce(last, 8, (one) => fieldsOf(place, one));
  const done = new Map<string, Taken>();
  for (const some of chunksOf(fields, AT_ONCE))
    for (const [id, taken] of await retry(() => takeSome(place.table, some))) done.set(id, taken);
  await place.table.workJournal(breachRecords);
  return done;
}

/** Without a secret the account of a breach names it. */
async function fieldsOf({ connections, table, integratorId }: Place, told: ToldBreach): Promise<Fields> {
  const { externalId, breach, text, location, leakedAt, account } = told;
  const at = now();
  const masked = text === undefined ? null : maskedSecret(text);
  const secret = {
    kind: told.kind,
    verified: told.verified,
    account,
    masked,
    ...(text !== undefined && { text: text.trim() }),
  };
  const place = ['breach', breach, account?.toLowerCase() ?? externalId];
  return {
    key: createHash('sha256')
      .update(JSON.stringify([integratorId, externalId]))
      .digest('base64url'),
    ...{ integratorId, externalId, breach, firstSeenAt: at },
    ...(location !== undefined && { location }),
    ...(leakedAt !== undefined && { leakedAt }),
    secret: await foundSecret({ connections, table }, secret, { place, at }),
  };
}

async function takeSome(table: Table, some: readonly Fields[]): Promise<Map<string, Taken>> {
  const standing = await readTargets(
    table,
    { target: breachRecords, field: 'key' },
    some.map(({ key }) => key),
  );
  const missing = some.filter(({ key }) => !standing.has(key));
  const ids = missing.length > 0 ? await table.reserve(breachRecords, missing.length) : [];
  const newIds = new Map(missing.map(({ key }, n) => [key, ids[n] ?? '']));
  const batch = table.batch(true);
  const taken = some.map((fields): [string, Taken] => {
    const { externalId } = fields;
    const before = standing.get(fields.key);
    if (!before) {
      const { id } = batch.create(
        breachRecords,
        table.stamp<BreachRecord>({ ...fields, id: newIds.get(fields.key) ?? '' }),
      );
      return [externalId, { recordId: id, outcome: 'created' }];
    }
    const next = { ...fields, firstSeenAt: before.firstSeenAt, secret: sameCheck(before.secret, fields.secret) };
    const isSame = (Object.keys(next) as (keyof Fields)[]).every((name) => isDeepStrictEqual(before[name], next[name]));
    if (!isSame) batch.update(breachRecords, before, table.changed(before, next));
    return [externalId, { recordId: before.id, outcome: isSame ? 'unchanged' : 'updated' }];
  });
  if (batch.size() > 0) await batch.commit();
  return new Map(taken);
}

/** A check that tells the same as before is not a new one. */
const sameCheck = (before: FoundSecret, after: FoundSecret): FoundSecret =>
  before.check && after.check?.verified === before.check.verified ? { ...after, check: before.check } : after;
