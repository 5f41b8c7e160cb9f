import { isOpen } from '#shared/findings/finding/finding-status.ts';
import type { Category, Issue, Jira, JiraComment, Transition } from '#shared/ticketing/jira/api.ts';
import type { StoredTicket, SubjectStatus } from '#shared/ticketing/ticket.ts';
import { markOf, noticeOf, referenceIn } from './reference.ts';

type Pushing = { jira: Jira; ticket: StoredTicket; issue: Issue; comments: readonly JiraComment[] };

/** The status of a subject, and why it has it. */
type Current = { status: SubjectStatus; reason: string | undefined };

type Pushed = { issue: Pick<Issue, 'status' | 'category'>; told: boolean; problem: string | undefined };

/**
 * Reports a change of its subject to the issue in Jira: with a comment when the subject was closed or opened again, and
 * with a move of the issue. Each part first checks whether it was done before.
 */
export async function push(pushing: Pushing, current: Current): Promise<Pushed> {
  const { ticket, issue } = pushing;
  if (current.status === ticket.subjectStatus) return { issue, told: false, problem: undefined };
  if (isLeft(current.status) !== isLeft(ticket.subjectStatus)) await tell(pushing, current);
  const wanted = wantedCategory(issue.category, ticket.subjectStatus, current.status);
  return { told: true, ...(await move(pushing, wanted)) };
}

const isLeft = (status: SubjectStatus): boolean => status !== 'gone' && isOpen(status);

async function tell({ jira, ticket, issue, comments }: Pushing, { status, reason }: Current): Promise<void> {
  const reference = `${ticket.id}#${ticket.toldCount + 1}`;
  if (comments.some(({ text }) => referenceIn(text) === reference))
    return jira.noteFound('jira.comment', markOf(reference));
  await jira.comment(issue.id, noticeOf(SAYINGS[status], reason, reference));
}

const SAYINGS: Record<SubjectStatus, string> = {
  open: 'The problem is open again.',
  in_progress: 'The problem is open again, and somebody works on it.',
  fixed: 'The problem is fixed.',
  false_positive: 'The problem was found to be none.',
  risk_accepted: 'The risk is accepted.',
  out_of_scope: 'The problem is out of scope.',
  gone: 'The problem is not followed any more: nothing is left of it.',
};

/**
 * The category of the issue after the change. Only the return of a problem reopens an issue that people set to done.
 */
function wantedCategory(stands: Category, was: SubjectStatus, is: SubjectStatus): Category {
  if (!isLeft(is)) return 'done';
  if (stands === 'done' && isLeft(was)) return 'done';
  return is === 'in_progress' ? 'in_progress' : 'open';
}

async function move({ jira, issue }: Pushing, wanted: Category): Promise<Omit<Pushed, 'told'>> {
  if (issue.category === wanted) {
    await jira.noteFound('jira.transition');
    return { issue, problem: undefined };
  }
  const offered = await jira.transitions(issue.id);
  const transition = transitionTo(offered, wanted, issue);
  if (transition === undefined) {
    const problem = `The workflow offers no move of ${issue.key} from ${issue.status} to a status that is ${NAMES[wanted]}.`;
    return { issue, problem };
  }
  if (transition) await jira.transition(issue.id, transition);
  return { issue: transition ?? issue, problem: undefined };
}

const NAMES: Record<Category, string> = { open: 'to do', in_progress: 'in progress', done: 'done' };

/** @returns null: an issue that is not done means an open problem, in every column */
function transitionTo(offered: readonly Transition[], wanted: Category, issue: Issue): Transition | null | undefined {
  const [first] = offered.filter(({ category }) => category === wanted);
  if (first || wanted === 'done') return first;
  if (issue.category !== 'done') return null;
  return offered.find(({ category }) => category !== 'done');
}
