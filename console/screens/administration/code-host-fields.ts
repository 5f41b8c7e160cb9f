import type { Field } from '../../forms/field.ts';
import { administration } from '../../texts/administration.ts';

const words = administration.connections;

export const CODE_HOSTS = ['codehost_a', 'codehost_b'] as const;

/** The fields of an account of a code host. */
export const codeHostFields: readonly Field[] = [
  {
    name: 'kind',
    label: words.kind,
    kind: 'choice',
    options: CODE_HOSTS.map((value) => ({ value, label: words.kinds[value] })),
  },
  { name: 'name', label: words.name, kind: 'text', required: true },
  { name: 'account', label: words.account, hint: words.accountHint, kind: 'text', required: true },
  { name: 'token', label: words.token, hint: words.tokenHint, kind: 'text' },
];
