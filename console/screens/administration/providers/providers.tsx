import { Link, useSearchParams } from 'wouter-preact';
import { answerOf, client } from '../../../api/client.ts';
import { question } from '../../../api/question.ts';
import type { IdentityProvider } from '../../../api/types.ts';
import { choicesOf, chosenIn, type Field, type Values } from '../../../forms/field.ts';
import { FormDialog } from '../../../forms/form-dialog.tsx';
import { LIST_SIZE, Listing } from '../../../parts/listing.tsx';
import type { TableColumn } from '../../../parts/table.tsx';
import { providers as words } from '../../../texts/providers.ts';
import { ProviderDrawer } from './provider-drawer.tsx';

const useProviders = question(() =>
  answerOf(client.GET('/api/v1/sign-in/identity-providers', { params: { query: { paginateSize: LIST_SIZE } } })),
);

const columns: TableColumn<IdentityProvider>[] = [
  {
    label: words.name,
    cell: ({ id, name }) => (
      <Link href={`/administration/providers?open=${id}`} class="strong">
        {name}
      </Link>
    ),
  },
  { label: words.kind, cell: ({ kind }) => words.kinds[kind] },
  { label: words.status, cell: ({ status }) => <span class="tag">{words.statuses[status]}</span> },
  {
    label: words.domains,
    cell: ({ domains }) => domains.map(({ name }) => name).join(', ') || <span class="soft">{words.noDomains}</span>,
  },
  { label: words.enforcement, cell: ({ enforcement }) => words.enforcements[enforcement] },
  {
    label: words.lastError,
    cell: ({ lastError }) => <span class={lastError ? 'overdue' : 'soft'}>{lastError?.message ?? words.noError}</span>,
  },
];

const fields: Field[] = [
  {
    name: 'kind',
    label: words.kind,
    kind: 'choice',
    options: choicesOf(words.kinds),
  },
  { name: 'name', label: words.name, hint: words.nameHint, kind: 'text', required: true },
];

/** The identity providers of the organization; each is set up in steps. */
export function Providers() {
  const [params, setParams] = useSearchParams();
  const open = params.get('open');
  const add = async ({ text }: Values): Promise<undefined> => {
    const body = { kind: chosenIn(words.kinds, text('kind')), name: text('name') };
    const { id } = await answerOf(client.POST('/api/v1/sign-in/identity-providers', { body }));
    setParams({ open: id });
  };
  return (
    <>
      <Listing
        title={words.title}
        lead={words.lead}
        words={words}
        asked={useProviders('')}
        columns={columns}
        keyOf={({ id }) => id}
      >
        <FormDialog label={words.add} fields={fields} send={add} />
      </Listing>
      {open && <ProviderDrawer id={open} close={() => setParams({})} />}
    </>
  );
}
