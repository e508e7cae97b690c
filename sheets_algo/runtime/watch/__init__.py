"""Watchers of workbooks, their logs, and their pages of status."""
