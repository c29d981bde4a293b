#!/usr/bin/env bash
# The club kit on a real Linux GPIO interface: a user-mode Linux with simulated pins runs tests/gpio_sim/check.py with
# lgpio and gpiozero. The first time it builds that Linux (build.sh, about ten minutes); then it takes seconds.
set -euo pipefail
cd "$(dirname "$0")/../.."
ROOT="$PWD"
PYTHON="$ROOT/.venv/bin/python"
LIBRARY="$ROOT/build/gpio_sim"
RESULT="$ROOT/build/gpio_sim/result.txt"

tests/gpio_sim/build.sh
if [ ! -e "$LIBRARY/lgpio.py" ]; then
  "$PYTHON" -m pip install --quiet --target "$LIBRARY" lgpio ||
    { echo "no lgpio for this Python: on Debian, apt install python3-lgpio"; exit 1; }
fi

cat > "$LIBRARY/init.sh" <<END
#!/bin/sh
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t configfs configfs /sys/kernel/config
mount -t tmpfs tmpfs /tmp
mount -t devtmpfs devtmpfs /dev 2>/dev/null || true # most kernels have done so
bank=/sys/kernel/config/gpio-sim/kibitz/bank0
mkdir -p \$bank
echo 54 > \$bank/num_lines
echo 1 > /sys/kernel/config/gpio-sim/kibitz/live
export LG_WD=/tmp GPIOZERO_PIN_FACTORY=lgpio PYTHONPATH="$ROOT:$LIBRARY" PYTHONDONTWRITEBYTECODE=1 HOME=/tmp
"$PYTHON" -W ignore "$ROOT/tests/gpio_sim/check.py" "\$(cat /sys/kernel/config/gpio-sim/kibitz/dev_name)"
echo "exit status \$?"
sync
echo o > /proc/sysrq-trigger
sleep 5
END
chmod +x "$LIBRARY/init.sh"

timeout 120 build/uml/linux root=/dev/root rootfstype=hostfs ro mem=512M quiet init="$LIBRARY/init.sh" con=null con0=fd:0,fd:1 \
  </dev/null > "$RESULT" 2>&1 || true
grep -v '^\[' "$RESULT" | tail -30
grep -q '^exit status 0' "$RESULT"
