#!/bin/sh
# Any other CI system: names the build by itself. EXPOSURE_KEY comes from its store of secrets.
set -eu
export EXPOSURE_URL="${EXPOSURE_URL:-https://exposure.example.com}"
export EXPOSURE_REPOSITORY="${EXPOSURE_REPOSITORY:-https://git.example.com/acme/shop}"
export EXPOSURE_REF="${EXPOSURE_REF:-$(git branch --show-current)}"
export EXPOSURE_BASE="${EXPOSURE_BASE:-main}"
export EXPOSURE_COMMIT="${EXPOSURE_COMMIT:-$(git rev-parse HEAD)}"
export EXPOSURE_BUILD="${EXPOSURE_BUILD:-$EXPOSURE_COMMIT}"
sh "$(dirname "$0")/../exposure.sh" gate "$@"
