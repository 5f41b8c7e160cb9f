import { answerOf, client } from '../api/client.ts';
import { question } from '../api/question.ts';
import type { Option } from './field.ts';

const MAX_SHOWN = 200;
const whole = { params: { query: { paginateSize: MAX_SHOWN } } };

type Named = { id: string; name: string } | { id: string; title: string };

/** A hook with the records of a list by their names, for the choices of a form: none where the person may not see them. */
function named(load: () => Promise<{ data: readonly Named[] }>): () => Option[] {
  const use = question(load);
  return () =>
    (use('').data?.data ?? []).map((one) => ({ value: one.id, label: 'name' in one ? one.name : one.title }));
}

export const usePeople = named(() => answerOf(client.GET('/api/v1/users', whole)));
export const useTeams = named(() => answerOf(client.GET('/api/v1/teams', whole)));
export const useRoleNames = named(() => answerOf(client.GET('/api/v1/roles', whole)));
export const useEndpoints = named(() => answerOf(client.GET('/api/v1/webhook-endpoints', whole)));
export const useApplications = named(() => answerOf(client.GET('/api/v1/software/applications', whole)));
export const useEngagements = named(() => answerOf(client.GET('/api/v1/validation-operations/engagements', whole)));

/** The choices of one kind among those of others: the value is the kind with the id. */
export const choicesOfKind = (kind: string, label: string, options: readonly Option[]): Option[] =>
  options.map((one) => ({ value: `${kind} ${one.value}`, label: `${label}: ${one.label}` }));
