import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { Belongings as Known } from '../../api/types.ts';
import type { Field, Values } from '../../forms/field.ts';
import { Form } from '../../forms/form.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { notify } from '../../parts/toasts.tsx';
import { count } from '../../texts/amounts.ts';
import { team } from '../../texts/teams.ts';

const words = team.belongings;
const KINDS = ['findings', 'vulnerabilities', 'alerts', 'incidents', 'remediations', 'assets', 'applications'] as const;

const useBelongings = question((id) =>
  answerOf(client.GET('/api/v1/teams/{id}/belongings', { params: { path: { id } } })),
);

type BelongingsProps = {
  id: string;
  /** The accounts and teams that may take over. */
  heirs: readonly { value: string; label: string }[];
};

/** The possessions and the work of a team or an account, and the form that gives all of it to somebody else. */
export function Belongings({ id, heirs }: BelongingsProps) {
  const { data, error, ask } = useBelongings(id);
  if (!data) return error ? <Failed error={error} again={ask} /> : <Loading lines={3} />;
  const { assigned, teamsLed } = data;
  const isAny = teamsLed.length > 0 || KINDS.some((kind) => assigned[kind] > 0);
  const fields: Field[] = [
    { name: 'to', label: words.to, kind: 'choice', options: heirs.filter(({ value }) => value !== id) },
  ];
  return (
    <>
      <Listed known={data} />
      {isAny && <Form fields={fields} submit={words.handOver} send={(values) => handOver(id, values)} />}
      {isAny && <p class="soft small">{words.undo}</p>}
    </>
  );
}

const Listed = ({ known: { assigned, teamsLed, savedFilters, rules, made } }: { known: Known }) => {
  const credentials = [...made.apiKeys, ...made.linkTokens, ...made.serviceAccounts];
  const named = (some: readonly { name: string | null }[]) => some.map(({ name }) => name ?? '–').join(', ');
  const rows = [
    ...KINDS.map((kind) => [words.kinds[kind], assigned[kind] > 0 && count(assigned[kind])] as const),
    [words.teamsLed, named(teamsLed)] as const,
    [words.savedFilters, named(savedFilters)] as const,
    [words.rules, named(rules)] as const,
    [words.made, named(credentials)] as const,
  ];
  return rows.some(([, value]) => value) ? <Facts rows={rows} /> : <p class="soft">{words.none}</p>;
};

async function handOver(id: string, { text }: Values): Promise<void> {
  const params = { path: { id } };
  const { tasks, moved, remaining } = await answerOf(
    client.POST('/api/v1/teams/{id}/hand-over', { params, body: { to: text('to') } }),
  );
  const records = tasks.reduce((sum, task) => sum + task.records, 0);
  const atOnce = Object.values(moved).reduce((sum, amount) => sum + amount, 0);
  notify([words.handedOver(records, atOnce), remaining > 0 ? words.remaining(remaining) : ''].join(' '));
}
