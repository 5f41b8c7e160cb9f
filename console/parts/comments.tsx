import type { Refused } from '../api/client.ts';
import { texts } from '../texts.ts';
import { OneText } from './form.tsx';
import { agoOf } from './format.ts';
import { Prose } from './prose.tsx';
import { Section } from './section.tsx';

type Comment = { id: string; text: string; createdAt: string; createdBy: { name: string } };

type CommentsProps = {
  comments: readonly Comment[] | undefined;
  send: (text: string) => Promise<Refused | undefined>;
};

const words = texts.finding.page;

/** The comments of people on a record, with a field for one more. */
export const Comments = ({ comments, send }: CommentsProps) => (
  <Section title={words.comments}>
    <ol class="history">
      {comments?.map(({ id, text, createdAt, createdBy }) => (
        <li key={id}>
          <Prose text={text} />
          <span class="soft small">{texts.finding.by(createdBy.name, agoOf(createdAt))}</span>
        </li>
      ))}
    </ol>
    <OneText label={words.comment} submit={words.send} send={send} />
  </Section>
);
