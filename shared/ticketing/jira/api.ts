import { askHost, type HostAddress, type Reach } from '#shared/platform/outgoing/ask.ts';
import { HostError } from '#shared/platform/outgoing/host-error.ts';
import { entriesOf, PAGE_SIZE } from '#shared/platform/outgoing/pages.ts';
import { path } from '#shared/platform/outgoing/path.ts';
import { fieldAt, indexAt, listAt, textAt } from '#shared/reports/readers/json.ts';
import type { TicketingConnection } from '../ticketing-connection.ts';
import { documentOf, plainText, wikiOf } from './text.ts';

/** The three categories in which Jira puts every status: https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-workflow-status-categories/ */
export type Category = 'open' | 'in_progress' | 'done';
const CATEGORIES: Record<string, Category> = { new: 'open', indeterminate: 'in_progress', done: 'done' };

export type Issue = {
  id: string;
  key: string;
  status: string;
  category: Category;
  assignee: string | null;
  updatedAt: string;
};

export type JiraComment = { id: string; author: string; text: string };

/** A move that the workflow offers now. `resolution`: one must be given. */
export type Transition = { id: string; status: string; category: Category; resolution: string | undefined };

export type NewIssue = {
  project: string;
  issueType: string;
  summary: string;
  description: string;
  labels: readonly string[];
  priority: string | undefined;
  fields: Readonly<Record<string, unknown>>;
};

type Changed = { issues: { id: string; updatedAt: string }[]; next: string | undefined };

/** The types of the calls that bring something to Jira. */
type Brought = 'jira.issue' | 'jira.comment' | 'jira.transition';

/** The questions of this service to Jira. Each function throws HostError. */
export type Jira = ReturnType<typeof jiraAt>;

type Place = Pick<TicketingConnection, 'edition' | 'baseUrl' | 'account'> & Reach & Pick<HostAddress, 'record'>;

const FIELDS = 'status,assignee,updated';

/** Jira Cloud has version 3 of the REST API, Data Center version 2. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: an object of short functions
export function jiraAt(place: Place, token: string) {
  const isCloud = place.edition === 'cloud';
  const host = addressOf(place, token);
  const { record } = place;
  const bodyOf = (text: string) => (isCloud ? documentOf(text) : wikiOf(text));
  const ask = async (
    at: string,
    more: { method?: 'POST' | 'PUT'; body?: object; brings?: Brought } = {},
  ): Promise<unknown> => (await askHost(host, { path: at, ...more })).body;

  return {
    /** The name of the token's owner. */
    async whoAmI(): Promise<string> {
      const body = await ask('myself');
      return orUnexpected(textAt(body, 'displayName') ?? textAt(body, 'name'));
    },

    /** The names of the issue types of a project. */
    async issueTypes(project: string): Promise<string[]> {
      const body = await ask(path`issue/createmeta/${project}/issuetypes?maxResults=${PAGE_SIZE}`);
      return [...listAt(body, 'issueTypes'), ...listAt(body, 'values')].flatMap((type) => textAt(type, 'name') ?? []);
    },

    async create({ project, issueType, summary, description, labels, priority, fields }: NewIssue) {
      const named = {
        project: { key: project },
        issuetype: { name: issueType },
        ...(priority && { priority: { name: priority } }),
      };
      const own = { ...named, summary, description: bodyOf(description), labels };
      const body = await ask('issue', {
        method: 'POST',
        body: { fields: { ...fields, ...own } },
        brings: 'jira.issue',
      });
      return orUnexpected(textAt(body, 'id'));
    },

    /** @returns undefined where Jira has no such issue, or does not show it */
    async issue(id: string): Promise<Issue | undefined> {
      try {
        return issueIn(await ask(path`issue/${id}?fields=${FIELDS}`));
      } catch (error) {
        if (error instanceof HostError && error.code === 'not_found') return undefined;
        throw error;
      }
    },

    /** The ids of the issues with a label, as far as the search of Jira knows them yet. */
    async labelled(label: string): Promise<string[]> {
      const { issues } = await search(`labels = "${label}"`, undefined);
      return issues.map(({ id }) => id);
    },

    /** A page of the issues with a label that changed within so many minutes: times in JQL are of the asker's time zone. */
    changedWithin: (label: string, minutes: number, next: string | undefined): Promise<Changed> =>
      search(`labels = "${label}" AND updated >= "-${minutes}m" ORDER BY updated ASC`, next),

    /** The newest hundred, oldest first. */
    async comments(id: string): Promise<JiraComment[]> {
      const body = await ask(path`issue/${id}/comment?orderBy=-created&maxResults=${PAGE_SIZE}`);
      return entriesOf(listAt(body, 'comments')).map(commentIn).reverse();
    },

    async comment(id: string, text: string): Promise<string> {
      const sent = { method: 'POST' as const, body: { body: bodyOf(text) }, brings: 'jira.comment' as const };
      const body = await ask(path`issue/${id}/comment`, sent);
      return orUnexpected(textAt(body, 'id'));
    },

    async editComment(id: string, comment: string, text: string): Promise<void> {
      const sent = { method: 'PUT' as const, body: { body: bodyOf(text) }, brings: 'jira.comment' as const };
      await ask(path`issue/${id}/comment/${comment}`, sent);
    },

    /** Notes that Jira has what a call brought whose answer was lost. @param part of what was sent */
    async noteFound(brought: Brought, part = ''): Promise<void> {
      await record?.found(brought, part);
    },

    async transitions(id: string): Promise<Transition[]> {
      const body = await ask(path`issue/${id}/transitions?expand=transitions.fields`);
      return listAt(body, 'transitions').flatMap((one) => transitionIn(one) ?? []);
    },

    async transition(id: string, { id: transition, resolution }: Transition): Promise<void> {
      const fields = resolution === undefined ? {} : { fields: { resolution: { name: resolution } } };
      const body = { transition: { id: transition }, ...fields };
      await ask(path`issue/${id}/transitions`, { method: 'POST', body, brings: 'jira.transition' });
    },
  };

  async function search(jql: string, next: string | undefined): Promise<Changed> {
    const query = new URLSearchParams({ jql, maxResults: String(PAGE_SIZE), fields: 'updated' });
    if (next !== undefined) query.set(isCloud ? 'nextPageToken' : 'startAt', next);
    const body = await ask(`${isCloud ? 'search/jql' : 'search'}?${query}`);
    const issues = entriesOf(listAt(body, 'issues')).flatMap((one) => {
      const id = textAt(one, 'id');
      return id ? [{ id, updatedAt: textAt(one, 'fields', 'updated') ?? '' }] : [];
    });
    return { issues, next: isCloud ? textAt(body, 'nextPageToken') : nextStart(body, issues.length) };
  }
}

