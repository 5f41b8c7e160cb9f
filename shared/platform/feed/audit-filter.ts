import { EXAMPLE_ID, type Fields, type Filtered, WORDS } from '../filter/fields.ts';
import { caseless } from '../runtime/texts.ts';
import { marksFrom } from '../table/layout/marks.ts';
import { wordsOf } from '../table/layout/words.ts';
import type { Announced } from './log.ts';

const KINDS = ['created', 'updated', 'deleted', 'noted', 'signed_in', 'refused'] as const;

/** The fields of filters of the audit log. */
const fields: Fields = {
  actor: { kind: 'person', mark: 'actor', about: 'the id of the one who made the change', example: 'me' },
  operation: {
    kind: 'value',
    mark: 'operation',
    spelled: caseless,
    about: 'the operation, task or timer',
    example: 'updateFinding',
  },
  kind: { kind: 'choice', mark: 'kind', values: KINDS, about: 'the kind of entry', example: 'deleted,refused' },
  entity: {
    kind: 'value',
    mark: 'entity',
    spelled: caseless,
    absent: true,
    about: 'the kind of record',
    example: 'asset',
  },
  record: { kind: 'value', mark: 'record', absent: true, about: 'the id of the record', example: EXAMPLE_ID },
  field: {
    kind: 'value',
    mark: 'field',
    spelled: caseless,
    about: 'a field that changed, also a masked one',
    example: 'severity',
  },
  ip: { kind: 'value', mark: 'ip', absent: true, about: 'the address of the request', example: '192.0.2.1' },
  at: { kind: 'day', order: 'at', about: 'the day', example: '7d' },
  text: { ...WORDS, about: 'words of the actor and of the reason of a refusal', example: 'secret' },
};

export const auditFilter: Filtered = { entity: 'audit', fields: () => fields };

/** The marks that an index would have of an entry: the log reads its entries in order and tries the filter on each. */
export const marksOfEntry = ({ entry, change, event }: Announced): string[] => [
  ...wordsOf([entry.by.name, event?.reason]),
  ...marksFrom(
    {
      actor: entry.by.id,
      operation: caseless(entry.cause.operation),
      kind: kindOf({ change, event }),
      entity: change ? caseless(change.entity) : null,
      record: change?.id ?? null,
      field: change && [...Object.keys(change.fields), ...change.masked].map(caseless),
      ip: entry.cause.ip ?? null,
    },
    { at: entry.at.slice(0, 10) },
  ),
];

export const kindOf = ({ change, event }: Pick<Announced, 'change' | 'event'>) =>
  change?.kind ?? event?.kind ?? 'refused';
