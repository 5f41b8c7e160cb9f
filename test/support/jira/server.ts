import { createHmac } from 'node:crypto';
import { nowMs } from '#shared/platform/runtime/clock.ts';
import { type Asked, type CodeHostServer, type Reply, startServer } from '../code-hosts/server.ts';

const STATUSES = {
  'To Do': { id: '11', key: 'new' },
  'In Progress': { id: '21', key: 'indeterminate' },
  Done: { id: '31', key: 'done' },
} as const;
type StatusName = keyof typeof STATUSES;

type Comment = { id: string; author: string; body: unknown; created: number };
type JiraIssue = {
  id: string;
  key: string;
  fields: Record<string, unknown> & { labels: string[]; summary: string };
  status: StatusName;
  comments: Comment[];
  createdMs: number;
  updatedMs: number;
};

export type JiraServer = CodeHostServer & {
  issues: JiraIssue[];
  /** How long the search does not know a new issue. */
  lagMs: number;
  /** Statuses to which no transition leads. */
  blocked: StatusName[];
  /** The answers of the next requests to create something are lost after Jira has done it. */
  loseAnswers: number;
  /** A person moves an issue, or comments on it. */
  move(key: string, to: StatusName): void;
  say(key: string, text: string): void;
  /** The author of a comment edits it. */
  edit(key: string, comment: string, text: string): void;
};

export const MAIL = 'tickets@example.com';
export const JIRA_TOKEN = 'token-of-the-test';
const ME = { displayName: 'Exposure Bot', name: 'bot' };
const NOT_FOUND = {
  status: 404,
  body: { errorMessages: ['Issue does not exist or you do not have permission to see it.'] },
};
const PAGE = 2;

/** Jira Cloud (REST API v3) and Data Center (v2) with the project SEC: https://developer.atlassian.com/cloud/jira/platform/rest/v3/ */
export async function startJira(): Promise<JiraServer> {
  const state = { issues: [] as JiraIssue[], lagMs: 0, blocked: [] as StatusName[], loseAnswers: 0 };
  const server = await startServer((asked) => answer(jira, asked));
  const byKey = (key: string): JiraIssue => {
    const issue = jira.issues.find((one) => one.key === key);
    if (!issue) throw new Error(`no issue ${key}`);
    return issue;
  };
  const jira: JiraServer = Object.assign(state, server, {
    move: (key: string, to: StatusName) => void moved(byKey(key), to),
    say: (key: string, text: string) => void said(byKey(key), 'Jane Doe', text),
    edit: (key: string, comment: string, text: string) => void edited(byKey(key), comment, text),
  });
  return jira;
}

const touch = (issue: JiraIssue): void => {
  issue.updatedMs = Math.max(nowMs(), issue.updatedMs + 1);
};

function moved(issue: JiraIssue, to: StatusName): void {
  issue.status = to;
  touch(issue);
}

function said(issue: JiraIssue, author: string, body: unknown): Comment {
  const comment = { id: `${issue.id}0${issue.comments.length + 1}`, author, body, created: nowMs() };
  issue.comments.push(comment);
  touch(issue);
  return comment;
}

function edited(issue: JiraIssue, id: string, body: unknown): Comment | undefined {
  const comment = issue.comments.find((one) => one.id === id);
  if (comment) comment.body = body;
  touch(issue);
  return comment;
}

function answer(jira: JiraServer, asked: Asked): Reply {
  const [, version, path = ''] = /^\/rest\/api\/([23])\/(.+)$/.exec(asked.path) ?? [];
  const wanted = version === '3' ? `Basic ${btoa(`${MAIL}:${JIRA_TOKEN}`)}` : `Bearer ${JIRA_TOKEN}`;
  if (asked.headers.authorization !== wanted)
    return { status: 401, body: { errorMessages: ['You are not authenticated.'] } };
  const reply = answerAuthorized(jira, { ...asked, path }, version === '3');
  if (reply.status !== 201 || jira.loseAnswers === 0) return reply;
  jira.loseAnswers -= 1;
  return { status: 504, body: {} };
}

function answerAuthorized(jira: JiraServer, asked: Asked, isCloud: boolean): Reply {
  const { path, method, query } = asked;
  if (path === 'myself') return { body: ME };
  if (path === 'issue/createmeta/SEC/issuetypes') {
    const types = [
      { id: '1', name: 'Task' },
      { id: '2', name: 'Bug' },
    ];
    return { body: isCloud ? { issueTypes: types } : { values: types } };
  }
  if (path === 'issue' && method === 'POST') return create(jira, asked, isCloud);
  if (path === (isCloud ? 'search/jql' : 'search')) return search(jira, query, isCloud);
  const [, id, part, comment] = /^issue\/(\d+)(?:\/(\w+)(?:\/(\d+))?)?$/.exec(path) ?? [];
  const issue = jira.issues.find((one) => one.id === id);
  if (!issue) return NOT_FOUND;
  if (part === undefined) return { body: shown(issue) };
  if (part === 'transitions') return transitions(jira, issue, asked);
  if (part !== 'comment') return NOT_FOUND;
  if (comment !== undefined && method === 'PUT') {
    const changed = edited(issue, comment, bodyOf(asked.body.body, isCloud));
    return changed ? { body: shownComment(changed) } : NOT_FOUND;
  }
  if (method === 'POST')
    return { status: 201, body: shownComment(said(issue, ME.displayName, bodyOf(asked.body.body, isCloud))) };
  const comments = issue.comments.map(shownComment).reverse();
  return { body: { comments: comments.slice(0, Number(query.get('maxResults'))), total: comments.length } };
}

