#!/bin/sh
# Puts an experiment up, or goes on with it if Redis already has one of this name: whatever restarts the coordinator may
# run this again and again. Must not know what an experiment is.
set -eu
: "${EVOZERO_REDIS:?the URL of Redis}" "${NAME:?the name of the experiment}" "${PRESET:?what to run}" "${ISLANDS:?how many}"

# In a variable first, so that an outage ends this attempt instead of looking like an empty list.
experiments=$(evozero experiments --json)
case $experiments in
*"\"name\": \"$NAME\""*) exec evozero run --attach "$NAME" --out "/runs/$NAME" ;;
*) exec evozero run "$PRESET" --islands "$ISLANDS" --name "$NAME" --out "/runs/$NAME" ;;
esac
