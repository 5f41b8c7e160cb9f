import * as z from 'zod';
import { mentions, unresolved } from '#shared/people/mentions.ts';
import { Id, objectNamed, readOnly, recordFields } from '#shared/platform/http/records.ts';
import { defineEntity } from '#shared/platform/table/entity.ts';

/** A note of a person about an engagement. */
export const EngagementNote = objectNamed('EngagementNote', {
  ...recordFields,
  engagementId: readOnly(Id),
  text: z.string().trim().min(1).max(10_000).meta({ example: 'The customer moved the window by an hour.' }),
  mentions,
});
/** A note as the operation that writes it answers it. */
export const WrittenNote = EngagementNote.extend({ unresolved }).meta({ id: 'WrittenEngagementNote' });
export type EngagementNote = z.infer<typeof EngagementNote>;

export const engagementNotes = defineEntity<EngagementNote>(EngagementNote, {
  name: 'engagement-note',
  feedFields: ['engagementId', 'mentions'],
  parents: { engagement: { of: ({ engagementId }) => engagementId } },
});

/** Time that a person worked for an engagement. */
export const WorkEntry = objectNamed('WorkEntry', {
  ...recordFields,
  engagementId: readOnly(Id),
  personId: z.string().min(1).max(120).nullable().default(null).meta({ description: 'absent: yourself' }),
  personName: readOnly(z.string()),
  minutes: z.int().min(1).max(1440).meta({ example: 90 }),
  what: z.string().trim().min(1).max(500).meta({ example: 'Manual test of the login' }),
  date: z.iso.date().meta({ description: 'the day of the work', example: '2026-01-15' }),
});
export type WorkEntry = z.infer<typeof WorkEntry>;

export const workEntries = defineEntity<WorkEntry>(WorkEntry, {
  name: 'work-entry',
  feedFields: ['engagementId', 'personId', 'minutes', 'what', 'date'],
  parents: { engagement: { of: ({ engagementId }) => engagementId } },
  tallies: ({ engagementId, minutes }) => [{ facet: 'engagement', value: engagementId, add: { minutes } }],
});
