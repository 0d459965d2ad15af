"""Titles that declare their rules: one referee and one statement for all of them.

What all have in common is in ``docs/rules/common.md`` (cited as COMMON); what a
title does otherwise is declared in its ``rules.json``, in the options of
:mod:`engine.declared.options`.
"""

from engine.declared.rules import PROFILES, DeclaredRules

make_rules = DeclaredRules

__all__ = ["PROFILES", "make_rules"]
