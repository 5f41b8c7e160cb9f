import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { ApiKey, LinkToken, ServiceAccount } from '../../api/types.ts';
import { type Field, oneOf, optionsOf, type Values } from '../../forms/field.ts';
import { FormDialog, type Secret } from '../../forms/form-dialog.tsx';
import { agoOf, dayOf } from '../../parts/format.ts';
import { Act, LIST_SIZE, Listing } from '../../parts/listing.tsx';
import type { TableColumn } from '../../parts/table.tsx';
import { administration } from '../../texts/administration.ts';
import { nameOf } from '../../texts/names.ts';
import { Publishers } from './publishers.tsx';
import { useRoles } from './roles.tsx';

const words = administration.keys;
const query = { params: { query: { paginateSize: LIST_SIZE } } };
const SCOPES = [
  'assets:read',
  'findings:read',
  'findings:write',
  'vulnerabilities:read',
  'vulnerabilities:write',
  'scans:trigger',
  'soc:read',
  'soc:write',
  'reports:read',
  'reports:write',
] as const;
const KINDS = ['scanner', 'apex', 'agent', 'collector', 'integrator'] as const;

const useKeys = question(() => answerOf(client.GET('/api/v1/organization/api-keys', query)));
const useAccounts = question(() => answerOf(client.GET('/api/v1/organization/service-accounts', query)));
const useTokens = question(() => answerOf(client.GET('/api/v1/organization/link-tokens', query)));

type Credential = { id: string; status: string; createdBy: { name: string }; expiresAt: string | null };

const common = <T extends Credential>(revoke: (id: string) => Promise<unknown>): TableColumn<T>[] => [
  { label: words.by, cell: ({ createdBy }) => createdBy.name },
  { label: words.expires, cell: ({ expiresAt }) => (expiresAt ? dayOf(expiresAt) : words.never) },
  { label: words.status, cell: ({ status }) => <span class="tag">{nameOf(status)}</span> },
  {
    label: words.actions,
    cell: ({ id, status }) =>
      status === 'active' && <Act label={words.revoke} sure={words.sure} done={words.revoked} run={() => revoke(id)} />,
  },
];

const nameField: Field = { name: 'name', label: words.name, kind: 'text', required: true };
const used = (at: string | null) => (at ? agoOf(at) : words.unused);

const keyColumns: TableColumn<ApiKey>[] = [
  { label: words.name, cell: ({ name }) => <span class="strong">{name}</span> },
  { label: words.scopes, cell: ({ scopes }) => <span class="small">{scopes.join(', ')}</span> },
  { label: words.used, cell: ({ lastUsedAt }) => used(lastUsedAt) },
  ...common<ApiKey>((id) =>
    answerOf(client.DELETE('/api/v1/organization/api-keys/{id}', { params: { path: { id } } })),
  ),
];

const accountColumns: TableColumn<ServiceAccount>[] = [
  { label: words.name, cell: ({ name }) => <span class="strong">{name}</span> },
  { label: words.role, cell: ({ role }) => nameOf(role) },
  { label: words.used, cell: ({ lastUsedAt }) => used(lastUsedAt) },
  ...common<ServiceAccount>((id) =>
    answerOf(client.DELETE('/api/v1/organization/service-accounts/{id}', { params: { path: { id } } })),
  ),
];

const tokenColumns: TableColumn<LinkToken>[] = [
  { label: words.name, cell: ({ name, kind }) => <span class="strong">{name ?? nameOf(kind)}</span> },
  { label: words.kind, cell: ({ kind }) => nameOf(kind) },
  { label: words.uses, cell: ({ uses, maxUses }) => words.usesOf(uses, maxUses) },
  ...common<LinkToken>((id) =>
    answerOf(client.DELETE('/api/v1/organization/link-tokens/{id}', { params: { path: { id } } })),
  ),
];

const keyFields: Field[] = [
  nameField,
  { name: 'scopes', label: words.scopes, kind: 'choices', options: SCOPES.map((value) => ({ value, label: value })) },
];
const tokenFields: Field[] = [
  { name: 'kind', label: words.kind, kind: 'choice', options: optionsOf(KINDS), initial: 'scanner' },
  { name: 'name', label: words.name, kind: 'text' },
  { name: 'maxUses', label: words.uses, kind: 'number', initial: '1' },
];

export function Keys() {
  const { data: roles } = useRoles('');
  const options = roles?.data.map(({ id, name }) => ({ value: id, label: name })) ?? optionsOf(['viewer']);
  const accountFields: Field[] = [
    nameField,
    { name: 'role', label: words.role, kind: 'choice', options, initial: 'viewer' },
  ];
  return (
    <>
      <Listing {...words.apiKeys} words={words.apiKeys} asked={useKeys('')} columns={keyColumns} keyOf={({ id }) => id}>
        <FormDialog label={words.apiKeys.add} fields={keyFields} send={createKey} />
      </Listing>
      <Listing
        {...words.accounts}
        words={words.accounts}
        asked={useAccounts('')}
        columns={accountColumns}
        keyOf={({ id }) => id}
      >
        <FormDialog label={words.accounts.add} fields={accountFields} send={createAccount} />
      </Listing>
      <Listing
        {...words.tokens}
        words={words.tokens}
        asked={useTokens('')}
        columns={tokenColumns}
        keyOf={({ id }) => id}
      >
        <FormDialog label={words.tokens.add} fields={tokenFields} send={createToken} />
      </Listing>
      <Publishers />
    </>
  );
}

async function createKey({ text, chosen }: Values): Promise<Secret> {
  const body = { name: text('name'), scopes: chosen('scopes').map((scope) => oneOf(SCOPES, scope)) };
  const { secret } = await answerOf(client.POST('/api/v1/organization/api-keys', { body }));
  return { title: words.apiKeys.made, lines: [{ label: words.secret, text: secret }] };
}

async function createAccount({ text }: Values): Promise<Secret> {
  const body = { name: text('name'), role: text('role') };
  const { clientId, clientSecret } = await answerOf(client.POST('/api/v1/organization/service-accounts', { body }));
  const lines = [
    { label: 'client_id', text: clientId },
    { label: 'client_secret', text: clientSecret },
  ];
  return { title: words.accounts.made, lines };
}

async function createToken({ text, maybe }: Values): Promise<Secret> {
  const body = { kind: oneOf(KINDS, text('kind')), name: maybe('name'), maxUses: Number(text('maxUses')) };
  const { linkToken } = await answerOf(client.POST('/api/v1/organization/link-tokens', { body }));
  return { title: words.tokens.made, lines: [{ label: words.secret, text: linkToken }] };
}
