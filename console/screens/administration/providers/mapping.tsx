import { answerOf, client } from '../../../api/client.ts';
import type { IdentityProvider } from '../../../api/types.ts';
import { type Field, optionsOf, type Values } from '../../../forms/field.ts';
import { FormDialog } from '../../../forms/form-dialog.tsx';
import { Act } from '../../../parts/listing.tsx';
import { Section } from '../../../parts/section.tsx';
import { Table, type TableColumn } from '../../../parts/table.tsx';
import { providers } from '../../../texts/providers.ts';
import { useAccounts } from '../../teams/accounts.ts';
import { useRoles } from '../roles.tsx';

const words = providers.mapping;

type Choices = readonly { value: string; label: string }[];
const NONE = { value: '', label: '–' };
const labelIn = (choices: Choices, id = ''): string => choices.find(({ value }) => value === id)?.label ?? (id || '–');

type Rows = IdentityProvider['mapping'];
type Numbered = Rows[number] & { index: number };

/** The rows that give roles to claims: the first that fits counts, so rows have an order. */
export function Mapping({ provider: { id, mapping } }: { provider: IdentityProvider }) {
  const { data: roles } = useRoles('');
  const options = roles?.data.map((role) => ({ value: role.id, label: role.name })) ?? optionsOf(['viewer']);
  const { data: accounts } = useAccounts('');
  const teams = accounts?.teams ?? [];
  const put = (rows: Rows) =>
    answerOf(
      client.PATCH('/api/v1/sign-in/identity-providers/{id}', { params: { path: { id } }, body: { mapping: rows } }),
    );
  const fields: Field[] = [
    { name: 'claim', label: words.claim, hint: words.claimHint, kind: 'text', required: true },
    { name: 'equals', label: words.equals, kind: 'text', required: true },
    {
      name: 'roleId',
      label: words.role,
      kind: 'choice',
      options: [NONE, ...options.filter(({ value }) => value !== 'owner')],
    },
    { name: 'teamId', label: words.team, kind: 'choice', options: [NONE, ...teams] },
  ];
  const add = async ({ text, maybe }: Values): Promise<undefined> => {
    const row = { claim: text('claim'), equals: text('equals'), roleId: maybe('roleId'), teamId: maybe('teamId') };
    await put([...mapping, row]);
  };
  const columns: TableColumn<Numbered>[] = [
    { label: words.claim, cell: ({ claim }) => <code>{claim}</code> },
    { label: words.equals, cell: ({ equals }) => <code>{equals}</code> },
    { label: words.role, cell: ({ roleId }) => labelIn(options, roleId) },
    { label: words.team, cell: ({ teamId }) => labelIn(teams, teamId) },
    {
      label: words.actions,
      cell: ({ index }) => (
        <span class="acts">
          {index > 0 && <Act label={words.up} done={words.moved} run={() => put(earlier(mapping, index))} />}
          <Act label={words.remove} done={words.removed} run={() => put(mapping.filter((_, n) => n !== index))} />
        </span>
      ),
    },
  ];
  return (
    <Section title={words.title}>
      <p class="soft">{mapping.length === 0 ? words.none : words.lead}</p>
      {mapping.length > 0 && (
        <Table
          caption={words.title}
          columns={columns}
          rows={mapping.map((row, index) => ({ ...row, index }))}
          keyOf={({ index }) => String(index)}
        />
      )}
      <p>
        <FormDialog label={words.add} fields={fields} send={add} />
      </p>
    </Section>
  );
}

/** The rows with one of them a place earlier. */
function earlier(rows: Rows, index: number): Rows {
  const [before, row] = rows.slice(index - 1, index + 1);
  return before && row ? rows.toSpliced(index - 1, 2, row, before) : rows;
}
