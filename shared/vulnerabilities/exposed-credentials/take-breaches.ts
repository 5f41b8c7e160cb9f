import { keepReported, lastOfEach, reportedKey, type Taken } from '#shared/code/integrations/reported-records.ts';
import { eachAtOnce } from '#shared/platform/runtime/chunks.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { maskedSecret } from '#shared/reports/readers/masked.ts';
import type { ReportSecret } from '#shared/reports/report/report.ts';
import { type BreachRecord, breachRecords } from './breach-record.ts';
import { foundSecret } from './digest.ts';

/** A record of a breach as its source reports it, with the text of the secret. */
type ReportedBreach = Pick<ReportSecret, 'kind' | 'account' | 'verified'> & {
  externalId: string;
  breach: string;
  text: string | undefined;
  location: string | undefined;
  leakedAt: string | undefined;
};

type Fields = Omit<BreachRecord, 'id' | 'version' | 'createdAt' | 'updatedAt' | 'createdBy'>;
type Place = Context & { integratorId: string };

/**
 * Stores breach records. A repeated record is the same record; of several with one id in a call the last counts.
 * @returns the outcome of each, by `externalId`
 */
export async function takeBreaches(place: Place, reported: readonly ReportedBreach[]): Promise<Map<string, Taken>> {
  const fields = await eachAtOnce(lastOfEach(reported), 8, (one) => fieldsOf(place, one));
  return keepReported(place.table, { entity: breachRecords, keep }, fields);
}

/** Without a secret the account of a breach identifies it. */
async function fieldsOf({ connections, table, integratorId }: Place, reported: ReportedBreach): Promise<Fields> {
  const { externalId, breach, text, location, leakedAt, account } = reported;
  const at = now();
  const masked = text === undefined ? null : maskedSecret(text);
  const secret = {
    kind: reported.kind,
    verified: reported.verified,
    account,
    masked,
    ...(text !== undefined && { text: text.trim() }),
  };
  const place = ['breach', breach, account?.toLowerCase() ?? externalId];
  return {
    key: reportedKey(integratorId, externalId),
    integratorId,
    externalId,
    breach,
    firstSeenAt: at,
    ...(location !== undefined && { location }),
    ...(leakedAt !== undefined && { leakedAt }),
    secret: await foundSecret({ connections, table }, secret, { place, at }),
  };
}

/** A check with the same result as before is not a new one. */
const keep = ({ secret: before }: Fields, { secret }: Fields): Pick<Fields, 'secret'> => ({
  secret:
    before.check && secret.check?.verified === before.check.verified ? { ...secret, check: before.check } : secret,
});
