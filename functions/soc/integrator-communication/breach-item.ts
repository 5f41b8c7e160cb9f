import * as z from 'zod';
import { truncatedText } from '#shared/platform/http/bounded-field.ts';
import { objectNamed, Timestamp, text } from '#shared/platform/http/records.ts';
import { CREDENTIAL_KINDS } from '#shared/reports/report/report.ts';

/** A secret that a breach made known. Its text is hashed and masked before anything is stored. */
export const IntegratorBreach = objectNamed('IntegratorBreach', {
  externalId: text(300).meta({
    description: 'the id of the record in its product; a record that is sent again is the same record',
  }),
  breach: truncatedText(120).min(1).meta({ description: 'the name of the breach or of its source' }),
  account: truncatedText(300).nullish().meta({ description: 'the mail address or name that the secret belongs to' }),
  secret: text(20_000).nullish().meta({
    description: 'the text of the secret, for the keyed hash; absent: the account identifies an unknown secret',
  }),
  kind: z.enum(CREDENTIAL_KINDS).default('password'),
  verified: z.boolean().nullish().meta({ description: 'whether a check with the secret succeeded in signing in' }),
  url: truncatedText(500).nullish().meta({ description: 'where it is used' }),
  leakedAt: Timestamp.nullish(),
});
export type IntegratorBreach = z.infer<typeof IntegratorBreach>;
