"""Hypothesis on busy machines: no deadline, and as many examples as the house's two minutes allow."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("house", deadline=None, max_examples=30)
settings.load_profile("house")
