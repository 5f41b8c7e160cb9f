#!/bin/sh
# Imports the reports of a CI job and asks the gate of its build, or ends a branch, on any CI system.
#
#   exposure.sh gate REPORT...    import the reports, then ask the gate
#   exposure.sh import REPORT...  import only: a later job asks the gate
#   exposure.sh judge             ask the gate of what earlier jobs imported
#   exposure.sh end               end the branch that was deleted, or whose pull request was closed
#
# EXPOSURE_URL            the address of the service
# EXPOSURE_ORGANIZATION   the id of the organization, to sign in with the identity of the job (trusted publishing)
# EXPOSURE_KEY            or an API key with the scope imports:write
# EXPOSURE_PART           the part of a monorepo, such as apps/api
# EXPOSURE_TOOLS          the tools whose reports the build has, such as semgrep,trivy
# EXPOSURE_REPORTS        how many reports the build has, at least
# EXPOSURE_FAIL_ON        the severity from which new findings fail the gate (high)
# EXPOSURE_REPOSITORY, EXPOSURE_REF, EXPOSURE_BASE, EXPOSURE_COMMIT, EXPOSURE_BUILD   where the CI system does not say them
#
# Exit codes are those of the command line client: 0 passed, 1 gate failed, 2 usage, 3 credentials, 4 unreachable, 5 incomplete.
set -eu

say() { printf '%s\n' "$*" >&2; }
fail() { code=$1; shift; say "$*"; exit "$code"; }

