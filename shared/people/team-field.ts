import { EXAMPLE_ID } from '#shared/platform/filter/fields.ts';
import { peopleOfTeams } from './team.ts';

/** The field of filters that finds the records of a team and of its members, whose ids the index has under `mark`. */
export const teamField = <M extends string>(mark: M) =>
  ({
    kind: 'team',
    mark,
    peopleOf: peopleOfTeams,
    listsOnly: true,
    about: 'the id of a team: its own records and those of its members',
    example: EXAMPLE_ID,
  }) as const;
