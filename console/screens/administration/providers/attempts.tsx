import { answerOf, client } from '../../../api/client.ts';
import { question } from '../../../api/question.ts';
import type { SignInAttempt } from '../../../api/types.ts';
import { agoOf } from '../../../parts/format.ts';
import { Section } from '../../../parts/section.tsx';
import { Failed, Loading } from '../../../parts/states.tsx';
import { Table, type TableColumn } from '../../../parts/table.tsx';
import { providers } from '../../../texts/providers.ts';

const words = providers.attempts;
const KEPT = 100;

const useAttempts = question((id) =>
  answerOf(
    client.GET('/api/v1/sign-in/identity-providers/{id}/attempts', {
      params: { path: { id }, query: { paginateSize: KEPT } },
    }),
  ),
);

const columns: TableColumn<SignInAttempt>[] = [
  { label: words.when, cell: ({ at }) => agoOf(at) },
  { label: words.who, cell: ({ email }) => email ?? '–' },
  {
    label: words.reason,
    cell: ({ reason, message }) => (
      <>
        <span class="strong">{words.reasons(reason)}</span> {message}
      </>
    ),
  },
];

/** The sign-ins that failed, newest first, with what the service or the provider says. */
export function Attempts({ id }: { id: string }) {
  const { data, error, ask } = useAttempts(id);
  return (
    <Section title={words.title}>
      {error && !data && <Failed error={error} again={ask} />}
      {!error && !data && <Loading lines={2} />}
      {data?.totalCount === 0 && <p class="soft">{words.none}</p>}
      {data && data.totalCount > 0 && (
        <Table caption={words.title} columns={columns} rows={data.data} keyOf={({ at }) => at} />
      )}
    </Section>
  );
}
