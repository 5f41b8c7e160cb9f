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

/** A shorter secret is a word that texts may have for other reasons: only what it is as a whole is masked. */
const TELLING = 8;
const SHORTEST = 4;

/** The finding without the text of its secret in the words beside it, which may repeat it, and without private keys. */
export function withoutSecret<D extends Quoting>(draft: D): D {
  const { text = '' } = draft.secret ?? {};
  const spelled = text.length < TELLING ? [] : [text, oneLine(text)];
  const masked = (words: string): string =>
    withoutPrivateKeys(spelled.reduce((left, one) => left.replaceAll(one, '****'), words));
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
