import { sha } from '../code-scans.ts';

/**
 * Events with all fields that GitLab's documentation shows, under names and values of our own:
 * https://docs.gitlab.com/user/project/integrations/webhook_events/ and https://docs.gitlab.com/administration/system_hooks/
 */
export function gitlabEvents(group: string) {
  const path = `${group}/shop`;
  const web_url = `https://gitlab.com/${path}`;
  const [ssh, http] = [`git@gitlab.com:${path}.git`, `${web_url}.git`];
  const described = {
    ...{ name: 'Shop', description: '', web_url, avatar_url: null, git_ssh_url: ssh, git_http_url: http },
    ...{ namespace: 'Group', visibility_level: 20, path_with_namespace: path, default_branch: 'main' },
    ...{ homepage: web_url, url: ssh, ssh_url: ssh, http_url: http },
  };
  const project = { id: 9, ...described, ci_config_path: null };
  const repository = {
    ...{ name: 'Shop', url: ssh, description: '', homepage: web_url },
    ...{ git_http_url: http, git_ssh_url: ssh, visibility_level: 20 },
  };
  const user = { id: 4, name: 'Ann Example', username: 'ann', avatar_url: null, email: '[REDACTED]' };
  const commit = (letter: string) => ({
    ...{ id: sha(letter), message: 'Mend it\n\nas agreed', title: 'Mend it', timestamp: '2026-11-01T10:00:00+01:00' },
    ...{ url: `${web_url}/-/commit/${sha(letter)}`, author: { name: 'Ann Example', email: 'ann@example.com' } },
    ...{ added: ['CHANGELOG'], modified: ['src/till.ts'], removed: [] },
  });
  const pushed = (ref: string, [before, after]: [string, string]) => ({
    ...{ before: sha(before), after: sha(after), ref, ref_protected: true, checkout_sha: sha(after) },
    ...{ user_id: 4, user_name: user.name, user_username: 'ann', user_email: '', user_avatar: null, project_id: 9 },
    ...{ project, repository, commits: [commit(after)], total_commits_count: 1 },
  });
  const { ci_config_path: _path, id: _id, ...ofSystem } = project;
  const label = {
    ...{ id: 206, title: 'API', color: '#ffffff', project_id: 9, created_at: '2026-10-01T17:15:43Z', template: false },
    ...{ updated_at: '2026-10-01T17:15:43Z', description: null, type: 'ProjectLabel', group_id: 41 },
  };
  const request = {
    ...{ id: 99, iid: 1, target_branch: 'main', source_branch: 'fix', source_project_id: 9, target_project_id: 9 },
    ...{ author_id: 4, assignee_ids: [4], assignee_id: 4, reviewer_ids: [], title: 'A change', description: '' },
    ...{ created_at: '2026-11-01T08:00:00Z', updated_at: '2026-11-01 09:00:00 UTC', last_edited_at: null },
    ...{ last_edited_by_id: null, milestone_id: null, state_id: 1, state: 'opened', work_in_progress: false },
    ...{ blocking_discussions_resolved: true, draft: false, first_contribution: true, merge_status: 'unchecked' },
    ...{ prepared_at: '2026-11-01T08:00:00Z', total_time_spent: 0, time_change: 0, human_total_time_spent: null },
    ...{ human_time_change: null, human_time_estimate: null, url: `${web_url}/-/merge_requests/1` },
    ...{ source: described, target: described, last_commit: commit('b'), labels: [label] },
    ...{ action: 'open', detailed_merge_status: 'mergeable' },
  };
  const changes = { updated_at: { previous: null, current: '2026-11-01 09:00:00 UTC' }, labels: {} };
  const proposed = (action: string) => ({
    ...{ object_kind: 'merge_request', event_type: 'merge_request', user, project, repository },
    ...{ object_attributes: { ...request, action }, labels: [label], changes, assignees: [user], reviewers: [] },
  });
  const ofProject = (event_name: string, more: object = {}) => ({
    ...{ created_at: '2026-10-01T07:30:54Z', updated_at: '2026-11-01T07:38:22Z', event_name, name: 'Shop' },
    ...{ owner_email: 'ann@example.com', owner_name: user.name, owners: [{ name: user.name, email: '' }] },
    ...{ path: 'shop', path_with_namespace: path, project_id: 9, project_namespace_id: 23 },
    ...{ project_visibility: 'public', ...more },
  });
  const ofGroup = (event_name: string, full_path: string, more: object = {}) => ({
    ...{ created_at: '2026-10-01T07:30:54Z', updated_at: '2026-11-01T07:38:22Z', event_name, name: 'Web' },
    ...{ path: full_path.split('/').at(-1), full_path, group_id: 78, parent_group_id: 70, ...more },
  });
  const vulnerability = (state: string, updated_at: string) => ({
    object_kind: 'vulnerability',
    object_attributes: {
      ...{ url: `${web_url}/-/security/vulnerabilities/1`, title: 'Slow parser', state, project_id: 9 },
      location: { file: 'Gemfile.lock', dependency: { package: { name: 'rexml' }, version: '3.3.1' } },
      cvss: [{ vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H', vendor: 'NVD' }],
      ...{ severity: 'high', severity_overridden: false, confidence: 'unknown', confidence_overridden: false },
      identifiers: [
        {
          ...{ name: 'CVE-2024-41123', external_id: 'CVE-2024-41123', external_type: 'cve' },
          url: 'https://nvd.nist.gov/vuln/detail/CVE-2024-41123',
        },
      ],
      issues: [],
      ...{ report_type: 'dependency_scanning', confirmed_at: '2026-11-01T00:46:14.413Z', confirmed_by_id: 1 },
      ...{ dismissed_at: null, dismissed_by_id: null, resolved_at: null, resolved_by_id: null, auto_resolved: false },
      ...{ resolved_on_default_branch: false, created_at: '2026-11-01T00:46:14.413Z', updated_at },
    },
  });
  return {
    push: { object_kind: 'push', event_name: 'push', ...pushed('refs/heads/main', ['0', 'a']) },
    tagPush: { object_kind: 'tag_push', event_name: 'tag_push', ...pushed('refs/tags/v1', ['0', 'a']) },
    /** Of the system: its project has no id, and it has no `object_kind`. */
    systemPush: { event_name: 'push', ...pushed('refs/heads/next', ['0', 'c']), project: ofSystem },
    systemTagPush: { event_name: 'tag_push', ...pushed('refs/tags/v2', ['0', 'c']), project: ofSystem },
    repositoryUpdate: {
      ...{ event_name: 'repository_update', user_id: 4, project_id: 9, project: ofSystem },
      ...{ changes: [{ before: sha('a'), after: sha('c'), ref: 'refs/heads/main' }], refs: ['refs/heads/main'] },
    },
    proposed,
    vulnerability,
    ofProject,
    ofGroup,
    ofUser: (event_name: string, more: object = {}) => ({
      ...{ event_name, created_at: '2026-10-01T11:21:04Z', updated_at: '2026-11-01T14:04:47Z', name: user.name },
      ...{ email: 'ann@example.com', user_id: 4, username: 'ann', ...more },
    }),
    other: (object_kind: string, object_attributes: object = {}) => ({
      ...{ object_kind, event_type: object_kind, user, project_id: 9, project, repository, object_attributes },
    }),
  };
}
