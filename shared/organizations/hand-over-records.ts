import * as z from 'zod';
import { Person } from '#shared/credentials/person.ts';
import { Id, objectNamed } from '#shared/platform/http/records.ts';

const count = z.int().nonnegative();

export const HandOver = objectNamed('HandOver', {
  to: Person,
  tasks: z
    .array(
      z.object({ kind: z.enum(['findings', 'vulnerabilities', 'alerts', 'incidents']), taskId: Id, records: count }),
    )
    .meta({ description: 'changes of many records; each can be undone for a day after its end' }),
  moved: z.object({ remediations: count, assets: count, applications: count, teamsLed: count }),
  remaining: count.meta({
    description: 'remediations, assets and applications that are left: send the request again while it is above 0',
  }),
});
export type HandOver = z.infer<typeof HandOver>;
