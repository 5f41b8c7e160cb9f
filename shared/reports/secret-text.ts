import type { ReportFinding } from './report.ts';

type Quoting = Pick<ReportFinding, 'location'> &
  Partial<Pick<ReportFinding, 'secret' | 'description' | 'remediation' | 'evidence' | 'references'>>;

/** A shorter secret is a word that texts may have for other reasons. */
const TELLING = 8;

/** The finding without the text of its secret in the words beside it: a description or an address may repeat it. */
export function withoutSecret<D extends Quoting>(draft: D): D {
  const { text = '' } = draft.secret ?? {};
  if (text.length < TELLING) return draft;
  const masked = (words: string): string => words.replaceAll(text, '****');
  const maskedIn = (words: string | undefined): string | undefined => words && masked(words);
  const { description, remediation, evidence, references, location } = draft;
  return {
    ...draft,
    description: maskedIn(description),
    remediation: maskedIn(remediation),
    evidence: evidence?.map(({ kind, content }) => ({ kind, content: masked(content) })),
    references: references?.map(masked),
    location: { ...location, url: maskedIn(location.url), snippet: maskedIn(location.snippet) },
  };
}
