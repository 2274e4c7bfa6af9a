"""The rulesets that come with Spadille: data only."""
