"""Drafts to claims: the blocks of a draft, its sentences, and what each sentence is about."""
