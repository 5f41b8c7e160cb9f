import type { Finding } from '../../api/types.ts';
import { Section } from '../../parts/section.tsx';
import { isOfWeb } from '../../shell/links.ts';
import { texts } from '../../texts.ts';

const words = texts.finding;

/** The proof that the tool gives. All of it is shown as text, whatever it contains. */
export const Evidence = ({ finding }: { finding: Finding }) => {
  const { evidence, references, locationDetail } = finding;
  const { snippet } = locationDetail;
  const isEmpty = evidence.length === 0 && snippet === undefined;
  return (
    <Section title={words.evidence}>
      {snippet !== undefined && <pre>{snippet}</pre>}
      {evidence.map(({ kind, content }) => (
        <pre key={kind + content}>{content}</pre>
      ))}
      {isEmpty && <p class="soft">{words.noEvidence}</p>}
      {references.length > 0 && (
        <>
          <h4>{words.references}</h4>
          <ul class="references">
            {references.map((reference) => (
              <li key={reference}>
                <Reference text={reference} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  );
};

/** A link only for addresses of the web: other schemes could run a script. */
const Reference = ({ text }: { text: string }) =>
  isOfWeb(text) ? (
    <a href={text} rel="noreferrer noopener" target="_blank">
      {text}
    </a>
  ) : (
    <span>{text}</span>
  );