# The build, as the CI system describes it. A pull request is always its number, and never the name of its branch: a fork may
# have a branch named main, and the token of a pull request reports on this name alone.
describe() {
  is_fork=false; is_bot=false; ref=; base=; commit=; repository=; build=; event=
  if [ "${GITHUB_ACTIONS:-}" ]; then
    repository=$GITHUB_SERVER_URL/$GITHUB_REPOSITORY; ref=$GITHUB_REF; base=${GITHUB_BASE_REF:-${DEFAULT_BRANCH:-}}
    commit=${HEAD_SHA:-$GITHUB_SHA}; build=$GITHUB_RUN_ID; event=$GITHUB_EVENT_NAME
    case $event in
      delete) ref=${DELETED_REF:-} ;;
      pull_request) ref=${PULL_REQUEST:+pull/$PULL_REQUEST}; ref=${ref:-$GITHUB_REF} ;; # a merged one has the name of its base
      merge_group) base=${QUEUE_BASE:-$base} ;;
    esac
    [ "${HEAD_REPOSITORY:-$GITHUB_REPOSITORY}" = "$GITHUB_REPOSITORY" ] || is_fork=true
    [ "${GITHUB_ACTOR:-}" != 'dependabot[bot]' ] || is_bot=true
  elif [ "${GITLAB_CI:-}" ]; then
    repository=${CI_MERGE_REQUEST_PROJECT_URL:-$CI_PROJECT_URL}; commit=$CI_COMMIT_SHA; build=$CI_PIPELINE_ID; event=$CI_PIPELINE_SOURCE
    ref=${CI_MERGE_REQUEST_IID:+merge-requests/$CI_MERGE_REQUEST_IID}; ref=${ref:-$CI_COMMIT_REF_NAME}
    base=${CI_MERGE_REQUEST_TARGET_BRANCH_NAME:-$CI_DEFAULT_BRANCH}
    [ "${CI_MERGE_REQUEST_SOURCE_PROJECT_PATH:-}" = "${CI_MERGE_REQUEST_PROJECT_PATH:-}" ] || is_fork=true
  elif [ "${TF_BUILD:-}" ]; then
    repository=$BUILD_REPOSITORY_URI; ref=$BUILD_SOURCEBRANCH; base=${SYSTEM_PULLREQUEST_TARGETBRANCH:-}
    commit=${SYSTEM_PULLREQUEST_SOURCECOMMITID:-$BUILD_SOURCEVERSION}; build=$BUILD_BUILDID
    [ "${SYSTEM_PULLREQUEST_ISFORK:-False}" != True ] || is_fork=true
  elif [ "${BITBUCKET_BUILD_NUMBER:-}" ]; then
    repository=$BITBUCKET_GIT_HTTP_ORIGIN; ref=${BITBUCKET_PR_ID:+pull-requests/$BITBUCKET_PR_ID}; ref=${ref:-$BITBUCKET_BRANCH}
    base=${BITBUCKET_PR_DESTINATION_BRANCH:-}; commit=$BITBUCKET_COMMIT; build=$BITBUCKET_BUILD_NUMBER
  elif [ "${JENKINS_URL:-}" ]; then
    repository=$GIT_URL; ref=${CHANGE_ID:+pull/$CHANGE_ID}; ref=${ref:-${BRANCH_NAME:-${GIT_BRANCH#origin/}}}
    base=${CHANGE_TARGET:-}; commit=$GIT_COMMIT; build=$BUILD_TAG
    [ -z "${CHANGE_FORK:-}" ] || is_fork=true
  fi
  repository=${EXPOSURE_REPOSITORY:-$repository}; ref=${EXPOSURE_REF:-$ref}; base=${EXPOSURE_BASE:-$base}
  commit=${EXPOSURE_COMMIT:-$commit}; build=${EXPOSURE_BUILD:-$build}
  [ "$repository" ] && [ "$ref" ] || fail 2 'Set EXPOSURE_REPOSITORY (the whole address) and EXPOSURE_REF.'
}

exposure() { ${EXPOSURE_CLI:-command exposure} "$@"; }

# A token of ten minutes for the branch of this job, in place of a key. An identity works once, so that all steps share the token.
sign_in() {
  [ "${EXPOSURE_URL:-}" ] || fail 2 'Set EXPOSURE_URL, the address of the service.'
  [ -z "${EXPOSURE_KEY:-}" ] || { export EXPOSURE_KEY; return 0; }
  if [ -z "${EXPOSURE_ORGANIZATION:-}" ] || [ -z "${EXPOSURE_ID_TOKEN:-${ACTIONS_ID_TOKEN_REQUEST_URL:-}}" ]; then
    if $is_fork || $is_bot; then say 'No gate: the CI system gives no identity and no secrets to this pull request.'; exit 0; fi
    fail 3 'There is no credential: let the job have an identity token and set EXPOSURE_ORGANIZATION, or set EXPOSURE_KEY.'
  fi
  EXPOSURE_KEY=$(exposure ci-token)
  export EXPOSURE_KEY
}

named() {
  set -- "$@" --repository "$repository" --ref "$ref"
  [ -z "$commit" ] || set -- "$@" --commit "$commit"
  [ -z "$base" ] || set -- "$@" --base "$base"
  [ -z "$build" ] || set -- "$@" --build-id "$build"
  exposure "$@"
}

import() {
  [ -z "${EXPOSURE_PART:-}" ] || set -- "$@" --part "$EXPOSURE_PART"
  named import "$@"
}

judge() {
  set -- gate --fail-on "${EXPOSURE_FAIL_ON:-high}"
  [ -z "${EXPOSURE_TOOLS:-}" ] || set -- "$@" --tools "$EXPOSURE_TOOLS"
  [ -z "${EXPOSURE_REPORTS:-}" ] || set -- "$@" --reports "$EXPOSURE_REPORTS"
  named "$@"
}

end() { exposure branch end --repository "$repository" --ref "$ref"; }

# The branch of a merge queue lives for one build. Its findings are those of its pull requests.
judge_and_leave() {
  code=0; judge || code=$?
  if [ "$event" = merge_group ]; then end; fi
  return "$code"
}

command=${1:-}; [ $# -eq 0 ] || shift
case $command in gate | import | judge | end) ;; *) fail 2 'Usage: exposure.sh gate|import|judge|end [REPORT...]' ;; esac
describe
sign_in
case $command in
  # a broken report is imported with the others, and the gate says why the build does not pass
  gate) code=0; import "$@" || code=$?; [ "$code" -eq 0 ] || [ "$code" -eq 5 ] || exit "$code"; judge_and_leave ;;
  import) import "$@" ;;
  judge) judge_and_leave ;;
  end) end ;;
esac