/** @throws where the body is not of the version */
function bodyOf(body: unknown, isCloud: boolean): unknown {
  const isDocument = typeof body === 'object' && body !== null && 'type' in body && body.type === 'doc';
  if (isDocument !== isCloud) throw new Error(`a body of the other version: ${JSON.stringify(body)}`);
  return body;
}

const refused = (field: string, message: string): Reply => ({
  status: 400,
  body: { errorMessages: [], errors: { [field]: message } },
});

function create({ issues }: JiraServer, { body: { fields } }: Asked, isCloud: boolean): Reply {
  if (fields.project.key !== 'SEC') return refused('project', 'valid project is required');
  if (!['Task', 'Bug'].includes(fields.issuetype.name))
    return refused('issuetype', 'The issue type selected is invalid.');
  if (/\n/.test(fields.summary) || fields.summary.length > 255) return refused('summary', 'The summary is invalid.');
  if (fields.labels.some((label: string) => /\s/.test(label))) return refused('labels', 'The label contains spaces.');
  bodyOf(fields.description, isCloud);
  const number = issues.length + 1;
  const at = { createdMs: nowMs(), updatedMs: nowMs() };
  const issue: JiraIssue = {
    id: String(10_000 + number),
    key: `SEC-${number}`,
    fields,
    status: 'To Do',
    comments: [],
    ...at,
  };
  issues.push(issue);
  return { status: 201, body: { id: issue.id, key: issue.key } };
}

const statusOf = (name: StatusName) => ({ name, statusCategory: { key: STATUSES[name].key } });

const shown = ({ id, key, status, updatedMs }: JiraIssue) => ({
  id,
  key,
  fields: {
    status: statusOf(status),
    assignee: { displayName: 'Jane Doe' },
    updated: new Date(updatedMs).toISOString(),
  },
});

const shownComment = ({ id, author, body }: Comment) => ({ id, author: { displayName: author }, body });

function transitions({ blocked }: JiraServer, issue: JiraIssue, { method, body }: Asked): Reply {
  const names = (Object.keys(STATUSES) as StatusName[]).filter(
    (name) => name !== issue.status && !blocked.includes(name),
  );
  if (method === 'GET') {
    const needed = { resolution: { required: true, allowedValues: [{ name: 'Done' }, { name: "Won't Do" }] } };
    const listed = names.map((name) => ({
      id: STATUSES[name].id,
      name,
      to: statusOf(name),
      fields: name === 'Done' ? needed : {},
    }));
    return { body: { transitions: listed } };
  }
  const to = names.find((name) => STATUSES[name].id === body.transition.id);
  if (!to) return refused('transition', 'It is not a valid transition.');
  if (to === 'Done' && !body.fields?.resolution?.name) return refused('resolution', 'Resolution is required.');
  moved(issue, to);
  return { status: 204 };
}

function search({ issues, lagMs }: JiraServer, query: URLSearchParams, isCloud: boolean): Reply {
  const [, label, minutes] =
    /^labels = "([^"]+)"(?: AND updated >= "-(\d+)m" ORDER BY updated ASC)?$/.exec(query.get('jql') ?? '') ?? [];
  if (!label) return { status: 400, body: { errorMessages: ['The JQL is wrong.'] } };
  const since = minutes ? nowMs() - Number(minutes) * 60_000 : 0;
  const found = issues
    .filter(
      ({ fields, createdMs, updatedMs }) =>
        fields.labels.includes(label) && createdMs + lagMs <= nowMs() && updatedMs >= since,
    )
    .toSorted((a, b) => a.updatedMs - b.updatedMs);
  const from = Number(query.get(isCloud ? 'nextPageToken' : 'startAt') ?? 0);
  const page = found.slice(from, from + PAGE).map(shown);
  const isLast = from + PAGE >= found.length;
  if (isCloud) return { body: { issues: page, isLast, ...(!isLast && { nextPageToken: String(from + PAGE) }) } };
  return { body: { issues: page, startAt: from, maxResults: PAGE, total: found.length } };
}

/** The headers with which Jira signs an event. */
export const signedBy = (secret: string, body: string, deliveryId: string): Record<string, string> => ({
  'content-type': 'application/json',
  'x-atlassian-webhook-identifier': deliveryId,
  'x-hub-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
});