/** Cloud takes the mail address with an API token (RFC 7617), Data Center a personal access token (RFC 6750). */
function addressOf({ edition, baseUrl, account, network, untilMs, record }: Place, token: string): HostAddress {
  const basic = Buffer.from(`${account ?? ''}:${token}`).toString('base64');
  const authorization = edition === 'cloud' ? `Basic ${basic}` : `Bearer ${token}`;
  const api = `${baseUrl}/rest/api/${edition === 'cloud' ? 3 : 2}/`;
  return { api, headers: { authorization }, network, untilMs, record };
}

function nextStart(body: unknown, count: number): string | undefined {
  const next = (indexAt(body, 'startAt') ?? 0) + count;
  return count > 0 && next < (indexAt(body, 'total') ?? 0) ? String(next) : undefined;
}

const categoryAt = (status: unknown): Category => CATEGORIES[textAt(status, 'statusCategory', 'key') ?? ''] ?? 'open';

function issueIn(body: unknown): Issue {
  const status = fieldAt(body, 'fields', 'status');
  return {
    id: orUnexpected(textAt(body, 'id')),
    key: orUnexpected(textAt(body, 'key')),
    status: orUnexpected(textAt(status, 'name')),
    category: categoryAt(status),
    assignee: textAt(body, 'fields', 'assignee', 'displayName') ?? null,
    updatedAt: textAt(body, 'fields', 'updated') ?? '',
  };
}

const commentIn = (comment: unknown): JiraComment => ({
  id: orUnexpected(textAt(comment, 'id')),
  author: textAt(comment, 'author', 'displayName') ?? textAt(comment, 'author', 'name') ?? 'somebody',
  text: plainText(fieldAt(comment, 'body')),
});

function transitionIn(one: unknown): Transition | undefined {
  const [id, status] = [textAt(one, 'id'), textAt(one, 'to', 'name')];
  if (!id || !status) return undefined;
  const wanted = fieldAt(one, 'fields', 'resolution');
  const resolution = fieldAt(wanted, 'required') === true ? textAt(wanted, 'allowedValues', 0, 'name') : undefined;
  return { id, status, category: categoryAt(fieldAt(one, 'to')), resolution };
}

/** @throws HostError */
function orUnexpected(text: string | undefined): string {
  if (text === undefined) throw new HostError('unexpected_answer', 'Its answer is not what its documentation says.');
  return text;
}
