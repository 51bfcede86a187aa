#!/bin/sh
# drivers_test.sh: the drivers of applications, test/drivers
exec "$(dirname "$0")/../drivers/run"
