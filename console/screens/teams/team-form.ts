import type { Team } from '../../api/types.ts';
import { chosenOf, type Field, type Values } from '../../forms/field.ts';
import { team as words } from '../../texts/teams.ts';

type Choices = readonly { value: string; label: string }[];
const NOBODY = { value: '', label: '–' };

/** The fields of a new team, or of one that changes. */
export const fieldsOf = (accounts: Choices, team?: Team): Field[] => [
  { name: 'name', label: words.name, kind: 'text', required: true, initial: team?.name ?? '' },
  { name: 'description', label: words.description, kind: 'long', initial: team?.description ?? '' },
  {
    name: 'leadId',
    label: words.lead,
    kind: 'choice',
    options: [NOBODY, ...accounts],
    initial: team?.leadId ?? '',
  },
  {
    name: 'memberIds',
    label: words.members,
    kind: 'choices',
    options: accounts,
    initial: chosenOf(team?.memberIds ?? []),
  },
];

export const bodyOf = ({ text, maybe, chosen }: Values) => ({
  name: text('name'),
  description: maybe('description') ?? null,
  leadId: maybe('leadId') ?? null,
  memberIds: chosen('memberIds'),
});
