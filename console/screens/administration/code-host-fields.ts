import { choicesOf, type Field } from '../../forms/field.ts';
import { administration } from '../../texts/administration.ts';

const words = administration.connections;

/** The fields of an account of a code host. */
export const codeHostFields: readonly Field[] = [
  {
    name: 'kind',
    label: words.kind,
    kind: 'choice',
    options: choicesOf(words.kinds),
  },
  { name: 'name', label: words.name, kind: 'text', required: true },
  { name: 'account', label: words.account, hint: words.accountHint, kind: 'text', required: true },
  { name: 'token', label: words.token, hint: words.tokenHint, kind: 'text' },
];
