import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import { act } from '../../parts/act.ts';
import { Section } from '../../parts/section.tsx';
import { texts } from '../../texts.ts';
import { useMe } from '../../zone.ts';

const words = texts.finding.page;

const useFollowers = question((id) =>
  answerOf(client.GET('/api/v1/findings/{id}/followers', { params: { path: { id } } })),
);

/** The people who follow a finding, and a button by which one joins or leaves them. */
export function Followers({ id }: { id: string }) {
  const { data, ask } = useFollowers(id);
  const { data: me } = useMe('');
  const follows = data?.data.some((follower) => follower.id === me?.id);
  const params = { path: { id } };
  const join = () =>
    act(client.PUT('/api/v1/findings/{id}/followers/me', { params }), { done: words.followed, changed: ask });
  const leave = () =>
    act(client.DELETE('/api/v1/findings/{id}/followers/me', { params }), { done: words.unfollowed, changed: ask });
  return (
    <Section title={words.followers}>
      <p>{data?.data.map(({ name }) => name).join(', ') || words.noFollowers}</p>
      {me && (
        <button type="button" class="button" onClick={follows ? leave : join}>
          {follows ? words.unfollow : words.follow}
        </button>
      )}
    </Section>
  );
}
