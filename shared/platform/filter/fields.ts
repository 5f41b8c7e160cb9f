import type { Marked } from '../table/combined.ts';
import type { Table } from '../table/table.ts';
import type { FilteredEntity, Leaf } from './filter.ts';

/** The values that a record has, as rules see it; `key`: of a tag of a cloud. */
type Read = (record: never, key: string) => readonly string[];

/**
 * A field of filters. `mark` names the declared values, dimensions or parents of an entity that answer the field,
 * `order` its declared order. `read`: rules compare these values, also by patterns, which no index answers. `listsOnly`: rules
 * do not have the field. `late`: the index follows what rules read by a task, so that it narrows no rule.
 */
export type Field = Readonly<{ about: string; example: string; read?: Read; listsOnly?: true; late?: true }> &
  /** `absent`: the value of records for which the index has none; `rest`: of those that have none of the other values in it. */
  (
    | Readonly<{ kind: 'choice'; mark: string; values: readonly string[]; absent?: string; rest?: string }>
    /** `yes`: the value that the index has of records for which the field is true. */
    | Readonly<{ kind: 'flag'; mark: string; yes: string }>
    /**
     * `spelled` makes the value of the index of a text; `among`: values that every record has one of, where a deleted record keeps
     * its mark.
     */
    | (Listed & Readonly<{ kind: 'value'; spelled?: (text: string) => string; among?: Among }>)
    | (Listed & Readonly<{ kind: 'person' }>)
    /** Persons of a team. `peopleOf`: the ids that the index has for each team that is there. */
    | Readonly<{ kind: 'team'; mark: string; peopleOf: PeopleOf }>
    /** A UTC day. `ahead`: days to come, so that `7d` is the next seven days. `reach`: lists find the last so many days. */
    | Readonly<{ kind: 'day'; order: string; ahead?: true; reach?: number }>
    /** Whole multiples of `step` from 0 to `most`; `placeOf` gives the place in the order, which begins with the most. */
    | Readonly<{ kind: 'number'; order: string; step: number; most: number; placeOf: (value: number) => string }>
    | Readonly<{ kind: 'words'; spelled?: (text: string) => string }>
    | (Unlisted & Readonly<{ kind: 'names'; caseless?: true; keyed?: true; values?: readonly string[] }>)
    | (Unlisted & Readonly<{ kind: 'address' }>)
  );

type PeopleOf = (table: Table, ids: readonly string[]) => Promise<ReadonlyMap<string, readonly string[]>>;

/** Only rules answer the field. `narrowed`: values of the index that each record with such a value has. */
type Unlisted = Readonly<{ read: Read; narrowed?: (leaf: Leaf) => Marked | undefined }>;

/**
 * `absent`: the index has a mark for records without a value, but none for records with a value of `unless`; `some`: it has the name
 * of the mark among these values of records with a value.
 */
export type Listed = Readonly<{ mark: string; absent?: true; unless?: Among; some?: string }>;

type Among = Readonly<{ name: string; values: readonly string[] }>;

/** The field of the records that a preview has found to change; each record has one of the values. */
export const previewedField = (name: string, values: readonly string[]) =>
  ({
    kind: 'value',
    mark: 'preview',
    listsOnly: true,
    among: { name, values },
    about: 'the id of a preview (dryRun or /api/v1/previews): the records that the change would change, for a day',
    example: EXAMPLE_ID,
  }) as const satisfies Field;

/** The fields of an entity's filters by their names. */
export type Fields = Readonly<Record<string, Field>>;

/** The records of a kind, and the fields by which filters select them. */
export type Filtered = Readonly<{ entity: FilteredEntity; fields: () => Fields | Promise<Fields> }>;

export const EXAMPLE_ID = '01900000-0000-7000-8000-000000000000';

/** The field of the words that a search finds; each entity with words has it. */
export const WORDS = {
  kind: 'words',
  about:
    'words of the record; a text without a field is a word, and a text in quotation marks is a list of whole words',
  example: 'log4j',
} as const satisfies Field;
