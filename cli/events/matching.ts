import { type Command, Option } from 'commander';
import type { Schemas } from '../client.ts';

type EventFilter = Schemas['EventFilter'];

const ENTITIES = [
  'finding',
  'vulnerability',
  'asset',
  'alert',
  'incident',
  'exposed-credential',
  'repository',
  'engagement',
  'application',
] as const satisfies readonly EventFilter['entity'][];

export type Matching = { filter?: string; entity: EventFilter['entity'] };

/** The options that choose events by a filter of their records. */
export const matchingOption = (command: Command): Command =>
  command
    .option('--filter <filter>', 'only events of records that fit, such as "severity:critical asset.tag:prod"')
    .addOption(new Option('--entity <entity>', 'the records of the filter').choices(ENTITIES).default('finding'));

export const matchingOf = ({ filter, entity }: Matching): EventFilter | null =>
  filter === undefined ? null : { entity, filter };
