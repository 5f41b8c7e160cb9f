import { teamField } from '#shared/people/team-field.ts';
import type { Fields } from '#shared/platform/filter/fields.ts';
import { CRITICALITIES } from './asset.ts';

/** The fields of filters that assets and applications have both. */
export const ratedFields = {
  criticality: {
    kind: 'choice',
    mark: 'criticality',
    values: CRITICALITIES,
    about: 'the criticality',
    example: 'critical',
  },
  internetExposed: {
    kind: 'choice',
    mark: 'exposed',
    values: ['true', 'false', 'unknown'],
    absent: 'unknown',
    about: 'reachable from the internet',
    example: 'true',
  },
  owner: { kind: 'person', mark: 'owner', absent: true, about: 'the owner: an id, me or none', example: 'me' },
  team: teamField('owner'),
} as const satisfies Fields;
