import type { ReportFinding, ReportLocation } from '../report/report.ts';
import { withoutPrivateKeys } from './private-key.ts';
import { oneLine } from './text.ts';

type Quoting = Pick<ReportFinding, 'title' | 'location'> &
  Partial<
    Pick<
      ReportFinding,
      'secret' | 'description' | 'remediation' | 'evidence' | 'references' | 'otherLocations' | 'tags'
    >
  >;

/** A shorter secret may be a part of other words. It is masked where it is alone, a secret of letters only where it is a whole name or tag. */
const TELLING = 8;
const SHORTEST = 4;
const LETTERS = /^(?:\p{L}+|\p{N}+)$/u;
const LETTER = /[\p{L}\p{N}]/u;

/** The words without a text that stands between other signs than letters and digits. */
function withoutWord(words: string, text: string): string {
  const [first = '', ...rest] = words.split(text);
  return rest.reduce((left, next) => {
    const isPart = LETTER.test(left.slice(-1)) || LETTER.test(next.slice(0, 1));
    return `${left}${isPart ? text : '****'}${next}`;
  }, first);
}

/** The finding without the text of its secret in the words beside it, which may repeat it, and without private keys. */
export function withoutSecret<D extends Quoting>(draft: D): D {
  const { text = '' } = draft.secret ?? {};
  const spelled = text.length < TELLING ? [] : [text, oneLine(text)];
  const isAlone = text.length >= SHORTEST && text.length < TELLING && !LETTERS.test(text);
  const masked = (words: string): string => {
    const left = spelled.reduce((more, one) => more.replaceAll(one, '****'), words);
    return withoutPrivateKeys(isAlone ? withoutWord(left, text) : left);
  };
  const whole = (part: string): string => (part === text && text.length >= SHORTEST ? '****' : part);
  const pathOf = (path: string): string => masked(path).split('/').map(whole).join('/');
  const maskedIn = (words: string | undefined): string | undefined => words && masked(words);
  const place = (one: ReportLocation): ReportLocation => ({
    ...one,
    ...(one.path !== undefined && { path: pathOf(one.path) }),
    ...(one.url !== undefined && { url: pathOf(one.url) }),
    ...(one.snippet !== undefined && { snippet: masked(one.snippet) }),
  });
  const { title, description, remediation, evidence, references, location, otherLocations, tags } = draft;
  return {
    ...draft,
    title: masked(location.path ? title.replaceAll(location.path, pathOf(location.path)) : title),
    description: maskedIn(description),
    remediation: maskedIn(remediation),
    evidence: evidence?.map(({ kind, content }) => ({ kind, content: masked(content) })),
    references: references?.map(masked),
    location: place(location),
    otherLocations: otherLocations?.map(place),
    ...(tags && { tags: tags.map((tag) => whole(masked(tag))) }),
  };
}
