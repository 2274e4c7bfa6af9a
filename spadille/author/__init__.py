"""Help for those who write rulesets."""
