"""Make ``import cv2`` work on this machine; run once by ``make setup``.

``opencv-python`` needs the system's libGL (and glib), which a small Debian or a Raspberry Pi OS Lite lacks.
As root the missing libraries are installed; otherwise the headless build, which needs neither, takes its
place.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

DEBIAN_PACKAGES = ("libgl1", "libglib2.0-0")


def cv2_problem() -> str | None:
    """What keeps ``cv2`` from being imported in a new interpreter, or None when it works."""
    done = subprocess.run([sys.executable, "-c", "import cv2"], capture_output=True, text=True, check=False)
    return None if done.returncode == 0 else (done.stderr.strip().splitlines() or ["cv2 failed"])[-1]


def may_install_packages() -> bool:
    """True where Debian packages can be installed without asking anybody."""
    return hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get") is not None


def install_system_libraries() -> None:
    """Install what opencv-python links against; failure is seen by the next import."""
    apt = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(["apt-get", "update", "-q"], env=apt, check=False)
    subprocess.run(["apt-get", "install", "-q", "-y", *DEBIAN_PACKAGES], env=apt, check=False)


def take_headless_build() -> None:
    """Replace opencv-python by opencv-python-headless in this environment."""
    pip = [sys.executable, "-m", "pip"]
    subprocess.run([*pip, "uninstall", "--quiet", "--yes", "opencv-python"], check=True)
    subprocess.run([*pip, "install", "--quiet", "opencv-python-headless"], check=True)


def main() -> int:
    """Mend OpenCV when needed; exit status 1 with one line when it cannot be."""
    mends = ([install_system_libraries] if may_install_packages() else []) + [take_headless_build]
    for mend in mends:
        if cv2_problem() is None:
            return 0
        mend()
    problem = cv2_problem()
    if problem:
        print(f"OpenCV does not start: {problem}. See: kibitz doctor", file=sys.stderr)
    return 1 if problem else 0


if __name__ == "__main__":
    sys.exit(main())
